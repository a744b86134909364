import CCurl

extension CurlEasy {
  func setTransport(limits: HTTPLimits) throws(CurlSetupError) {
    try unsafe check(ccurl_easy_set_no_signal(handle, 1), "NOSIGNAL")
    // Without it, giving up on a name that is being looked up blocks the loop until the answer.
    try unsafe check(ccurl_easy_set_quick_exit(handle, 1), "QUICK_EXIT")
    // The other limits are `TransferTimer`'s. This one libcurl must know as well, since it divides
    // it among the addresses of a host.
    try unsafe check(
      ccurl_easy_set_connect_timeout_ms(handle, limits.connect.limitInMilliseconds),
      "CONNECTTIMEOUT_MS")
    try unsafe check(ccurl_easy_set_maximum_connection_age(handle, 30), "MAXAGE_CONN")
    // A certificate is looked at once a connection; one that expires must not live on in it.
    try unsafe check(ccurl_easy_set_maximum_connection_lifetime(handle, 600), "MAXLIFETIME_CONN")
    try unsafe check(ccurl_easy_set_suppress_connect_headers(handle, 1), "SUPPRESS_CONNECT_HEADERS")
  }

  func setTLS(_ configuration: HTTPClient.Configuration) throws(CurlSetupError) {
    try unsafe check(ccurl_easy_set_verify_peer(handle, 1), "SSL_VERIFYPEER")
    try unsafe check(ccurl_easy_set_verify_host(handle, 2), "SSL_VERIFYHOST")
    let minimum =
      switch configuration.minimumTLSVersion {
      case .tls1_2: ccurl_tls_1_2
      case .tls1_3: ccurl_tls_1_3
      }
    try unsafe check(ccurl_easy_set_tls_version(handle, minimum), "SSLVERSION")
    // A proxy may be spoken to over TLS, too.
    try unsafe check(ccurl_easy_set_proxy_tls_version(handle, minimum), "PROXY_SSLVERSION")
    if let file = configuration.certificateAuthorityFile {
      try unsafe check(ccurl_easy_set_ca_file(handle, file), "CAINFO")
      // A libcurl that was built with a default folder of authorities would trust those as well.
      try unsafe check(ccurl_easy_set_ca_directory(handle, nil), "CAPATH")
      try unsafe check(ccurl_easy_set_proxy_ca_file(handle, file), "PROXY_CAINFO")
      try unsafe check(ccurl_easy_set_proxy_ca_directory(handle, nil), "PROXY_CAPATH")
    }
  }

  func setTarget(_ url: HTTPURL, proxy: String?) throws(CurlSetupError) {
    try unsafe check(ccurl_easy_set_protocols(handle, "http,https"), "PROTOCOLS_STR")
    try unsafe check(ccurl_easy_set_redirect_protocols(handle, "http,https"), "REDIR_PROTOCOLS_STR")
    try unsafe check(ccurl_easy_set_follow_location(handle, 0), "FOLLOWLOCATION")
    // HTTPURL has resolved dot segments; what is left is meant.
    try unsafe check(ccurl_easy_set_path_as_is(handle, 1), "PATH_AS_IS")
    try unsafe check(ccurl_easy_set_url(handle, url.requestText), "URL")
    try unsafe check(ccurl_easy_set_disallow_username_in_url(handle, 1), "DISALLOW_USERNAME_IN_URL")
    if let credentials = url.credentials {
      try unsafe check(ccurl_easy_set_username(handle, credentials.user), "USERNAME")
      try unsafe check(ccurl_easy_set_password(handle, credentials.password), "PASSWORD")
    }
    // An empty text keeps libcurl from reading the environment and deciding otherwise.
    try unsafe check(ccurl_easy_set_proxy(handle, proxy ?? ""), "PROXY")
    try unsafe check(ccurl_easy_set_no_proxy(handle, ""), "NOPROXY")
  }

