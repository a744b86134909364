/// Decides about what arrives and gives what is sent, on the loop thread, inside libcurl's
/// callbacks.
protocol CurlReceiver: AnyObject {
  /// A whole header line came; false ends the transfer.
  func receiveHeaderLine(_ line: [UInt8]) -> Bool
  /// So many bytes of the body came.
  func receiveBody(count: Int) -> TransferStateMachine.BodyAction
  /// The next bytes of a streamed request body, no more than `limit`.
  func nextUpload(limit: Int) -> UploadStep
}
