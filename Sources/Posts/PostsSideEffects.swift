public import Middleware
public import Services
import SideEffects

/// The effects of the feature, each waiting for its service.
///
/// ```swift
/// createMiddleware(items: injectService(service, into: dataServiceSideEffects))
/// ```
public let dataServiceSideEffects: ServiceReceivers<any DataService, MiddlewareItem> = [
  fetchUsers(dataService:), fetchPosts(dataService:), createPost(dataService:),
]

/// Answers `FetchUsers.request`; only the latest request counts, and those in flight share a call.
public func fetchUsers(dataService: any DataService) -> MiddlewareItem {
  .request(FetchUsers.self, .latest, shared: true, dataService.fetchUsers)
}

/// Answers `FetchPosts.request`; only the latest request counts, and those in flight share a call.
public func fetchPosts(dataService: any DataService) -> MiddlewareItem {
  .request(FetchPosts.self, .latest, shared: true, dataService.fetchPosts)
}

/// Answers each `CreatePost.request` with one call of the service, one after the other; none is made
/// again, because that could post twice.
public func createPost(dataService: any DataService) -> MiddlewareItem {
  .request(CreatePost.self, .queue, dataService.createPost)
}
