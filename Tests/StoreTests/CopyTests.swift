import Store
import TestSupport
import Testing

private struct Feed: Equatable, Sendable {
  // Not literals: a release build puts those into constant data, and the first change copies them.
  var posts = Array(1...3)
  var drafts = [7: Array(1...3)]
  var likes = 0
}

private struct Like: Action {}

private let feedReducer = Reducer<Feed>.on(Like.self) { feed, _ in
  feed.posts[0] += 1
  feed.likes += 1
}

/// Where the elements of an array are in memory.
private func address(of elements: [Int]) -> UInt {
  unsafe elements.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
}

/// What the article about an action's way says of copies: a reducer makes one if somebody else
/// holds the collection that it changes.
@Suite(.timeLimit(.minutes(5)))
struct CopyTests {
  private let store = Store(initialState: Feed(), reducer: feedReducer)

  /// Whether an action moves the posts, which a change in place does not.
  private func copiesPosts(in store: Store<Feed>) -> Bool {
    let before = address(of: store.state.posts)
    store.dispatch(Like())
    return address(of: store.state.posts) != before
  }

  @Test func `S20: a reducer changes a collection where it is`() {
    #expect(!copiesPosts(in: store))
  }

  @Test func `S20: a collection kept from the state costs a copy`() {
    let kept = store.state.posts
    #expect(copiesPosts(in: store))
    #expect(kept == [1, 2, 3])
  }

  @Test func `S20: a selected collection costs a copy, its count does not`() {
    let counting = store.subscribe(\.posts.count) { _ in }
    #expect(!copiesPosts(in: store))
    counting.cancel()

    let reading = store.subscribe(\.posts) { _ in }
    #expect(copiesPosts(in: store))
    reading.cancel()
    #expect(!copiesPosts(in: store))
  }

  @Test func `S20: an observer of the whole state costs a copy while it keeps it`() {
    let glancing = store.subscribe { (_: Feed) in }
    #expect(!copiesPosts(in: store))
    glancing.cancel()

    let kept = Box(Feed())
    let keeping = store.subscribe { kept.value = $0 }
    #expect(copiesPosts(in: store))
    keeping.cancel()
  }

  @Test func `S20: an observer of the whole state costs a copy while others are still told`() {
    let copies = Box(false)
    let glancing = store.subscribe(initial: false) { (_: Feed) in }
    let liking = store.subscribe(\.likes, initial: false) { [self] likes in
      if likes == 1 { copies.value = copiesPosts(in: store) }
    }

    store.dispatch(Like())

    #expect(copies.value)
    glancing.cancel()
    liking.cancel()
  }

  @Test func `S20: a reducer that takes a collection out copies it, one that reaches in does not`()
  {
    struct TakeOut: Action {}
    struct ReachIn: Action {}
    let store = Store(
      initialState: Feed(),
      reducer: .combine(
        .on(TakeOut.self) { feed, _ in
          guard var draft = feed.drafts[7] else { return }
          draft[0] += 1
          feed.drafts[7] = draft
        },
        .on(ReachIn.self) { feed, _ in feed.drafts[7]?[0] += 1 }))
    func draftAddress() -> UInt { address(of: store.state.drafts[7] ?? []) }

    let first = draftAddress()
    store.dispatch(ReachIn())
    #expect(draftAddress() == first)
    store.dispatch(TakeOut())
    #expect(draftAddress() != first)
  }

  @Test func `S20: a wrapped reducer of ReSwift's shape costs a copy`() {
    let store = Store(
      initialState: Feed(),
      reducer: Reducer(wrapping: { (_: any Action, feed: Feed?) in
        var feed = feed ?? Feed()
        feed.posts[0] += 1
        return feed
      }))
    #expect(copiesPosts(in: store))
  }

  @Test func `S18: a memoised input that is a collection costs a copy, its count does not`() {
    let busy = MemoizedSelector(\Feed.posts.count) { $0 > 2 }
    let counting = store.subscribe(busy.select) { _ in }
    #expect(!copiesPosts(in: store))
    counting.cancel()

    let highest = MemoizedSelector(\Feed.posts) { $0.max() ?? 0 }
    let reading = store.subscribe(highest.select) { _ in }
    #expect(copiesPosts(in: store))
    reading.cancel()
  }
}
