/// Which dispatch this is, what caused it, and where in the source it was made.
///
/// Every dispatch has one. Ordinary code never mentions it; logs, links of the chain, recorders and
/// diagnostics do.
public struct DispatchIdentity: Sendable {
  /// The number of this dispatch, counted from 1 in each store.
  public let number: UInt64
  /// What made this dispatch.
  public let cause: Cause
  /// The line that made this dispatch.
  public let source: SourceLine
  /// How many dispatches led to this one, each made because of the one before.
  @usableFromInline let generation: UInt32

  /// What made a dispatch.
  public enum Cause: Sendable {
    /// Code that holds the store: a view, an observer, a test.
    case caller
    /// A link or an item that was handling the dispatch of this number.
    case dispatch(UInt64)
    /// A running effect.
    case effect(EffectName, number: UInt64)
  }

  @inlinable
  init(number: UInt64, cause: Cause, source: SourceLine, generation: UInt32) {
    self.number = number
    self.cause = cause
    self.source = source
    self.generation = generation
  }
}

extension DispatchIdentity.Cause: Equatable {}

extension DispatchIdentity: CustomStringConvertible {
  /// The number, the cause and the line, as diagnostics print them.
  public var description: String {
    switch cause {
    case .caller: "dispatch #\(number) at \(source)"
    case .dispatch(let parent): "dispatch #\(number) at \(source), while handling #\(parent)"
    case .effect(let name, _): "dispatch #\(number) at \(source), from effect ‘\(name)’"
    }
  }
}

/// A line of source code.
public struct SourceLine: Sendable, CustomStringConvertible {
  /// The module and the file, as in `MyApp/Counter.swift`.
  public let fileID: StaticString
  /// The line, counted from 1.
  public let line: UInt

  /// Creates a source line; without arguments, that of the caller.
  @inlinable
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    self.fileID = fileID
    self.line = line
  }

  /// The file and the line, as in `MyApp/Counter.swift:12`.
  public var description: String { "\(fileID):\(line)" }
}

/// The name of an effect: that of the function that makes it, unless it was given another.
public struct EffectName: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  @usableFromInline let text: StaticString

  /// Creates a name from a literal.
  @inlinable
  public init(stringLiteral value: StaticString) { text = value }

  /// Creates a name from a literal or from `#function`.
  @inlinable
  public init(_ text: StaticString) { self.text = text }

  /// The name, without the argument labels that `#function` adds.
  public var description: String {
    String(text.description.prefix { $0 != "(" })
  }

  /// Two names are equal when they read the same.
  public static func == (first: EffectName, second: EffectName) -> Bool {
    first.description == second.description
  }

  /// Hashes what the name reads.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}
