/// A text, or a number in its place.
struct LenientText: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.text = text
    } else if let number = try? container.decode(Int.self) {
      text = "\(number)"
    } else {
      text = "\(try container.decode(Double.self))"
    }
  }
}

extension KeyedDecodingContainer {
  /// Nil also where something else is in its place.
  func text(_ key: Key) -> String? { (try? decodeIfPresent(LenientText.self, forKey: key))?.text }

  /// A number, or a text that is one. Nil where it is not finite.
  func number(_ key: Key) -> Double? {
    guard let number = text(key).flatMap(Double.init), number.isFinite else { return nil }
    return number
  }

  /// Nil also where something else is in its place.
  func lenient<Value: Decodable>(_ key: Key) -> Value? { try? decodeIfPresent(Value.self, forKey: key) }
}
