/// What the exit code of the process says.
///
/// Codes up to 6 are postsctl's own, those from 64 have the meaning of `sysexits.h`. A signal ends
/// the process as that signal, without a code.
enum ExitCode: Int32, CaseIterable, Sendable {
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
  /// The result cannot be written, or the disk under the database is full or fails.
  case outputFailed = 74
  /// The server wants credentials, or refuses those it got.
  case unauthorized = 77
  /// The environment or a configuration file is wrong.
  case badConfiguration = 78
}

extension ExitCode {
  /// What the help says about it.
  var summary: String {
    switch self {
    case .ok: "It was done and printed."
    case .timedOut: "A time limit ended the request."
    case .clientError: "The server refused the request (status 4xx)."
    case .serverError: "The server failed (status 5xx)."
    case .redirect: "The server redirects the request (status 3xx); that is not followed."
    case .usage: "The arguments are wrong."
    case .badResponse: "The server's answer is not what was asked for."
    case .badFile: "The database cannot be used."
    case .unreachable: "The server cannot be reached: name, connection or certificate."
    case .internalFault: "A fault of postsctl's own; please report it."
    case .outputFailed: "The result cannot be written, or the database's disk is full or fails."
    case .unauthorized: "The server wants credentials, or refuses them (status 401, 403)."
    case .badConfiguration: "The environment is wrong."
    }
  }
}
