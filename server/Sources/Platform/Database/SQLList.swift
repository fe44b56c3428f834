/// Values for `IN`. Their number is rounded up to a power of two by saying the last one again, so that a
/// database sees few different statements, which it keeps prepared.
public struct SQLList: Sendable {
  /// `(?, ?, …)`
  public let marks: String
  public let values: [SQLValue]

  /// At least one.
  public init(_ texts: [String]) { self.init(values: texts.map(SQLValue.text)) }

  /// At least one.
  public init(_ numbers: [Int64]) { self.init(values: numbers.map(SQLValue.integer)) }

  private init(values given: [SQLValue]) {
    var count = 1
    while count < given.count { count *= 2 }
    values = given + Array(repeating: given.last ?? .null, count: count - given.count)
    marks = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
  }
}

/// A list in portions of 64, 32, 16 and so on, so that a database sees few different statements.
public struct Portions<Item>: Sequence, IteratorProtocol {
  private var rest: ArraySlice<Item>

  public init(_ items: [Item]) { rest = items[...] }

  public mutating func next() -> [Item]? {
    guard !rest.isEmpty else { return nil }
    var count = 64
    while count > rest.count { count /= 2 }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
