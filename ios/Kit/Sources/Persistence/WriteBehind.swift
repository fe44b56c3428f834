/// Writes one file away from the main thread: values in the order in which they come, and of those that
/// wait only the last.
@MainActor public final class WriteBehind<Value: Codable & Sendable> {
  private let file: StoredFile<Value>
  /// Outer `nil`: nothing waits. Inner `nil`: the file goes.
  private var waiting: Value??
  private var writing: Task<Void, Never>?

  public init(_ file: StoredFile<Value>) { self.file = file }

  public func load() -> Value? { file.load() }

  public func save(_ value: Value?) {
    waiting = .some(value)
    guard writing == nil else { return }
    writing = Task {
      while let next = waiting {
        waiting = nil
        await Self.write(next, to: file)
      }
      writing = nil
    }
  }

  /// Returns once all that was saved is on disk.
  public func settled() async {
    while let writing { await writing.value }
  }

  @concurrent private static func write(_ value: Value?, to file: StoredFile<Value>) async {
    if let value { file.save(value) } else { file.remove() }
  }
}
