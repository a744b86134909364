import Foundation

/// Whether the tests run under the thread sanitizer, which needs memory and files of its own: what
/// measures or limits those would measure the sanitizer.
public let isThreadSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
