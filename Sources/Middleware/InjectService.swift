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
public func injectService<Service, Item, Makers: Sequence>(
  _ service: Service, into makers: Makers
) -> [Item] where Makers.Element == @Sendable (Service) -> Item {
  // The type of the elements is exact, so that `Service` is what they take. Had the list the type
  // `[(Service) -> Item]`, the compiler would take the type of the argument instead, and convert the
  // functions at run time, which fails.
  makers.map { $0(service) }
}

/// Gives one service to many makers of items that are not `@Sendable`.
@_disfavoredOverload
public func injectService<Service, Item, Makers: Sequence>(
  _ service: Service, into makers: Makers
) -> [Item] where Makers.Element == (Service) -> Item {
  makers.map { $0(service) }
}
