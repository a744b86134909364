/// What the exit code of the process says.
///
/// Codes up to 6 are postsctl's own, those from 64 have the meaning of `sysexits.h`. A signal ends
/// the process as that signal, without a code.
enum ExitCode: Int32, Sendable {
  /// It was done and printed.
  case ok = 0
  /// A time limit ended the request.
  case timedOut = 2
  /// The server refused the request with a status of 4xx.
  case clientError = 4
  /// The server failed with a status of 5xx.
  case serverError = 5
  /// The server sent the request elsewhere, and it was not followed.
  case redirect = 6
  /// The arguments are wrong.
  case usage = 64
  /// The server answered with something else than what was asked for.
  case badResponse = 65
  /// A file that was named cannot be used.
  case badFile = 66
  /// The server cannot be reached.
  case unreachable = 69
  /// A fault of postsctl's own.
  case internalFault = 70
  /// The result cannot be written.
  case outputFailed = 74
  /// The server wants credentials, or refuses those it got.
  case unauthorized = 77
  /// The environment or a configuration file is wrong.
  case badConfiguration = 78
}
