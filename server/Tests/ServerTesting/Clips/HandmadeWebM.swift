import Foundation

/// A WebM as others write it: each packet as it is, in a block of its own.
struct HandmadeWebM {
  let codec: String
  let width: Int
  let height: Int
  let rate: Double

  /// Packets of the same instant stand together.
  func file(_ instants: [[[UInt8]]]) -> Data {
    let video = Self.element([0xE0], Self.number([0xB0], width) + Self.number([0xBA], height))
    let track = Self.element(
      [0xAE],
      Self.number([0xD7], 1) + Self.number([0x73, 0xC5], 1) + Self.number([0x83], 1)
        + Self.element([0x86], Array(codec.utf8)) + video)
    var content = Self.element([0x15, 0x49, 0xA9, 0x66], Self.number([0x2A, 0xD7, 0xB1], 1_000_000))
    content += Self.element([0x16, 0x54, 0xAE, 0x6B], track)
    for (number, packets) in instants.enumerated() {
      let ms = Int((Double(number) * 1000 / rate).rounded())
      var cluster = Self.number([0xE7], ms)
      for packet in packets {
        let flags: UInt8 = number == 0 ? 0x80 : 0
        cluster += Self.element([0xA3], [0x81, 0, 0, flags] + packet)
      }
      content += Self.element([0x1F, 0x43, 0xB6, 0x75], cluster)
    }
    let header = Self.element(
      [0x1A, 0x45, 0xDF, 0xA3],
      Self.element([0x42, 0x82], Array("webm".utf8)) + Self.number([0x42, 0x87], 2))
    return Data(header + Self.element([0x18, 0x53, 0x80, 0x67], content))
  }

  /// Sizes of eight bytes, whatever they are.
  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + [0x01] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
  }

  private static func number(_ id: [UInt8], _ value: Int) -> [UInt8] {
    element(id, (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }
}
