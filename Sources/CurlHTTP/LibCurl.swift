import CCurl

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Every call to libcurl is in this file, `CurlEasy.swift` and `CurlEasy+Options.swift`, and with them
// every `unsafe` of this module but those that `LoopThread` needs. It is sound for these reasons, to
// which the code refers by number:
//
// 1. One thread. `CurlMulti` and `CurlEasy` are not Sendable. They are made in the function that
//    the loop thread runs and never leave it, so each handle is used by one thread only, which is
//    what libcurl-thread(3) asks for.
// 2. The one exception, `CurlWakeup`, calls nothing but curl_multi_wakeup, which "can be called
//    from any thread" while the multi handle lives. `close` takes the pointer away under the lock
//    that `wake` holds for its call, and `CurlMulti.deinit` closes before it cleans up.
// 3. Callbacks. libcurl calls them inside `perform` and `CurlEasy.resume` only, thus on the loop
//    thread. Their context is an unretained `CurlEasy`, which `CurlMulti.active` keeps alive from
//    `add` to `remove`, and which whoever calls `resume` holds. They call no libcurl function;
//    libcurl would refuse it. They pause a transfer by what they return.
// 4. Order of release. An easy handle is removed from its multi handle before it is cleaned up
//    (`active` holds it till then); the error buffer and the header list, which libcurl reads until
//    the cleanup, are freed after it; the multi handle goes last. Each transfer has a handle of its
//    own: libcurl 7.88 crashes with handles that are reset and used again after damaged responses.
// 5. Copies. libcurl copies every string option; the body is copied by COPYPOSTFIELDS, whose size
//    is set before it. What a callback is given is copied before it returns, and what it gives is
//    copied into libcurl's buffer, never more than the room that libcurl states.
// 6. The environment is read with getenv when a client is made, and copied at once. A program that
//    calls setenv at that moment on another thread has a data race of its own making.
// 7. Sockets. libcurl gives the callbacks that open and close them an unretained `CurlSockets`, which
//    `CurlMulti` holds until it has cleaned up, and with it all connections.

/// The process-wide side of libcurl.
enum LibCurl {
  /// Prepares libcurl once for the process; nil when it is ready.
  ///
  /// It is never undone: curl_global_cleanup must not run while any thread may use libcurl, and
  /// only the program could know.
  static let setupError: CurlSetupError? = {
    ccurl_keep_openssl_until_exit()
    let code = curl_global_init(ccurl_global_all)
    // After libcurl, which does the same only around its own calls.
    ccurl_ignore_sigpipe()
    return code == CURLE_OK ? nil : failure(code, "curl_global_init")
  }()

  /// The value of an environment variable, or nil if it is not set or empty.
  static func environmentVariable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }  // 6
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  static func failure(_ code: CURLcode, _ what: String) -> CurlSetupError {
    CurlSetupError(code: Int(code.rawValue), message: text(for: code), what: what)
  }

  static func text(for code: CURLcode) -> String {
    unsafe curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
  }
}

/// Wakes the loop thread out of `CurlMulti.poll`, from any thread.
final class CurlWakeup: Sendable {
  private let address: Lock<UInt?>

  fileprivate init(_ multi: UnsafeMutableRawPointer) { address = Lock(UInt(bitPattern: multi)) }

  /// Ends the current poll, or the next; does nothing once the handle is closed.
  func wake() {
    address.withLock { address in
      guard let address else { return }
      _ = unsafe curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))  // 2
    }
  }

  fileprivate func close() { address.withLock { $0 = nil } }
}

/// The transfers that libcurl works on, with their connections.
@safe
final class CurlMulti {
  private let multi: UnsafeMutableRawPointer
  private var active: [UInt: CurlEasy] = [:]
  let wakeup: CurlWakeup
  /// Those of its connections, which end in `deinit` at the latest.
  let sockets = CurlSockets()

  init(connectionsPerHost: Int, connections: Int) throws(CurlSetupError) {
    if let error = LibCurl.setupError { throw error }
    guard let multi = unsafe curl_multi_init() else {
      throw LibCurl.failure(CURLE_OUT_OF_MEMORY, "curl_multi_init")
    }
    unsafe self.multi = unsafe multi
    wakeup = unsafe CurlWakeup(multi)
    // `ConnectionSlots` admits no more requests than this; here idle connections count as well.
    unsafe ccurl_multi_set_maximum_host_connections(multi, connectionsPerHost)
    unsafe ccurl_multi_set_maximum_total_connections(multi, connections)
    unsafe ccurl_multi_set_connection_cache_size(multi, connections)
  }

  deinit {
    for easy in active.values { unsafe curl_multi_remove_handle(multi, easy.handle) }
    active = [:]  // 4
    wakeup.close()  // 2
    unsafe curl_multi_cleanup(multi)
  }

  /// Begins a transfer; its callbacks come from `perform`.
  func add(_ easy: CurlEasy) throws(CurlSetupError) {
    active[easy.address] = easy
    let code = unsafe curl_multi_add_handle(multi, easy.handle)
    guard code == CURLM_OK else {
      active[easy.address] = nil
      let message = unsafe curl_multi_strerror(code).map { unsafe String(cString: $0) } ?? ""
      throw CurlSetupError(code: Int(code.rawValue), message: message, what: "add_handle")
    }
  }

  /// Ends a transfer, finished or not.
  ///
  /// No callback of it comes afterwards.
  func remove(_ easy: CurlEasy) {
    unsafe curl_multi_remove_handle(multi, easy.handle)
    active[easy.address] = nil
  }

  /// Does what can be done without waiting.
  func perform() {
    var running: Int32 = 0
    unsafe curl_multi_perform(multi, &running)
  }

  /// The next transfer that is over, removed, with its outcome; nil when there is none.
  func nextFinished() -> (easy: CurlEasy, outcome: TransferOutcome)? {
    var handle: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while unsafe ccurl_multi_next_finished(multi, &handle, &code) != 0 {
      guard let easy = active[UInt(bitPattern: handle)] else { continue }
      let outcome = easy.outcome(code)
      remove(easy)
      return (easy, outcome)
    }
    return nil
  }

  /// Waits for the network, for `wakeup`, or for the time to pass.
  func poll(milliseconds: Int32) {
    unsafe curl_multi_poll(multi, nil, 0, milliseconds, nil)
  }
}
