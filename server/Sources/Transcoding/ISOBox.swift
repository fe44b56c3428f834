/// Boxes of ISO base media files, as they are written.
enum ISOBox {
  static func make(_ type: String, _ content: [UInt8]) -> [UInt8] {
    u32(content.count + 8) + Array(type.utf8) + content
  }

  static func u32(_ value: Int) -> [UInt8] {
    [UInt8(value >> 24 & 255), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }
}
