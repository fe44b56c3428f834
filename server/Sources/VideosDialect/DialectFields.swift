internal import Contract
internal import Features
internal import OpenAPI
internal import Platform

/// What a body names, whether it is JSON or a form. Names that nobody asks for are passed over.
struct DialectFields: Sendable {
  private let fields: [String: JSON]
  /// Those of a form that are files.
  private let files: [String: [UInt8]]

  init(_ fields: [String: JSON], files: [String: [UInt8]] = [:]) {
    (self.fields, self.files) = (fields, files)
  }

  /// `withPicture`: a form has room for one. Throws `content_type_unsupported`, `body_too_large`,
  /// `picture_too_large` and `request_refused`.
  static func read(_ call: Call, withPicture: Bool = false) async throws -> DialectFields {
    let type = call.contentType
    guard withPicture, FormBody.isOne(type) else {
      return try read(try await call.bytes(atMost: Limits.bodyBytes, else: .bodyTooLarge), type: type)
    }
    let bytes = try await call.bytes(
      atMost: Limits.pictureBytes + Limits.bodyBytes, else: .pictureTooLarge)
    return try await Offload.run { try read(bytes, type: type) }
  }

  static func read(_ bytes: [UInt8], type: String) throws -> DialectFields {
    guard FormBody.isOne(type) else { return try json(bytes) }
    var fields: [String: JSON] = [:]
    var files: [String: [UInt8]] = [:]
    var textBytes = 0
    for part in try FormBody.parts(of: bytes, type: type) {
      let isNew =
        if let file = part.file {
          fields[part.name] == nil && files.updateValue(file, forKey: part.name) == nil
        } else {
          files[part.name] == nil && fields.updateValue(.string(part.text), forKey: part.name) == nil
        }
      guard isNew else { throw AppError(.requestRefused, "A field is there twice.", field: part.name) }
      textBytes += part.text.utf8.count
    }
    // Of a body that has no file there could not be more.
    guard textBytes <= Limits.bodyBytes else { throw AppError(.bodyTooLarge) }
    return DialectFields(fields, files: files)
  }

  private static func json(_ bytes: [UInt8]) throws -> DialectFields {
    do {
      guard case .object(let members) = try JSONReader.read(bytes) else {
        throw AppError(.requestRefused, "The body must be an object.")
      }
      let known = members.filter { $0.value != .null }.map { ($0.name, $0.value) }
      return DialectFields(Dictionary(known) { first, _ in first })
    } catch let fault as JSONReader.Fault {
      throw AppError(.requestRefused, fault.message, field: fault.field)
    }
  }

  func has(_ name: String) -> Bool { fields[name] != nil || files[name] != nil }

  /// Nil: it is not there. Throws `invalid_parameter` for what is no file of a form.
  func file(_ name: String) throws -> [UInt8]? {
    guard fields[name] == nil else {
      throw AppError(
        .invalidParameter, "\(name) must be a file of multipart/form-data.", field: name)
    }
    return files[name]
  }

  /// Nil: it is not there. Throws `invalid_parameter` for what is no text.
  func text(_ name: String) throws -> String? {
    switch fields[name] {
    case nil where files[name] == nil: return nil
    case .string(let text)?: return text
    default: throw AppError(.invalidParameter, "\(name) must be text.", field: name)
    }
  }

  /// A whole number, or a text that is one: some write the one, some the other. Nil: it is not there.
  func number(_ name: String) throws -> Int? {
    let number: Int? =
      switch fields[name] {
      case .integer(let number)?: Int(clamping: number)
      case .string(let text)?: SafeInteger.read(text)
      default: nil
      }
    guard number != nil || !has(name) else {
      throw AppError(
        .invalidParameter, "\(name) must be a whole number, or a text that is one.", field: name)
    }
    return number
  }

  /// Throws `prompt_empty`.
  func prompt() throws -> String {
    guard let prompt = try text("prompt") else { throw AppError(.promptEmpty, field: "prompt") }
    return prompt
  }
}
