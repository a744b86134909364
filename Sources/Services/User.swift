/// Someone who writes posts.
public struct User: Hashable, Identifiable, Sendable {
  /// The identity given by the service.
  public var id: RecordID
  /// The name to show: the server's own display name, or its first and last name joined.
  public var name: String
  /// The first name, where the service gave one; a name is never split to find it.
  public var firstName: String?
  /// The last name, where the service gave one; a name is never split to find it.
  public var lastName: String?
  /// The account name, where the service gave one.
  public var username: String?
  /// The mail address, where the service gave one.
  public var email: String?
  /// The phone number as written, where the service gave one.
  public var phone: String?
  /// The web site as written, where the service gave one.
  public var website: String?

  /// Creates a user.
  public init(
    id: RecordID, name: String, firstName: String? = nil, lastName: String? = nil,
    username: String? = nil, email: String? = nil, phone: String? = nil, website: String? = nil
  ) {
    self.id = id
    self.name = name
    self.firstName = firstName
    self.lastName = lastName
    self.username = username
    self.email = email
    self.phone = phone
    self.website = website
  }
}
