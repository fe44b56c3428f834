internal import Foundation
internal import Upload

/// Which container a file is, told by its first bytes as the server tells it: names and types are what
/// somebody typed.
enum FileKind {
  /// As much as the longest signature needs (MPEG-TS: three packets of 192 bytes).
  static let headSize = 1_024
  private static let boxes: Set<String> = ["ftyp", "moov", "mdat", "wide", "free", "skip", "styp", "moof"]
  /// Pictures in the container of videos.
  private static let imageBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ", "jxl ",
  ]

  static func of(_ head: [UInt8]) -> SourceFile.Kind {
    if head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) { return .webm }
    if isTransportStream(head, packet: 188, first: 0) || isTransportStream(head, packet: 192, first: 4) {
      return .mpegTS
    }
    guard head.count >= 12, let box = text(head[4..<8]), boxes.contains(box) else { return .unknown }
    guard box == "ftyp", let brand = text(head[8..<12]) else { return .mp4 }
    if imageBrands.contains(brand) { return .unknown }
    return brand.hasPrefix("3g") ? .threeGP : .mp4
  }

  /// What the server is told that the file is.
  static func mediaType(_ kind: SourceFile.Kind) -> String {
    switch kind {
    case .webm: "video/webm"
    case .mpegTS: "video/mp2t"
    case .threeGP: "video/3gpp"
    case .mp4, .unknown: "video/mp4"
    }
  }

  private static func isTransportStream(_ head: [UInt8], packet: Int, first: Int) -> Bool {
    (0..<3).allSatisfy { index in
      let at = first + index * packet
      return at < head.count && head[at] == 0x47
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
