/// Gives one service to many makers of items.
///
/// ```swift
/// let dataServiceSideEffects: [@Sendable (any DataService) -> MiddlewareItem] = [
///   fetchUsers(dataService:), fetchPosts(dataService:), createPost(dataService:),
/// ]
/// let items = injectService(FakeDataService(), into: dataServiceSideEffects)
/// ```
///
/// Several services compose: lists made with different ones are added, and a maker that needs two,
/// written `(A) -> @Sendable (B) -> MiddlewareItem`, is given one after the other.
public func injectService<Service, Item>(
  _ service: @autoclosure () -> Service, into makers: [@Sendable (Service) -> Item]
) -> [Item] {
  // The service is a closure, which is called once, so that its type is found last: what the makers
  // take decides, and the service is converted to that. Were it a plain argument, the compiler would
  // take its type for `Service` and convert the array of functions at run time, which fails.
  let service = service()
  return makers.map { $0(service) }
}

/// Gives one service to many makers of items that are not `@Sendable`.
@_disfavoredOverload
public func injectService<Service, Item>(
  _ service: @autoclosure () -> Service, into makers: [(Service) -> Item]
) -> [Item] {
  let service = service()
  return makers.map { $0(service) }
}
