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

/// Answers `FetchUsers.request`; only the latest request counts.
public func fetchUsers(dataService: any DataService) -> MiddlewareItem {
  .request(FetchUsers.self, .latest, dataService.fetchUsers)
}

/// Answers `FetchPosts.request`; only the latest request counts.
public func fetchPosts(dataService: any DataService) -> MiddlewareItem {
  .request(FetchPosts.self, .latest, dataService.fetchPosts)
}

/// Answers each `CreatePost.request` with one call of the service.
public func createPost(dataService: any DataService) -> MiddlewareItem {
  .request(CreatePost.self, .every, dataService.createPost)
}
