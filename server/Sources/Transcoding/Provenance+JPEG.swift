internal import Contract
internal import Foundation
internal import Platform

extension Provenance.SourceType {
  /// What a segment of XMP begins with (Adobe's XMP Specification, part 3, of JPEG).
  static let jpegHead = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// The same picture with a segment that says this; nil: it cannot be read as a JPEG.
  func added(to jpeg: [UInt8]) -> [UInt8]? {
    guard jpeg.starts(with: [0xFF, 0xD8]) else { return nil }
    var place = 2
    // Segments APP0 stay the first ones, as JFIF wants it.
    while jpeg.count - place >= 4, jpeg[place] == 0xFF, jpeg[place + 1] == 0xE0 {
      // With these two bytes and without the marker.
      let length = Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3])
      guard length >= 2, length <= jpeg.count - place - 2 else { return nil }
      place += 2 + length
    }
    let content = Self.jpegHead + packet
    // No longer than a segment can be: both are ours, and have less than a thousand bytes.
    let length = content.count + 2
    let header: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8 & 255), UInt8(length & 255)]
    return Array(jpeg[..<place]) + header + content + Array(jpeg[place...])
  }

  /// Throws `transcoding_failed` if the file is no JPEG.
  func add(toJPEGAt url: URL) throws {
    guard let picture = added(to: [UInt8](try Data(contentsOf: url))) else {
      throw AppError(.transcodingFailed, "A picture of the clip is no JPEG.")
    }
    try Data(picture).write(to: url)
  }
}
