internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import OpenAPI
internal import Platform

/// A small body that a request brings as JSON.
enum JSONBody {
  /// NB: another type than JSON is refused, since a browser sends a form or plain text to any site without
  /// asking it.
  static func read<Value: Decodable>(
    _ type: Value.Type, of request: Request, as mediaType: String = "application/json"
  ) async throws -> Value {
    guard request.mediaType == mediaType else {
      throw AppError(
        .contentTypeUnsupported, "This address takes a body of type \(mediaType).", field: "Content-Type")
    }
    return try value(type, from: try await bytes(of: request))
  }

  /// Nil if there is no body.
  static func readIfAny<Value: Decodable>(_ type: Value.Type, of request: Request) async throws -> Value? {
    let bytes = try await bytes(of: request)
    guard !bytes.isEmpty else { return nil }
    guard request.mediaType == "application/json" else {
      throw AppError(.contentTypeUnsupported, field: "Content-Type")
    }
    return try value(type, from: bytes)
  }

  private static func bytes(of request: Request) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in request.body {
      guard bytes.count + piece.readableBytes <= Limits.bodyBytes else { throw AppError(.bodyTooLarge) }
      bytes += piece.readableBytesView
    }
    return bytes
  }

  /// The body, held against the very schema that the OpenAPI document shows of it, and then taken as it was
  /// read.
  static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    do {
      let json = try JSONReader.read(bytes)
      if let wrong = Operation.schema(ofBody: type)?.violation(in: json) { throw AppError(wrong) }
      return try json.decoded(as: type)
    } catch let fault as JSONReader.Fault {
      throw AppError(.requestRefused, fault.message, field: fault.field)
    } catch let error as DecodingError {
      // What no schema says, such as a day that does not exist.
      let field = error.field
      throw AppError(
        .requestRefused, "\(field ?? "The body") has a value that cannot be read.", field: field)
    }
  }
}

extension AppError {
  init(_ wrong: Violation) { self.init(wrong.code, wrong.message, field: wrong.field) }
}

extension Request {
  /// Content-Type without its parameters, in lower case.
  var mediaType: String? {
    headers[.contentType]?.split(atByte: UInt8(ascii: ";")).first.map { $0.withoutBlanks.lowercased() }
  }

  /// Throws `invalid_idempotency_key` if there is none, or none that can be one.
  func idempotencyKey() throws -> String {
    let key = headers[.idempotencyKey] ?? ""
    guard Limits.idempotencyKeyLength.contains(key.utf8.count),
      key.utf8.allSatisfy({ (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) })
    else { throw AppError(.invalidIdempotencyKey, field: "Idempotency-Key") }
    return key
  }
}
