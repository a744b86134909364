public import Observation

/// A part of the state on the main actor, for SwiftUI and whatever else tracks with Observation.
///
/// Made with ``Store/observed(_:)``. It is a mirror: views read ``value``, and send actions to
/// change what it shows.
///
/// ```swift
/// struct PostList: View {
///   let store: Store<AppState>
///   let posts: ObservedValue<[Post]>  // store.observed(\.posts), made once by who shows the list
///
///   var body: some View {
///     List(posts.value) { post in Text(post.title) }
///       .refreshable { await store.dispatch(FetchPosts.request).finish() }
///   }
/// }
/// ```
///
/// It ends with its last reference, and keeps no store alive; once the store is gone it stays as it
/// is.
@MainActor @Observable
public final class ObservedValue<Value: Equatable & Sendable> {
  /// The part as the main actor knows it.
  ///
  /// It changes in a turn of the main actor after the commit, also when the action was sent on the
  /// main actor: animate it with `.animation(_:value:)`, since `withAnimation` around a dispatch is
  /// over by then. It never goes back to an older value, and passes over those that were replaced
  /// before their turn came. Whoever tracks it is told of values that differ, and of no others.
  public private(set) var value: Value

  @ObservationIgnored private var mirroring: Task<Void, Never>?

  init(_ value: Value, changes: StoreValues<Value>) {
    self.value = value
    // Subscribed here and not in the task: that may begin when the store, after a last change, is
    // gone.
    var changes = changes.makeAsyncIterator()
    // Owned by the mirror, which it does not keep: `deinit` cancels it. A task, because a sequence has
    // to be awaited and an initialiser that suspends would leave a view a moment without a value.
    mirroring = Task { [weak self] in
      while let value = await changes.next(isolation: MainActor.shared) { self?.value = value }
    }
  }

  deinit { mirroring?.cancel() }
}
