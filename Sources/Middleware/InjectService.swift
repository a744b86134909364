/// Functions that each make an item as soon as they are given their service.
///
/// Written as an array:
///
/// ```swift
/// let dataServiceSideEffects: ServiceReceivers<any DataService, MiddlewareItem> = [
///   fetchUsers(dataService:), fetchPosts(dataService:), createPost(dataService:),
/// ]
/// ```
///
/// It is not an array, because the compiler converts an array of functions of `any DataService`
/// into one of functions of the service at hand, and does that at run time, where functions cannot
/// be converted: the program would stop.
public struct ServiceReceivers<Service, Item>: Sendable, ExpressibleByArrayLiteral {
  private let receivers: [@Sendable (Service) -> Item]

  /// Creates a list of functions of one service.
  public init(arrayLiteral receivers: (@Sendable (Service) -> Item)...) {
    self.receivers = receivers
  }

  private init(_ receivers: [@Sendable (Service) -> Item]) { self.receivers = receivers }

  /// Returns the functions of both lists, in order.
  public static func + (first: Self, second: Self) -> Self {
    Self(first.receivers + second.receivers)
  }

  fileprivate func receive(_ service: Service) -> [Item] { receivers.map { $0(service) } }

  fileprivate func receive<Next, Made>(
    _ service: Service
  ) -> ServiceReceivers<Next, Made> where Item == @Sendable (Next) -> Made {
    ServiceReceivers<Next, Made>(receive(service) as [@Sendable (Next) -> Made])
  }
}

/// Gives one service to many makers of items, and returns what they made, in their order.
///
/// ```swift
/// createMiddleware(items: injectService(FakeDataService(), into: dataServiceSideEffects))
/// ```
///
/// Several services compose: lists made with different ones are added.
public func injectService<Service, Item>(
  _ service: Service, into receivers: ServiceReceivers<Service, Item>
) -> [Item] {
  receivers.receive(service)
}

/// Gives the first of two services to makers of items that need both.
///
/// ```swift
/// func refresh(dataService: any DataService) -> @Sendable (any Clock<Duration>) -> MiddlewareItem
///
/// injectService(ContinuousClock(), into: injectService(FakeDataService(), into: [refresh]))
/// ```
public func injectService<Service, Next, Item>(
  _ service: Service, into receivers: ServiceReceivers<Service, @Sendable (Next) -> Item>
) -> ServiceReceivers<Next, Item> {
  receivers.receive(service)
}
