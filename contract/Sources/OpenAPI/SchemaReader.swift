internal import Foundation

/// Reads the schema of a type by having it decode itself: the decoder here answers everything that is asked
/// of it, and writes down what was asked, and whether it had to be there.
enum SchemaReader {
  static func read<Value: Decodable>(_ type: Value.Type) -> Schema {
    do {
      return try made(type).schema
    } catch {
      // A programmer's error: such as an enum that is not CaseIterable, whose values nobody can tell.
      fatalError("\(type) cannot be described: \(error)")
    }
  }

  fileprivate static func made<Value: Decodable>(_ type: Value.Type) throws -> (schema: Schema, value: Value)
  {
    func give(_ schema: Schema, _ value: Any) throws -> (Schema, Value) {
      guard let value = value as? Value else { throw Undescribable(type: "\(type)") }
      return (schema, value)
    }
    switch type {
    case is String.Type: return try give(.string, "")
    case is Int.Type: return try give(.integer, 0)
    case is Int64.Type: return try give(.integer, Int64(0))
    case is Double.Type: return try give(.number, 0.0)
    case is Bool.Type: return try give(.boolean, false)
    case is Date.Type: return try give(.instant, Date(timeIntervalSince1970: 0))
    case let list as any ListOfDecodable.Type:
      let made = try list.made()
      return try give(made.schema, made.value)
    case let choice as any (CaseIterable & RawRepresentable).Type:
      let (names, first) = try choices(of: choice)
      return try give(.choice(name: name(of: type), of: names), first)
    default:
      let log = Log(name: name(of: type))
      let value = try type.init(from: Recorder(log: log))
      return (
        log.single
          ?? .object(.init(name: log.name, properties: log.properties, needs: Note.needs[log.name] ?? [])),
        value
      )
    }
  }

  private static func choices<Choice: CaseIterable & RawRepresentable>(of type: Choice.Type) throws -> (
    [String], Any
  ) {
    let names = type.allCases.compactMap { $0.rawValue as? String }
    guard let first = type.allCases.first, names.count == type.allCases.count else {
      throw Undescribable(type: "\(type)")
    }
    return (names, first)
  }

  /// `Contract.UploadStatus.State` is `UploadStatusState`, and `Contract.Page<Contract.Clip>` is `ClipPage`.
  private static func name(of type: Any.Type) -> String {
    String(reflecting: type).split { $0 == "<" || $0 == ">" }.reversed().map { part in
      part.split(separator: ".").dropFirst().joined()
    }.joined()
  }

  private struct Undescribable: Error { let type: String }
}

/// What one type asked for.
private final class Log {
  let name: String
  var properties: [Schema.Property] = []
  var single: Schema?
  /// The key that was just asked about: `decodeIfPresent` asks whether it is there before it decodes.
  var asked: String?

  init(name: String) { self.name = name }

  func add(_ key: any CodingKey, _ schema: Schema) {
    let wire = WireName.snake(key.stringValue)
    let note = Note.of(wire, in: name)
    var schema = schema
    if case .list(let item, _) = schema { schema = .list(item, Note.of("\(wire).*", in: name)) }
    if case .string = schema, let choices = note.choices { schema = .choice(name: "", of: choices) }
    properties.append(
      .init(name: wire, schema: schema, isRequired: note.isDemanded || asked != key.stringValue, note: note))
    asked = nil
  }
}

/// A list, whatever is in it. Its own decoding would ask for no item, as there is none.
private protocol ListOfDecodable {
  static func made() throws -> (schema: Schema, value: Any)
}

extension Array: ListOfDecodable where Element: Decodable {
  fileprivate static func made() throws -> (schema: Schema, value: Any) {
    (.list(try SchemaReader.made(Element.self).schema, Note()), [Element]())
  }
}

extension Dictionary: ListOfDecodable where Key == String, Value: Decodable {
  fileprivate static func made() throws -> (schema: Schema, value: Any) {
    (.map(try SchemaReader.made(Value.self).schema), [String: Value]())
  }
}

private struct Recorder: Decoder {
  let log: Log
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(log: log))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoSuchContainer() }
  func singleValueContainer() -> any SingleValueDecodingContainer { Single(log: log) }
}

private struct NoSuchContainer: Error {}

private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let log: Log
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool {
    log.asked = key.stringValue
    return true
  }

  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let asked = log.asked
    let (schema, value) = try SchemaReader.made(type)
    log.asked = asked
    log.add(key, schema)
    return value
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { throw NoSuchContainer() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw NoSuchContainer()
  }
  func superDecoder() throws -> any Decoder { throw NoSuchContainer() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw NoSuchContainer() }
}

private struct Single: SingleValueDecodingContainer {
  let log: Log
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (schema, value) = try SchemaReader.made(type)
    log.single = schema
    return value
  }
}