  func setMethod(_ order: TransferOrder, limits: HTTPLimits) throws(CurlSetupError) {
    let request = order.request
    // HTTP/2 where the server offers it in the TLS handshake, but not for a response that may pause.
    let version = order.response == nil ? ccurl_http_2_over_tls : ccurl_http_1_1
    try unsafe check(ccurl_easy_set_http_version(handle, version), "HTTP_VERSION")
    if order.response != nil {
      // Large bodies come in fewer reads, the one thing that a fast stream spends its time on.
      try unsafe check(ccurl_easy_set_buffer_size(handle, 128 * 1024), "BUFFERSIZE")
    }
    if order.needsNewConnection {
      try unsafe check(ccurl_easy_set_fresh_connect(handle, 1), "FRESH_CONNECT")
    } else if order.canShareConnection, request.url.scheme == .https {
      // Rather than make a connection it waits for one that is being made, to share it if it turns
      // out to speak HTTP/2. Without TLS nothing is shared, so there it would wait for nothing.
      try unsafe check(ccurl_easy_set_pipe_wait(handle, 1), "PIPEWAIT")
    }
    let bodyLimit = order.response == nil ? limits.bodySize : limits.streamedBodySize
    if let bodyLimit, request.method != .head {
      try unsafe check(
        ccurl_easy_set_maximum_file_size(handle, curl_off_t(bodyLimit)), "MAXFILESIZE_LARGE")
    }
    switch request.method {
    case .get:
      try unsafe check(ccurl_easy_set_http_get(handle, 1), "HTTPGET")
    case .head:
      try unsafe check(ccurl_easy_set_no_body(handle, 1), "NOBODY")
    case .delete where request.body.isEmpty && order.upload == nil:
      try unsafe check(ccurl_easy_set_custom_request(handle, "DELETE"), "CUSTOMREQUEST")
    case .post, .put, .patch, .delete:
      try unsafe check(ccurl_easy_set_post(handle, 1), "POST")
      try setBody(of: order)
      if request.method != .post {
        try unsafe check(
          ccurl_easy_set_custom_request(handle, request.method.rawValue), "CUSTOMREQUEST")
      }
    }
  }

  private func setBody(of order: TransferOrder) throws(CurlSetupError) {
    if let upload = order.upload {
      // Without bytes of a body libcurl asks the read callback for them, in chunks if it is not
      // told how many.
      let size = curl_off_t(upload.length ?? -1)
      return try unsafe check(ccurl_easy_set_post_size(handle, size), "POSTFIELDSIZE_LARGE")
    }
    let body = order.request.body
    try unsafe check(
      ccurl_easy_set_post_size(handle, curl_off_t(body.count)), "POSTFIELDSIZE_LARGE")
    let code = unsafe body.withUnsafeBytes { bytes in
      // An empty array may have no address, and libcurl would then read from its read callback.
      unsafe bytes.isEmpty
        ? ccurl_easy_set_copy_post_fields(handle, "")
        : ccurl_easy_set_copy_post_fields(handle, bytes.baseAddress)  // 5
    }
    try check(code, "COPYPOSTFIELDS")
  }

  func setHeaders(_ request: HTTPRequest) throws(CurlSetupError) {
    // "Name;" is an empty value, "Name:" takes a header of libcurl's own away.
    var lines = request.headers.fields.map { field in
      // The space around a value is not part of it, and a value of nothing else is empty.
      let value = Substring(field.value.utf8.withoutSpaceAround)
      return value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"
    }
    // Otherwise a body of more than 1 MB waits a second for a server that does not know it.
    lines.append("Expect:")
    if request.method.allowsBody && request.headers["Content-Type"] == nil {
      lines.append("Content-Type:")
    }
    for line in lines {
      guard let longer = unsafe curl_slist_append(headerList, line) else {
        throw LibCurl.failure(CURLE_OUT_OF_MEMORY, "curl_slist_append")
      }
      unsafe headerList = unsafe longer
    }
    try unsafe check(ccurl_easy_set_headers(handle, headerList), "HTTPHEADER")
    try unsafe check(ccurl_easy_set_accept_encoding(handle, ""), "ACCEPT_ENCODING")
  }
}
