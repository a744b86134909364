/// Whether redirects are followed, and how many in a row.
///
/// ```swift
/// request.redirects = .never      // a 3xx is returned
/// request.redirects = .upTo(3)    // the fourth is an error
/// ```
///
/// Followed are 301, 302, 303, 307 and 308 with a `Location` that is an http or https URL, which
/// may be relative; without one, and with any other status, the response is returned.
///
/// - GET and HEAD stay what they are and go anywhere except from https to http.
/// - Other methods follow 307 and 308 to the same origin only: protocol, host and port. They are
///   sent again with method and body. A 303 is returned: they were carried out, and what came of it
///   is elsewhere. Anything else ends in
///   ``HTTPClientError/Kind/redirectRefused(_:status:location:)``, since a POST that became a GET
///   looks like a success.
/// - Once the origin has changed, only the headers `Accept`, `Accept-Charset`, `Accept-Encoding`,
///   `Accept-Language` and `User-Agent` remain. The others, and the user name and password, do not
///   come back, even where a later redirect leads back to the first origin.
/// - A user name and password in a `Location` are never used.
public enum HTTPRedirects: Hashable, Sendable {
  /// A redirect is returned as the response that it is.
  case never
  /// At most so many are followed; one more is ``HTTPClientError/Kind/tooManyRedirects(limit:)``.
  ///
  /// A negative number counts as 0.
  case upTo(Int)
}

extension HTTPClientError {
  /// Why a redirect is not followed although redirects are.
  public enum RedirectRefusal: Hashable, Sendable {
    /// It leads from https to http, where anyone may read along.
    case insecure
    /// The method would have to become GET: 301 or 302 to something other than GET or HEAD.
    case changesMethod
    /// The body, or the wish to change something, would go to another origin.
    case leavesOrigin
  }
}
