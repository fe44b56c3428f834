public import Foundation

/// The one JSON coder of the wire: snake_case keys, RFC 3339 dates, sorted keys (the same value gives the
/// same bytes).
public enum WireCoding {
  public static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
  }

  public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws
    -> Value
  {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: data)
  }
}
