/// A manifest store of C2PA as others write it (JUMBF of ISO 19566-5 in a box of ISO 14496-12), without its
/// signatures.
enum ManifestStore {
  /// A manifest for each, of which the last speaks of the file itself. Nil: it names no source type.
  static func make(_ sourceTypes: [String?], padding: Int = 0) -> [UInt8] {
    let manifests = sourceTypes.enumerated().flatMap { number, type in
      superbox("c2ma", "urn:c2pa:0000-\(number)", superbox("cbor", "c2pa.actions.v2", assertion(type)))
    }
    return superbox("c2pa", "c2pa", box("free", [UInt8](repeating: 0, count: padding)) + manifests)
  }

  /// The content of the box in which it lies, of the type `uuid`. `hashes`: where another such box begins.
  static func content(_ store: [UInt8], purpose: String = "manifest", hashes: UInt8 = 0) -> [UInt8] {
    let id: [UInt8] = [
      0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]
    let head = id + [UInt8](repeating: 0, count: 4) + Array(purpose.utf8) + [0]
    return head + [UInt8](repeating: 0, count: 7) + [hashes] + store
  }

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, bytes: 4) + Array(type.utf8) + content
  }

  /// Most significant first.
  static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func superbox(_ type: String, _ label: String, _ content: [UInt8]) -> [UInt8] {
    let rest: [UInt8] = [0x00, 0x11, 0x00, 0x10, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71]
    // Requestable, with a label.
    let description = Array(type.utf8) + rest + [3] + Array(label.utf8) + [0]
    return box("jumb", box("jumd", description) + content)
  }

  /// A list of actions in CBOR (RFC 8949).
  private static func assertion(_ sourceType: String?) -> [UInt8] {
    var action = text("action") + text("c2pa.created")
    if let sourceType { action += text("digitalSourceType") + text(sourceType) }
    let map: UInt8 = sourceType == nil ? 0xA1 : 0xA2
    return box("cbor", [0xA1] + text("actions") + [0x81, map] + action)
  }

  private static func text(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    let head: [UInt8] = count < 24 ? [0x60 | UInt8(count)] : [0x78, UInt8(count)]
    return head + Array(text.utf8)
  }
}
