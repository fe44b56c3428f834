internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// A small body that a request brings as JSON.
enum JSONBody {
  /// NB: another type than JSON is refused, since a browser sends a form or plain text to any site without asking it.
  static func read<Value: Decodable>(
    _ type: Value.Type, of request: Request, as mediaType: String = "application/json", _ shape: String
  ) async throws -> Value {
    guard request.mediaType == mediaType else { throw AppError(.contentTypeUnsupported) }
    var bytes = Data()
    for try await piece in request.body {
      guard bytes.count + piece.readableBytes <= Limits.bodyBytes else { throw AppError(.bodyTooLarge) }
      bytes.append(contentsOf: piece.readableBytesView)
    }
    do {
      return try WireCoding.decode(type, from: bytes)
    } catch {
      let field = Self.field(of: error).map { " Look at \($0)." } ?? ""
      throw AppError(.requestRefused, "The body must be \(shape).\(field)")
    }
  }

  /// Where in the body something is wrong, as `events[2].kind`; nil if it is the whole.
  private static func field(of error: any Error) -> String? {
    let path: [any CodingKey]
    switch error {
    case DecodingError.keyNotFound(let key, let context): path = context.codingPath + [key]
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      path = context.codingPath
    default: return nil
    }
    let text = path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + snakeCase(key.stringValue)
      }
    }
    return text.isEmpty ? nil : text
  }

  private static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}

extension Request {
  /// Content-Type without its parameters, in lower case.
  var mediaType: String? {
    headers[.contentType]?.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
  }

  /// Throws `invalid_idempotency_key` if there is none, or none that can be one.
  func idempotencyKey() throws -> String {
    let key = headers[.idempotencyKey] ?? ""
    guard Limits.idempotencyKeyLength.contains(key.utf8.count),
      key.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) })
    else { throw AppError(.invalidIdempotencyKey) }
    return key
  }
}
