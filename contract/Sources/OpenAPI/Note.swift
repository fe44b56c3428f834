public import Contract

/// What a type does not say about a value: how long, how large, how spelled, and with which code it is
/// refused otherwise.
public struct Note: Sendable, Equatable {
  public var about: String?
  /// Of an integer, or of the count of a text's Unicode scalars or of a list's items.
  public var range: ClosedRange<Int>?
  public var spelling: Spelling?
  /// For a text whose values are known though its type does not say so.
  public var choices: [String]?
  /// Written as `null` where it is not there, instead of being left out.
  public var isAlwaysThere = false
  /// Demanded of requests, though the type does not demand it, since it serves others too.
  public var isDemanded = false
  /// The codes of what is below and above the range, or spelled otherwise.
  public var tooLittle = ErrorCode.invalidParameter
  public var tooMuch = ErrorCode.invalidParameter
  /// False: the feature looks, since it answers with more than a code.
  public var isChecked = true

  public init(
    _ about: String? = nil, range: ClosedRange<Int>? = nil, spelling: Spelling? = nil,
    choices: [String]? = nil,
    isAlwaysThere: Bool = false, isDemanded: Bool = false, tooLittle: ErrorCode = .invalidParameter,
    tooMuch: ErrorCode = .invalidParameter, isChecked: Bool = true
  ) {
    self.about = about
    self.range = range
    self.spelling = spelling
    self.choices = choices
    self.isAlwaysThere = isAlwaysThere
    self.isDemanded = isDemanded
    self.tooLittle = tooLittle
    self.tooMuch = tooMuch
    self.isChecked = isChecked
  }

  func violation(in text: String, at path: FieldPath) -> Violation? {
    if let choices, isChecked, !choices.contains(text) {
      return Violation(
        field: path.text,
        message: "\(path.text ?? "The text") must be one of \(choices.joined(separator: ", ")).",
        code: tooMuch)
    }
    if let spelling, isChecked, !spelling.matches(text) {
      return Violation(
        field: path.text, message: "\(path.text ?? "The text") must be \(spelling.words).", code: tooLittle)
    }
    return outside(text.unicodeScalars.count, "characters", at: path)
  }

  func violation(in number: Int64, at path: FieldPath) -> Violation? {
    outside(Int(clamping: number), nil, at: path)
  }

  func violation(in number: Double, at path: FieldPath) -> Violation? {
    guard isChecked, let range, !(Double(range.lowerBound)...Double(range.upperBound)).contains(number) else {
      return nil
    }
    let code = number < Double(range.lowerBound) ? tooLittle : tooMuch
    return Violation(
      field: path.text,
      message: "\(path.text ?? "The body") must be a number from \(range.lowerBound) to \(range.upperBound).",
      code: code)
  }

  func violation(inCount count: Int, at path: FieldPath) -> Violation? { outside(count, "items", at: path) }

  private func outside(_ count: @autoclosure () -> Int, _ unit: String?, at path: FieldPath) -> Violation? {
    guard isChecked, let range else { return nil }
    let count = count()
    guard !range.contains(count) else { return nil }
    let isLow = count < range.lowerBound
    let code = isLow ? tooLittle : tooMuch
    // The table's own sentence, where a code is made for this.
    let field = path.text ?? "The body"
    let general =
      unit.map { "\(field) must have \(range.lowerBound) to \(range.upperBound) \($0)." }
      ?? "\(field) must be a number from \(range.lowerBound) to \(range.upperBound)."
    let isGeneral = code == .invalidParameter || code == .requestRefused
    return Violation(field: path.text, message: isGeneral ? general : code.message, code: code)
  }
}
