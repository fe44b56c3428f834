/// Values for `IN`. Their number is rounded up to a power of two by saying the last one again, so that a
/// database sees few different statements, which it keeps prepared.
public struct SQLList: Sendable {
  /// `(?, ?, …)`
  public let marks: String
  public let values: [SQLValue]

  /// At least one.
  public init(_ texts: [String]) {
    var count = 1
    while count < texts.count { count *= 2 }
    let last = texts.last.map(SQLValue.text) ?? .null
    values = texts.map(SQLValue.text) + Array(repeating: last, count: count - texts.count)
    marks = "(" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
  }
}
