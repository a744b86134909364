public import Synchronization

/// What a store is reducing, to be named if that calls the store.
///
/// It is written in each dispatch and read hardly ever, by the thread that wrote it: words that are
/// stored, where a lock or a task-local value would cost a fifth of the dispatch
/// (`store.dispatch`).
@usableFromInline
struct ReductionMark: ~Copyable, Sendable {
  @usableFromInline let thread = ThreadMark()
  /// The address of the metadata of the action's type; zero for code that no action caused.
  @usableFromInline let type = Atomic<UInt>(0)
  @usableFromInline let number = Atomic<UInt64>(0)
  /// The address of the file's name, which is a literal.
  @usableFromInline let file = Atomic<UInt>(0)
  @usableFromInline let fileLength = Atomic<Int>(0)
  @usableFromInline let line = Atomic<UInt>(0)

  @inlinable
  init() {}

  @inlinable
  func set(_ action: any Action.Type, _ identity: DispatchIdentity) {
    type.store(UInt(bitPattern: ObjectIdentifier(action)), ordering: .relaxed)
    number.store(identity.number, ordering: .relaxed)
    let name = identity.source.fileID
    if name.hasPointerRepresentation {
      // The address is only taken here.
      file.store(unsafe UInt(bitPattern: name.utf8Start), ordering: .relaxed)
      fileLength.store(name.utf8CodeUnitCount, ordering: .relaxed)
    } else {
      fileLength.store(0, ordering: .relaxed)
    }
    line.store(identity.source.line, ordering: .relaxed)
    thread.set()
  }

  /// Marks code that no action caused: a selector by itself, or what a release runs.
  @inlinable
  func set() {
    type.store(0, ordering: .relaxed)
    thread.set()
  }

  @inlinable
  func clear() { thread.clear() }

  /// The action, its number and its line, for the marked thread; nil if no action caused what runs.
  var description: String? {
    let address = type.load(ordering: .relaxed)
    guard address != 0 else { return nil }
    // It is the address of a type's metadata, as `set` stored it, and those are never freed.
    let action = unsafe unsafeBitCast(address, to: Any.Type.self)
    // It is the address of a literal, which lives as long as the program, with its length.
    let name = unsafe UnsafeBufferPointer(
      start: UnsafePointer<UInt8>(bitPattern: file.load(ordering: .relaxed)),
      count: fileLength.load(ordering: .relaxed))
    let file = unsafe String(decoding: name, as: UTF8.self)
    let (number, line) = (number.load(ordering: .relaxed), line.load(ordering: .relaxed))
    return "\(action) (dispatch #\(number) at \(file):\(line))"
  }
}
