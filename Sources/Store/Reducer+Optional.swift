extension Reducer {
  /// Returns a reducer of a larger state that leaves to this one the optional part at `keyPath`,
  /// while it is there.
  ///
  /// ```swift
  /// struct AppState { var editor: EditorState? }
  ///
  /// let appReducer = Reducer<AppState>.combine(
  ///   .on(EditorClosed.self) { app, _ in app.editor = nil },
  ///   editorReducer.scoped(to: \.editor)
  /// )
  /// ```
  ///
  /// While the part is nil its actions are handled by nobody: nothing is made, no setter is called,
  /// and no observer is told. Making and removing the part is the work of a reducer of the larger
  /// state. One that removes it belongs before this one if the part is not to see the action, and
  /// after it if it is.
  public func scoped<Parent>(
    to keyPath: any WritableKeyPath<Parent, State?> & Sendable
  ) -> Reducer<Parent> {
    Reducer<Parent> { type in
      guard let reduction = Reduction(reductions(type)) else { return [] }
      return [
        Reducer<Parent>.Reduction(isTyped: reduction.isTyped) { parent, action in
          // Asked first, because a property that is computed or observed would notice being
          // changed.
          guard parent[keyPath: keyPath] != nil else { return false }
          return parent[keyPath: keyPath].changeInPlace { reduction.reduce(&$0, action) }
        }
      ]
    }
  }
}

extension Optional {
  /// Changes what is wrapped; nil is left alone and answers false.
  ///
  /// The value is moved out and back, so a collection in it has one owner all the time.
  fileprivate mutating func changeInPlace(_ change: (inout Wrapped) -> Bool) -> Bool {
    guard var wrapped = take() else { return false }
    defer { self = .some(wrapped) }
    return change(&wrapped)
  }
}
