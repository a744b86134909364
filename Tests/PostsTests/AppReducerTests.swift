import Posts
import Services
import Store
import Testing

struct AppReducerTests {
  private let before = AppState(
    users: UsersState(values: [Sample.grace]), posts: PostsState(values: [Sample.second]))

  @Test func `an app starts without users, posts, requests and errors`() {
    let state = AppState()
    #expect(state.users.values.isEmpty)
    #expect(state.posts.values.isEmpty)
    #expect(!state.users.isLoading && !state.posts.isLoading)
    #expect(state.users.failure == nil && state.posts.failure == nil)
  }

  @Test func `a success of fetching users sets the users and leaves the rest`() {
    var expected = before
    expected.users.values = [Sample.ada, Sample.grace]
    #expect(appReducer(before, FetchUsers.success([Sample.ada, Sample.grace])) == expected)
  }

  @Test func `a success of fetching posts sets the posts and leaves the rest`() {
    var expected = before
    expected.posts.values = [Sample.first, Sample.second]
    #expect(appReducer(before, FetchPosts.success([Sample.first, Sample.second])) == expected)
  }

  @Test func `a success of creating a post adds it and leaves the rest`() {
    var expected = before
    expected.posts.values = [Sample.second, Sample.third]
    expected.posts.created = Sample.third
    #expect(appReducer(before, CreatePost.success(Sample.third)) == expected)
  }

  @Test func `an action of another feature leaves everything`() {
    struct ThemeChanged: Action {}
    #expect(appReducer(before, ThemeChanged()) == before)
  }
}
