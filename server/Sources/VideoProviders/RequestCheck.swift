internal import Foundation
internal import Generation
internal import Platform

/// What can be told without asking anybody.
extension VideoCapabilities {
  /// Throws `.invalid` for what is not offered.
  func check(_ request: VideoRequest) throws {
    guard !request.prompt.isEmpty, request.prompt.unicodeScalars.count <= promptLength else {
      throw ProviderFailure(.invalid, "a prompt of \(request.prompt.unicodeScalars.count) scalars")
    }
    guard seconds.contains(request.seconds) else {
      throw ProviderFailure(.invalid, "\(request.seconds) seconds are not offered")
    }
    guard aspects.contains(request.aspect) else {
      throw ProviderFailure(.invalid, "\(request.aspect.rawValue) is not offered")
    }
    guard request.picture == nil || takesPictures else {
      throw ProviderFailure(.invalid, "no picture is taken")
    }
    guard request.refined == nil || refines else { throw ProviderFailure(.invalid, "nothing is refined") }
  }
}

/// A picture to start from.
struct StartPicture: Sendable {
  /// Vendors take ten to twenty.
  static let largest = 20 << 20

  let bytes: [UInt8]
  let type: String
  var name: String { type == "image/png" ? "picture.png" : "picture.jpg" }
  var dataURL: String { "data:\(type);base64,\(base64)" }
  var base64: String { Data(bytes).base64EncodedString() }

  /// By its first bytes, whatever it is called. Throws `.invalid`.
  init(at file: URL) throws {
    guard let status = FileStatus(of: file.path), status.kind == .file, status.size <= Self.largest,
      let data = try? Data(contentsOf: file)
    else { throw ProviderFailure(.invalid, "no picture, or one of more than \(Self.largest >> 20) MB") }
    bytes = Array(data)
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      type = "image/jpeg"
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      type = "image/png"
    } else {
      throw ProviderFailure(.invalid, "a picture that is neither JPEG nor PNG")
    }
  }
}

/// An id as a vendor gives it out. Throws `.providerError` for one that cannot be kept.
func checkedID(_ id: String) throws -> String {
  guard (1...300).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
    throw ProviderFailure(.providerError, "an id of \(id.utf8.count) bytes")
  }
  return id
}

/// How far something is: parts of one, or of a hundred, as thousandths.
func permille(_ value: Double?, of whole: Double) -> Int? {
  value.map { Int(clamping: $0 / whole * 1000, to: 0...1000) }
}
