internal import Foundation

/// How many packets of a stream are a picture to be shown.
///
/// Encoders of VP8, VP9 and AV1 also write pictures that others are made from and nobody sees (alternate
/// references), and some put them into packets of their own: a decoder then gives fewer pictures than there
/// are packets, and nothing is damaged. Whether a picture is shown stands in the first bits of its header.
enum ShownFrames {
  static let codecs: Set<String> = ["vp8", "vp9", "av1"]

  /// Of a stream as IVF, which is frames behind their sizes. Nil: it is not that.
  static func count(inIVF url: URL, codec: String) throws -> Int? {
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    let head = [UInt8](try file.read(upToCount: 32) ?? Data())
    guard head.count == 32, head.starts(with: Array("DKIF".utf8)) else { return nil }
    var shown = 0
    while case let frame = [UInt8](try file.read(upToCount: 12) ?? Data()), frame.count == 12 {
      let size = frame[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      // Nobody hides a picture of so many bytes.
      guard size <= 16 << 20 else { return nil }
      let bytes = [UInt8](size > 0 ? try file.read(upToCount: size) ?? Data() : Data())
      if !isHidden(bytes, codec: codec) { shown += 1 }
    }
    return shown
  }

  /// Whether nothing of it is to be shown. What is no picture at all counts as one: it was meant to be.
  static func isHidden(_ packet: [UInt8], codec: String) -> Bool {
    switch codec {
    case "vp8": isHiddenVP8(packet)
    case "vp9": parts(ofVP9: packet).allSatisfy(isHiddenVP9)
    case "av1": isHiddenAV1(packet)
    default: false
    }
  }

  /// RFC 6386, 9.1: not a key frame (bit 0), and show_frame (bit 4) is 0. A key frame is always shown.
  private static func isHiddenVP8(_ packet: [UInt8]) -> Bool {
    packet.count >= 3 && packet[0] & 0x01 == 1 && packet[0] & 0x10 == 0
  }

  /// A superframe is several frames and behind them their sizes (VP9 specification, annex B).
  static func parts(ofVP9 packet: [UInt8]) -> [ArraySlice<UInt8>] {
    guard let last = packet.last, last & 0xE0 == 0xC0 else { return [packet[...]] }
    let (count, width) = (Int(last & 7) + 1, Int(last >> 3 & 3) + 1)
    let index = packet.count - 2 - count * width
    guard index > 0, packet[index] == last else { return [packet[...]] }
    var parts: [ArraySlice<UInt8>] = []
    var place = 0
    for number in 0..<count {
      let field = packet[(index + 1 + number * width)..<(index + 1 + (number + 1) * width)]
      let size = field.reversed().reduce(0) { $0 << 8 | Int($1) }
      guard size > 0, place + size <= index else { return [packet[...]] }
      parts.append(packet[place..<place + size])
      place += size
    }
    return parts
  }

  /// frame_marker (2 bits, 2), profile (2 bits, a third one for profile 3), show_existing_frame, frame_type,
  /// show_frame.
  private static func isHiddenVP9(_ frame: ArraySlice<UInt8>) -> Bool {
    guard let first = frame.first, first >> 6 == 2, frame.count > 1 else { return false }
    let bits = first & 0x30 == 0x30 ? first << 1 | frame[frame.startIndex + 1] >> 7 : first
    return bits & 0x08 == 0 && bits & 0x02 == 0
  }

  /// A packet is a temporal unit of OBUs. Hidden: it holds frames, and none is shown (AV1 specification,
  /// 5.9.2).
  private static func isHiddenAV1(_ unit: [UInt8]) -> Bool {
    var place = 0
    var hasFrame = false
    while place < unit.count {
      let header = unit[place]
      place += header & 0x04 != 0 ? 2 : 1
      var size = max(0, unit.count - place)
      if header & 0x02 != 0 {
        guard let read = leb128(unit, &place) else { return false }
        size = read
      }
      guard place <= unit.count, size <= unit.count - place else { return false }
      // 3: the header of a frame, 6: a whole frame.
      if [3, 6].contains(header >> 3 & 15), size > 0 {
        hasFrame = true
        // show_existing_frame, then two bits of a type, then show_frame.
        if unit[place] & 0x80 != 0 || unit[place] & 0x10 != 0 { return false }
      }
      place += size
    }
    return hasFrame
  }

  private static func leb128(_ bytes: [UInt8], _ place: inout Int) -> Int? {
    var value = 0
    for shift in 0..<8 {
      guard place < bytes.count else { return nil }
      value |= Int(bytes[place] & 0x7F) << (7 * shift)
      place += 1
      if bytes[place - 1] & 0x80 == 0 { return value }
    }
    return nil
  }
}
