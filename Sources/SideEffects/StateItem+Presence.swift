public import Middleware
import Store

extension MiddlewareItem {
  /// Returns the same effect, of which a run is cancelled when what it is about is no longer there.
  ///
  /// ```swift
  /// uploadPhoto(service: service).cancelled(
  ///   unless: { (state: AppState, id: Photo.ID) in state.photos[id] != nil })
  /// ```
  ///
  /// It is cancelled in the commit of the action that removes the thing: nothing that the run sends
  /// afterwards is reduced. That commit does not look at the runs that its own action starts; the
  /// next one does. What a run spawned has no key, and stays.
  ///
  /// - Parameter isPresent: whether what is about this key is still there. Called while the store is
  ///   locked, for each key that runs are about, in each commit that a reducer handled; it must be
  ///   pure. Keys of other types, and runs without a key, stay.
  /// - Returns: the effect as an item for a store of that state. A plain item stays as it is.
  public func cancelled<State, Key: Hashable & Sendable>(
    unless isPresent: @escaping @Sendable (State, Key) -> Bool
  ) -> StateItem<State> {
    StateItem { store in
      MiddlewareItem { reference in
        let follower = makeFollower(reference)
        if let runner = follower as? EffectRunner {
          store.watch { [weak runner] state in
            runner?.silence { ($0 as? Key).map { !isPresent(state, $0) } ?? false } ?? []
          }
        }
        return follower
      }
    }
  }
}
