import Posts
import Services
import Store
import Testing

struct UsersReducerTests {
  private let before = UsersState(values: [Sample.ada])

  @Test func `it starts empty`() {
    #expect(UsersState() == UsersState(values: [], isLoading: false, failure: nil))
  }

  @Test(arguments: [
    FetchPosts.request, .success([Sample.first]), .failure(Sample.offline),
  ])
  func `actions about posts leave it unchanged`(action: FetchPosts) {
    #expect(usersReducer(before, action) == before)
  }

  @Test func `a request leaves the values, says that they are loading and forgets the last error`()
  {
    let failed = UsersState(values: [Sample.ada], failure: Sample.offline)
    #expect(
      usersReducer(failed, FetchUsers.request)
        == UsersState(values: [Sample.ada], isLoading: true))
  }

  @Test func `a success replaces the values and ends loading`() {
    let loading = usersReducer(before, FetchUsers.request)
    #expect(
      usersReducer(loading, FetchUsers.success([Sample.grace]))
        == UsersState(values: [Sample.grace]))
  }

  @Test func `a failure keeps the old values, records the error and ends loading`() {
    let loading = usersReducer(before, FetchUsers.request)
    #expect(
      usersReducer(loading, FetchUsers.failure(Sample.offline))
        == UsersState(values: [Sample.ada], failure: Sample.offline))
  }

  @Test func `a success after a failure forgets the error`() {
    let failed = usersReducer(before, FetchUsers.failure(Sample.offline))
    #expect(usersReducer(failed, FetchUsers.success([])) == UsersState())
  }
}
