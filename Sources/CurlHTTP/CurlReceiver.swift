/// Decides about what arrives, on the loop thread, inside `CurlMulti.perform`.
protocol CurlReceiver: AnyObject {
  /// A whole header line came; false ends the transfer.
  func receiveHeaderLine(_ line: [UInt8]) -> Bool
  /// So many bytes of the body came; false throws them away and ends the transfer.
  func receiveBody(count: Int) -> Bool
}
