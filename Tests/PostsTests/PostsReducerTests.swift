import Posts
import Services
import Store
import Testing

struct PostsReducerTests {
  private let before = PostsState(values: [Sample.first])

  private func after(_ actions: any Action..., from state: PostsState? = nil) -> PostsState {
    actions.reduce(state ?? before) { postsReducer($0, $1) }
  }

  @Test func `it starts empty`() {
    #expect(
      PostsState()
        == PostsState(
          values: [], isLoading: false, creating: 0, created: nil, failure: nil,
          creationFailure: nil))
  }

  @Test(arguments: [FetchUsers.request, .success([Sample.ada]), .failure(Sample.offline)])
  func `actions about users leave it unchanged`(action: FetchUsers) {
    #expect(after(action) == before)
  }

  @Test func `a request leaves the values, says that they are loading and forgets the last error`()
  {
    let failed = PostsState(values: [Sample.first], failure: Sample.offline)
    #expect(
      after(FetchPosts.request, from: failed)
        == PostsState(values: [Sample.first], isLoading: true))
  }

  @Test func `a success replaces the values and ends loading`() {
    #expect(
      after(FetchPosts.request, FetchPosts.success([Sample.second]))
        == PostsState(values: [Sample.second]))
  }

  @Test func `a failure keeps the old values, records the error and ends loading`() {
    #expect(
      after(FetchPosts.request, FetchPosts.failure(Sample.offline))
        == PostsState(values: [Sample.first], failure: Sample.offline))
  }

  @Test func `a request to create leaves the values and counts what is under way`() {
    #expect(
      after(CreatePost.request(Sample.draft), CreatePost.request(Sample.draft))
        == PostsState(values: [Sample.first], creating: 2))
  }

  @Test func `a created post is added at the end and remembered`() {
    #expect(
      after(CreatePost.request(Sample.draft), CreatePost.success(Sample.third))
        == PostsState(values: [Sample.first, Sample.third], created: Sample.third))
  }

  @Test func `a created post takes the place of one with its identity`() {
    var corrected = Sample.first
    corrected.title = "On looms"
    let state = PostsState(values: [Sample.first, Sample.second])
    #expect(
      after(CreatePost.success(corrected), from: state).values == [corrected, Sample.second])
  }

  @Test func `a failure to create keeps the values, records the error and counts down`() {
    #expect(
      after(
        CreatePost.request(Sample.draft), CreatePost.request(Sample.draft),
        CreatePost.failure(Sample.refused))
        == PostsState(values: [Sample.first], creating: 1, creationFailure: Sample.refused))
  }

  @Test func `an answer that nobody asked for does not count below nothing`() {
    #expect(after(CreatePost.failure(Sample.refused)).creating == 0)
    #expect(after(CreatePost.success(Sample.third)).creating == 0)
  }

  @Test func `a confirmed post survives the late answer of an older fetch`() {
    // Given a fetch under way, and a post confirmed meanwhile
    let loading = after(
      FetchPosts.request, CreatePost.request(Sample.draft), CreatePost.success(Sample.third))
    // When the answer comes, put together before that post
    let state = after(FetchPosts.success([Sample.first, Sample.second]), from: loading)
    // Then the post is still there
    #expect(state.values == [Sample.first, Sample.second, Sample.third])
    #expect(state.created == Sample.third)
    // And a later answer is believed again.
    #expect(
      after(FetchPosts.request, FetchPosts.success([Sample.first]), from: state).values
        == [Sample.first])
  }

  @Test func `a confirmed post that the answer contains already is there once`() {
    let state = after(
      FetchPosts.request, CreatePost.success(Sample.third),
      FetchPosts.success([Sample.third, Sample.first]))
    #expect(state.values == [Sample.third, Sample.first])
  }

  @Test func `posts confirmed before a request are not added to its answer`() {
    let state = after(
      CreatePost.success(Sample.third), FetchPosts.request, FetchPosts.success([Sample.first]))
    #expect(state.values == [Sample.first])
  }

  @Test func `a failed fetch keeps what was confirmed meanwhile`() {
    let state = after(
      FetchPosts.request, CreatePost.success(Sample.third), FetchPosts.failure(Sample.offline))
    #expect(state.values == [Sample.first, Sample.third])
  }

  @Test func `a failure to create and a failure to fetch are told apart`() {
    // Given a fetch under way, and a post refused meanwhile
    let state = after(FetchPosts.request, CreatePost.failure(Sample.refused))
    // When the fetch succeeds, it has not failed
    let fetched = after(FetchPosts.success([Sample.first]), from: state)
    #expect(fetched.failure == nil)
    // And the refusal stays until another post is sent
    #expect(fetched.creationFailure == Sample.refused)
    #expect(after(FetchPosts.request, from: fetched).creationFailure == Sample.refused)
    #expect(after(CreatePost.request(Sample.draft), from: fetched).creationFailure == nil)
  }
}
