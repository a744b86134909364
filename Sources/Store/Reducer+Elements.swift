extension Reducer where State: Identifiable & Sendable {
  /// Returns a reducer of a larger state that leaves to this one a single element of the array at
  /// `elements`: the one that the action names.
  ///
  /// An action of the larger state carries the identity of an element and an action for it, which
  /// knows nothing of arrays:
  ///
  /// ```swift
  /// struct RowAction: Action {
  ///   var rowID: Row.ID
  ///   var action: CounterAction
  /// }
  ///
  /// let listReducer = counterReducer.forEach(
  ///   \.rows, on: RowAction.self, id: \.rowID, action: \.action)
  /// ```
  ///
  /// Where the action that names the element is the one that this reducer handles, the last
  /// argument is `\.self`.
  ///
  /// The element is changed where it stands; the array is not copied. An identity that no element
  /// has changes nothing and tells no observer. Of several elements with one identity the first is
  /// meant.
  ///
  /// - Parameters:
  ///   - elements: the array in the larger state.
  ///   - type: the type of the actions that name an element; this reducer is asked for no other.
  ///   - id: the identity of the element that such an action is for.
  ///   - action: the action that the element's reducer is given.
  /// - Returns: the reducer of the larger state.
  /// - Complexity: O(*n*) in the number of elements for each action, to find the one that is meant.
  ///   The elements of a dictionary are found in O(1).
  public func forEach<Parent, Sent: Action, Received: Action>(
    _ elements: any WritableKeyPath<Parent, [State]> & Sendable, on type: Sent.Type,
    id: any KeyPath<Sent, State.ID> & Sendable, action: any KeyPath<Sent, Received> & Sendable
  ) -> Reducer<Parent> {
    forElement(of: elements, on: type, action: action) { elements, sent in
      let id = sent[keyPath: id]
      return elements.firstIndex { $0.id == id }
    } change: { elements, index, reduce in
      reduce(&elements[index])
    }
  }
}

extension Reducer where State: Sendable {
  /// Returns a reducer of a larger state that leaves to this one a single value of the dictionary
  /// at `elements`: the one whose key the action names.
  ///
  /// ```swift
  /// let filesReducer = fileReducer.forEach(
  ///   \.filesByPath, on: FileAction.self, id: \.path, action: \.action)
  /// ```
  ///
  /// The value is changed where it stands; the dictionary is not copied. A key that is not there
  /// changes nothing, adds nothing, and tells no observer.
  ///
  /// - Parameters:
  ///   - elements: the dictionary in the larger state.
  ///   - type: the type of the actions that name a key; this reducer is asked for no other.
  ///   - id: the key of the value that such an action is for.
  ///   - action: the action that the value's reducer is given; `\.self` for that very action.
  /// - Returns: the reducer of the larger state.
  public func forEach<Parent, Key: Sendable, Sent: Action, Received: Action>(
    _ elements: any WritableKeyPath<Parent, [Key: State]> & Sendable, on type: Sent.Type,
    id: any KeyPath<Sent, Key> & Sendable, action: any KeyPath<Sent, Received> & Sendable
  ) -> Reducer<Parent> {
    forElement(of: elements, on: type, action: action) { elements, sent in
      elements.index(forKey: sent[keyPath: id])
    } change: { elements, index, reduce in
      reduce(&elements.values[index])
    }
  }

  /// What arrays and dictionaries have in common: `find` returns where the element is that an
  /// action is for, and `change` changes the element there in place.
  private func forElement<Parent, Elements: Collection & Sendable, Sent: Action, Received: Action>(
    of elements: any WritableKeyPath<Parent, Elements> & Sendable, on type: Sent.Type,
    action: any KeyPath<Sent, Received> & Sendable,
    find: @escaping @Sendable (Elements, Sent) -> Elements.Index?,
    change: @escaping @Sendable (inout Elements, Elements.Index, (inout State) -> Bool) -> Bool
  ) -> Reducer<Parent> {
    Reducer<Parent> { candidate in
      guard candidate == type, let reduction = Reduction(reductions(Received.self)) else {
        return []
      }
      return [
        Reducer<Parent>.Reduction { parent, sent in
          // The store routes by exact type, so it is one.
          guard let sent = sent.exactly(type), let index = find(parent[keyPath: elements], sent)
          else {
            return false
          }
          return change(&parent[keyPath: elements], index) {
            reduction.reduce(&$0, sent[keyPath: action])
          }
        }
      ]
    }
  }
}
