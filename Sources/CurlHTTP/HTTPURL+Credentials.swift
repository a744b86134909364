extension HTTPURL {
  /// Whether the text of the URL named a user, with or without a password.
  package var hasCredentials: Bool { credentials != nil }
}
