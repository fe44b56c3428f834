public import Contract

/// What somebody writes to others: plain lines, not nothing, and no longer than it may be.
public struct WrittenText: Sendable {
  /// Characters as a person counts them.
  public let length: Int
  public let scalars: Int
  public let empty: ErrorCode
  public let tooLong: ErrorCode

  public init(length: Int, scalars: Int, empty: ErrorCode, tooLong: ErrorCode) {
    self.length = length
    self.scalars = scalars
    self.empty = empty
    self.tooLong = tooLong
  }

  public func checked(_ text: String) throws -> String {
    // What is taken away at most is white space: twice as much was never a text of this kind.
    guard text.unicodeScalars.count <= 2 * scalars else { throw AppError(tooLong, field: "text") }
    let clean = PlainText.lines(text)
    guard !clean.isEmpty else { throw AppError(empty, field: "text") }
    guard clean.unicodeScalars.count <= scalars, clean.count <= length else {
      throw AppError(tooLong, field: "text")
    }
    return clean
  }
}
