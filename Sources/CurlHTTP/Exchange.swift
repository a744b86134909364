/// A request, and where the bodies go to and come from when they are streamed.
struct Exchange: Sendable {
  var request: HTTPRequest
  /// Where the body of the response goes; nil when it is collected.
  var response: ResponseBodyBuffer?
  /// Where the body of the request comes from; nil when the request holds it.
  var upload: RequestBodyBuffer?

  init(
    _ request: HTTPRequest, response: ResponseBodyBuffer? = nil, upload: RequestBodyBuffer? = nil
  ) {
    self.request = request
    self.response = response
    self.upload = upload
  }

  /// Whether it must have a connection that nothing used before it.
  ///
  /// libcurl sends a request again by itself, and reports nothing, when a reused connection closes
  /// before an answer. A connection of its own is the one way to prevent that
  /// (https://github.com/curl/curl/pull/18417). A body that is streamed is there only once, so it
  /// must not be begun on a connection that is about to close.
  var needsOwnConnection: Bool { !request.isRepeatable || upload != nil }
}
