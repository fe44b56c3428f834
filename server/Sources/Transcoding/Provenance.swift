/// What a file says of where its picture comes from, as far as that is a trained model: by IPTC's digital
/// source type in XMP, and by a C2PA manifest.
///
/// Of both it knows whether they name AI. Signatures are not checked: who marks a film of their own as made
/// by AI harms nobody else.
public struct Provenance: Sendable, Equatable {
  /// Those of IPTC's digital source types that mean AI.
  public enum SourceType: String, Sendable, CaseIterable {
    /// All of it.
    case trainedAlgorithmicMedia
    /// A part of it.
    case compositeWithTrainedAlgorithmicMedia
  }

  /// Nil: nothing in the file names AI.
  public private(set) var sourceType: SourceType?
  /// The manifest store of C2PA as it was, in boxes of JUMBF (ISO 19566-5); nil: there is none, or it cannot
  /// be read, or it is too large to be kept.
  public private(set) var manifest: [UInt8]?

  /// Bytes of all boxes of a file that are read. Editing programs write their history into XMP, and C2PA has
  /// pictures.
  static let mostBytes = 1 << 20
  /// Bytes of a manifest store that is kept: they come before the first frame of each rendition, and the
  /// first second of the smallest has 75 KB at most.
  static let mostManifestBytes = 64 << 10

  public init() {}

  public init(_ sourceType: SourceType, manifest: [UInt8]? = nil) {
    self.sourceType = sourceType
    self.manifest = manifest
  }

  /// What the files of a clip say that was made of such a source; nil: nothing.
  ///
  /// The manifest of a clip that was made here goes on naming its maker. One that a person brings may name
  /// their camera, the place and the day, and of these nothing is served: its word stays without it.
  func published(isGenerated: Bool) -> Provenance? {
    if isGenerated { return Provenance(.trainedAlgorithmicMedia, manifest: manifest) }
    return sourceType.map { Provenance($0) }
  }
}

// MARK: Boxes

extension Provenance {
  /// Adobe's XMP Specification, part 3, of MPEG-4.
  static let xmpBox: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  /// C2PA's specification, "Embedding manifests into BMFF-based assets".
  static let manifestBox: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]
  /// Of a full box of version 0: its id, version and flags, and what it is for.
  private static let manifestHead: [UInt8] = manifestBox + [0, 0, 0, 0] + Array("manifest\0".utf8)
  /// Behind it: where in the file a box of hashes lies; 0: nowhere.
  private static let manifestOffset = [UInt8](repeating: 0, count: 8)

  /// As they stand behind a moov: players leave boxes alone whose id they do not know. Empty where there is
  /// nothing to be said.
  var boxes: [UInt8] {
    guard let sourceType else { return [] }
    let xmp = ISOBox.make("uuid", Self.xmpBox + sourceType.packet)
    guard let manifest else { return xmp }
    return xmp + ISOBox.make("uuid", Self.manifestHead + Self.manifestOffset + manifest)
  }

  /// Takes what a box of the type `uuid` says, from the content of the box. The first that names AI
  /// counts, and the first manifest. What cannot be read says nothing.
  mutating func read(_ content: [UInt8]) {
    if content.starts(with: Self.xmpBox) {
      sourceType = sourceType ?? SourceType(named: content[Self.xmpBox.count...])
    } else if content.starts(with: Self.manifestHead), manifest == nil {
      let store = Array(content.dropFirst(Self.manifestHead.count + Self.manifestOffset.count))
      guard let active = Self.active(in: store) else { return }
      sourceType = sourceType ?? SourceType(named: store[active])
      if store.count <= Self.mostManifestBytes { manifest = store }
    }
  }

  /// Takes what a packet of XMP says.
  mutating func read(packet: ArraySlice<UInt8>) {
    sourceType = sourceType ?? SourceType(named: packet)
  }

  /// Takes what a value says that a file keeps under a key: it may be a packet, or the source type by itself,
  /// under a key that is written in any way (`DIGITAL_SOURCE_TYPE`).
  mutating func read(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    let letters = key.suffix(64).map { $0 | 0x20 }.filter { (0x61...0x7A).contains($0) }
    let isSourceType = letters.suffix(17).elementsEqual("digitalsourcetype".utf8)
    read(packet: isSourceType ? (Array("DigitalSourceType ".utf8) + value)[...] : value)
  }

  /// Where the manifest lies that speaks of the file itself: it is the last of the store, and those before it
  /// speak of what the file was made of (C2PA's specification, "Locating the active manifest").
  private static func active(in store: [UInt8]) -> Range<Int>? {
    var reader = BoxReader(store)
    guard let outer = try? reader.nextBox(), outer.type == "jumb",
      let manifests = try? reader.children(of: outer, ["jumb"])
    else { return nil }
    return manifests.last?.range
  }
}
