internal import FoundationEssentials

extension ServerAnswer {
  /// Reads the body as JSON.
  ///
  /// - Parameters:
  ///   - type: What to read.
  ///   - expected: What that is in the words of a message, such as "an array of posts".
  /// - Returns: What was read.
  /// - Throws: ``DataServiceError/badResponse(location:reason:)``, which names the place in the
  ///   answer and ends with the status, the content type and the beginning of the answer.
  func decode<Value: Decodable>(
    _ type: Value.Type, expected: String
  ) throws(DataServiceError) -> Value {
    guard !isEmpty else { throw unreadable("expected \(expected), found nothing") }
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch let mismatch as AnswerMismatch {
      throw bad(
        mismatch.location, "expected \(mismatch.expected), found \(mismatch.found)")
    } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty {
      throw unreadable("expected \(expected), found \(nonsense)")
    } catch DecodingError.dataCorrupted(let context) {
      throw bad(AnswerMismatch.location(context.codingPath), context.debugDescription)
    } catch {
      // Only the answer as a whole can still be of the wrong kind: everything in it has names for
      // what it expects.
      let kind = (try? JSONDecoder().decode(JSONKind.self, from: Data(body)))?.rawValue
      throw unreadable("expected \(expected), found \(kind ?? nonsense)")
    }
  }

  /// What a body that is not JSON seems to be.
  private var nonsense: String {
    switch firstVisibleByte {
    case UInt8(ascii: "<"): "a web page instead of JSON"
    case UInt8(ascii: "["), UInt8(ascii: "{"): "JSON that is cut off or damaged"
    default: "something that is not JSON"
    }
  }

  /// Returns the error for an answer that cannot be read at all.
  func unreadable(_ reason: String) -> DataServiceError {
    bad("The whole answer", reason)
  }

  private func bad(_ location: String, _ reason: String) -> DataServiceError {
    .badResponse(
      location: location.isEmpty ? "The whole answer" : location, reason: "\(reason); \(summary)")
  }
}
