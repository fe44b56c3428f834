internal import Foundation

extension JSON {
  /// This value as a type of the wire, by the rules of `WireCoding`: names in snake_case, dates of RFC 3339.
  /// So what was checked is what is taken, and a body is read once. Throws `DecodingError`.
  public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try ValueDecoder(value: self, place: .top).decode(type)
  }
}

extension DecodingError {
  /// The place that could not be read, as the wire names it: `details.tags[0]`; nil for the whole.
  public var field: String? {
    let keys: [any CodingKey] =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        context.codingPath
      case .keyNotFound(let key, let context): context.codingPath + [key]
      @unknown default: []
      }
    var path = FieldPath()
    for key in keys {
      if let place = key.intValue { path.enter(place) } else { path.enter(WireName.snake(key.stringValue)) }
    }
    return path.text
  }
}

/// Where a value stands. Its keys are put together only for an error.
private indirect enum CodingPlace {
  case top
  case inside(CodingPlace, any CodingKey)

  var keys: [any CodingKey] {
    switch self {
    case .top: []
    case .inside(let outer, let key): outer.keys + [key]
    }
  }
}

private struct PlainKey: CodingKey {
  private let name: String
  let intValue: Int?

  var stringValue: String { intValue.map { "[\($0)]" } ?? name }

  init(stringValue: String) { (name, intValue) = (stringValue, nil) }
  init(intValue: Int) { (name, self.intValue) = ("", intValue) }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: JSON
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.keys }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: JSON].self) }
    return KeyedDecodingContainer(Keyed<Key>(members: members, place: place))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let items) = value else { throw mismatch([JSON].self) }
    return Unkeyed(items: items, place: place)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool {
    if case .null = value { true } else { false }
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let text) = value else { throw mismatch(type) }
    return text
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let isTrue) = value else { throw mismatch(type) }
    return isTrue
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .integer(let number): return Double(number)
    case .decimal(let number): return number
    default: throw mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    guard case .integer(let number) = value else { throw mismatch(type) }
    guard let number = Number(exactly: number) else { throw corrupted("It is no number of \(type).") }
    return number
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // Its own decoding would ask for a number.
    guard type == Date.self else { return try type.init(from: self) }
    guard let date = try? Date(try decode(String.self), strategy: .iso8601), let date = date as? Value else {
      throw corrupted("It is no date and time of RFC 3339.")
    }
    return date
  }

  private func mismatch(_ type: Any.Type) -> DecodingError {
    let context = DecodingError.Context(codingPath: codingPath, debugDescription: "It is no \(type).")
    return decodeNil() ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  private func corrupted(_ reason: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
  }
}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [JSON.Member]
  let place: CodingPlace

  var codingPath: [any CodingKey] { place.keys }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { decoder(for: key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try required(key).decodeNil() }

  func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key).decode(type) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try required(key).decode(type) }

  func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type, forKey key: Key) throws -> Number {
    try required(key).decode(type)
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try required(key).decode(type)
  }

  // Looked for once; what is left to its default, such as Bool, three times.
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try present(key)?.decode(type)
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try present(key)?.decode(type) }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try present(key)?.decode(type)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try present(key)?.decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try required(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try required(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try required(PlainKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try required(key) }

  private func decoder(for key: some CodingKey) -> ValueDecoder? {
    let name = WireName.snake(key.stringValue)
    guard let member = members.first(where: { $0.wireName == name }) else { return nil }
    return ValueDecoder(value: member.value, place: .inside(place, key))
  }

  private func required(_ key: some CodingKey) throws -> ValueDecoder {
    if let decoder = decoder(for: key) { return decoder }
    throw DecodingError.keyNotFound(
      key, .init(codingPath: codingPath, debugDescription: "There is no \(key.stringValue)."))
  }

  /// Nil if it is not there, or null.
  private func present(_ key: Key) -> ValueDecoder? {
    guard let decoder = decoder(for: key), !decoder.decodeNil() else { return nil }
    return decoder
  }
}

private struct Unkeyed: UnkeyedDecodingContainer {
  let items: [JSON]
  let place: CodingPlace
  private(set) var currentIndex = 0

  init(items: [JSON], place: CodingPlace) { (self.items, self.place) = (items, place) }

  var codingPath: [any CodingKey] { place.keys }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try next(Any?.self).decodeNil()
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.decode(type) } }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try take(type) { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try take(type) { try $0.decode(type) } }

  mutating func decode<Number: FixedWidthInteger & Decodable>(_ type: Number.Type) throws -> Number {
    try take(type) { try $0.decode(type) }
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try take(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try take([String: JSON].self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take([JSON].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try take(JSON.self) { $0 } }

  private mutating func take<Value>(
    _ type: Any.Type, _ read: (ValueDecoder) throws -> Value
  ) throws -> Value {
    let value = try read(next(type))
    currentIndex += 1
    return value
  }

  private func next(_ type: Any.Type) throws -> ValueDecoder {
    let place = CodingPlace.inside(place, PlainKey(intValue: currentIndex))
    guard items.indices.contains(currentIndex) else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: place.keys, debugDescription: "The list is at its end."))
    }
    return ValueDecoder(value: items[currentIndex], place: place)
  }
}
