internal import Contract
internal import Platform

/// The kinds of container that are taken, told by content; a file name says nothing.
///
/// Only these three ever reach ffmpeg, each with its demuxer forced: playlists, scripts, images and text,
/// through which ffmpeg can be led to other files or to the network, end here.
public enum Container: String, Sendable, CaseIterable {
  /// ISO base media: MP4, QuickTime, 3GP.
  case isoMedia
  /// Matroska and WebM.
  case matroska
  case transportStream

  /// Throws `not_a_video` for everything else.
  public static func sniff(_ bytes: [UInt8]) throws -> Container {
    if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
    if isTransportStream(bytes, packet: 188, first: 0) || isTransportStream(bytes, packet: 192, first: 4) {
      return .transportStream
    }
    guard bytes.count >= 12 else { throw AppError(.notAVideo) }
    let type = String(decoding: bytes[4..<8], as: UTF8.self)
    let brand = String(decoding: bytes[8..<12], as: UTF8.self)
    let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    switch type {
    case "ftyp" where imageBrands.contains(brand):
      throw AppError(.notAVideo, "The file is a picture, not a video.")
    case "ftyp", "moov", "wide", "free", "skip", "styp", "moof":
      guard size >= 8 || size == 1 else { throw AppError(.notAVideo) }
      return .isoMedia
    case "mdat":
      return .isoMedia
    default:
      throw AppError(.notAVideo)
    }
  }

  private static let imageBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis", "crx ", "jxl ",
  ]

  /// Sync bytes of three packets in a row; one alone is just the letter G.
  private static func isTransportStream(_ bytes: [UInt8], packet: Int, first: Int) -> Bool {
    (0..<3).allSatisfy { index in
      let place = first + index * packet
      return place < bytes.count && bytes[place] == 0x47
    }
  }
}
