/// What libcurl refused while a handle was being set up.
struct CurlSetupError: Error {
  /// libcurl's code.
  var code: Int
  /// libcurl's text for the code.
  var message: String
  /// The option or function that was refused.
  var what: String
}
