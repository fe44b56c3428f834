internal import Contract
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Platform

/// By which words a request speaks to an upload. All three mean the same bytes at the same offsets.
enum UploadProtocol: Equatable {
  /// Our own clients: JSON for what is said, plain bytes for the file.
  case own
  /// tus 1.0 (tus.io/protocols/resumable-upload), with creation, creation-with-upload, termination, checksum,
  /// expiration.
  case tus
  /// draft-ietf-httpbis-resumable-upload, by its interoperability version: 3 in iOS 17, which says
  /// "incomplete" where later ones say "complete".
  case draft(version: Int)

  static let draftVersions: Set<Int> = [3, 5, 6, 7, 8]
  static let tusVersion = "1.0.0"
  static let tusExtensions = "creation,creation-with-upload,termination,checksum,expiration"

  /// Throws `tus_version_unsupported`.
  init(_ request: Request) throws {
    if let version = request.headers[.tusResumable] {
      guard version == Self.tusVersion else {
        throw Refusal(
          .tusVersionUnsupported, nil, [.tusVersion: Self.tusVersion], field: "Tus-Resumable")
      }
      self = .tus
    } else if let version = Self.namedDraft(request) {
      self = .draft(version: version)
    } else if request.headers[.uploadComplete] != nil {
      self = .draft(version: 6)
    } else {
      self = .own
    }
  }

  /// The draft's version that the client names, if it is one of ours. Only such a client may get an interim
  /// response: others, Python's http.client among them, take a 104 for the answer and the answer for that of
  /// their next request.
  static func namedDraft(_ request: Request) -> Int? {
    request.headers[.uploadDraftInteropVersion].flatMap { SafeInteger.read($0) }.flatMap {
      draftVersions.contains($0) ? $0 : nil
    }
  }

  /// Whether the body is the last of the file. Nil: the request does not say.
  func ends(_ request: Request) throws -> Bool? {
    guard case .draft(let version) = self else { return nil }
    switch request.headers[version == 3 ? .uploadIncomplete : .uploadComplete] {
    case "?1": return version != 3
    case "?0": return version == 3
    case nil: return nil
    default: throw AppError(.requestRefused, "Upload-Complete must be ?0 or ?1.", field: "Upload-Complete")
    }
  }

  /// What every answer about this upload says.
  func headers(offset: Int, of size: Int?, expiresAt: Date?) -> HTTPFields {
    var fields: HTTPFields = [.uploadOffset: String(offset), .cacheControl: "no-store"]
    if let size { fields[.uploadLength] = String(size) }
    if let expiresAt { fields[.uploadExpires] = HTTPDate.text(expiresAt) }
    switch self {
    case .own: break
    case .tus: fields[.tusResumable] = Self.tusVersion
    case .draft(let version):
      fields[.uploadDraftInteropVersion] = String(version)
      fields[.uploadLimit] = Self.limit
      let isComplete = offset == size
      if version == 3 {
        fields[.uploadIncomplete] = isComplete ? "?0" : "?1"
      } else {
        fields[.uploadComplete] = isComplete ? "?1" : "?0"
      }
    }
    return fields
  }

  /// The answer to OPTIONS: who asks has not said yet by which protocol it will speak.
  static let capabilities: HTTPFields = [
    .tusResumable: tusVersion, .tusVersion: tusVersion, .tusExtension: tusExtensions,
    .tusMaxSize: String(Limits.sourceBytes),
    .tusChecksumAlgorithm: PieceChecksum.algorithms.joined(separator: ","), .uploadLimit: limit,
  ]

  private static let limit = "max-size=\(Limits.sourceBytes)"

  /// Upload-Metadata of tus: pairs of a name and its value in base64.
  static func metadata(_ header: String?) throws -> [String: String] {
    var values: [String: String] = [:]
    for pair in (header ?? "").split(atByte: UInt8(ascii: ",")) {
      let parts = pair.split(atByte: UInt8(ascii: " "))
      guard let name = parts.first, parts.count <= 2 else {
        throw AppError(
          .requestRefused, "Upload-Metadata is not made of names and base64 values.",
          field: "Upload-Metadata")
      }
      guard parts.count == 2 else { continue }
      guard let data = Data(base64Encoded: String(parts[1])), let text = String(data: data, encoding: .utf8),
        !StackedMarks.areTooMany(in: text)
      else {
        throw AppError(
          .requestRefused,
          "The value of \(BoundedText.cut(String(name), toBytes: 40)) is not text in base64.",
          field: "Upload-Metadata")
      }
      values[String(name)] = text
    }
    return values
  }

  /// Upload-Checksum of tus: an algorithm and the digest in base64.
  static func checksum(_ request: Request) throws -> PieceChecksum? {
    guard let header = request.headers[.uploadChecksum] else { return nil }
    let parts = header.split(atByte: UInt8(ascii: " ")).map(String.init)
    guard parts.count == 2, let checksum = PieceChecksum(algorithm: parts[0], base64: parts[1]) else {
      throw AppError(
        .requestRefused, "Upload-Checksum must be one of \(PieceChecksum.algorithms) and a digest in base64.",
        field: "Upload-Checksum")
    }
    return checksum
  }
}

/// Dates of RFC 9110.
enum HTTPDate {
  static func text(_ date: Date) -> String {
    date.formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    )
  }
}

extension HTTPField.Name {
  static let noInterim = HTTPField.Name("X-No-Interim")!
  static let uploadOffset = HTTPField.Name("Upload-Offset")!
  static let uploadLength = HTTPField.Name("Upload-Length")!
  static let uploadExpires = HTTPField.Name("Upload-Expires")!
  static let uploadMetadata = HTTPField.Name("Upload-Metadata")!
  static let uploadChecksum = HTTPField.Name("Upload-Checksum")!
  static let uploadComplete = HTTPField.Name("Upload-Complete")!
  static let uploadIncomplete = HTTPField.Name("Upload-Incomplete")!
  static let uploadLimit = HTTPField.Name("Upload-Limit")!
  static let uploadDraftInteropVersion = HTTPField.Name("Upload-Draft-Interop-Version")!
  static let tusResumable = HTTPField.Name("Tus-Resumable")!
  static let tusVersion = HTTPField.Name("Tus-Version")!
  static let tusExtension = HTTPField.Name("Tus-Extension")!
  static let tusMaxSize = HTTPField.Name("Tus-Max-Size")!
  static let tusChecksumAlgorithm = HTTPField.Name("Tus-Checksum-Algorithm")!
}
