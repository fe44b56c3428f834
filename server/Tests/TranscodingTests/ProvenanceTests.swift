import Contract
import Foundation
import Testing

@testable import PlatformTesting
@testable import Transcoding

/// What files say of where their picture comes from, as it is read and as it is written.
@Suite struct ProvenanceTests {
  private typealias SourceType = Provenance.SourceType

  private static let trained = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"

  private static let start = ManifestStore.box("ftyp", Array("isomiso2".utf8))

  /// What a file of these bytes says.
  private static func read(_ bytes: [UInt8]) throws -> Provenance {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("boxes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    return try Provenance(of: file)
  }

  // MARK: Boxes

  @Test(arguments: Provenance.SourceType.allCases)
  func whatIsWrittenIsReadAgain(_ type: Provenance.SourceType) throws {
    let written = Provenance(type, manifest: ManifestStore.make([Self.trained]))
    #expect(try Self.read(Self.start + written.boxes) == written)
    #expect(try Self.read(Self.start + Provenance(type).boxes) == Provenance(type))
    #expect(Provenance().boxes.isEmpty)
  }

  @Test func theBoxOfXMPIsAsItsStandardHasIt() throws {
    let boxes = Provenance(.trainedAlgorithmicMedia).boxes
    var reader = BoxReader(boxes)
    let box = try reader.nextBox()
    #expect(box.type == "uuid" && reader.isAtEnd)
    let id = boxes[box.content].prefix(16).map { String($0, radix: 16) }.joined()
    #expect(id == "be7acfcb97a942e89c71999491e3afac")
    let packet = String(decoding: boxes[box.content].dropFirst(16), as: UTF8.self)
    #expect(packet.hasPrefix("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"))
    #expect(packet.hasSuffix("\n<?xpacket end=\"r\"?>"))
    #expect(
      packet.contains("<Iptc4xmpExt:DigitalSourceType>\(Self.trained)</Iptc4xmpExt:DigitalSourceType>"))
    #expect(packet.contains("xmlns:Iptc4xmpExt=\"http://iptc.org/std/Iptc4xmpExt/2008-02-29/\""))
  }

  // MARK: Manifests

  @Test func whatBelongsToTheBytesOfTheSourceIsNotKept() throws {
    let store = ManifestStore.make([Self.trained])
    // Where its hashes lie would be somewhere else in another file.
    let pointing = ManifestStore.content(store, hashes: 200)
    let read = try Self.read(Self.start + ManifestStore.box("uuid", pointing))
    #expect(read.manifest == store)
    #expect(Array(read.boxes.suffix(store.count + 8)) == [UInt8](repeating: 0, count: 8) + store)
  }

  @Test func aManifestThatAPersonBringsIsNotPublished() {
    let store = ManifestStore.make([Self.trained])
    let brought = Provenance(.compositeWithTrainedAlgorithmicMedia, manifest: store)
    #expect(brought.published(isGenerated: false) == Provenance(.compositeWithTrainedAlgorithmicMedia))
    #expect(brought.published(isGenerated: true) == Provenance(.trainedAlgorithmicMedia, manifest: store))
    #expect(Provenance().published(isGenerated: true) == Provenance(.trainedAlgorithmicMedia))
    #expect(Provenance().published(isGenerated: false) == nil)
  }

  @Test func ofWhatTheFileSaysAndWhatItsSenderSaysTheStrongerCounts() {
    let (all, part) = (SourceType.trainedAlgorithmicMedia, SourceType.compositeWithTrainedAlgorithmicMedia)
    func said(_ file: SourceType?, _ declared: SourceType?) -> SourceType? {
      (file.map { Provenance($0) } ?? Provenance()).published(isGenerated: false, declared: declared)?
        .sourceType
    }
    #expect(said(nil, nil) == nil)
    for type in [all, part] { #expect(said(nil, type) == type && said(type, nil) == type) }
    #expect(said(all, part) == all && said(part, all) == all)
    #expect(
      Provenance().published(isGenerated: true, declared: part) == Provenance(.trainedAlgorithmicMedia))
  }

  // MARK: Pictures

  @Test func aPictureSaysItBehindTheHeaderOfJFIF() throws {
    let type = SourceType.trainedAlgorithmicMedia
    let jfif: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [UInt8](repeating: 1, count: 9)
    let rest: [UInt8] = [0xFF, 0xDB, 0, 4, 1, 2, 0xFF, 0xD9]
    for headers: [UInt8] in [[], jfif, jfif + jfif] {
      let start: [UInt8] = [0xFF, 0xD8] + headers
      let picture = try #require(type.added(to: start + rest))
      #expect(picture.starts(with: start) && Array(picture.suffix(rest.count)) == rest)
      let segment = Array(picture.dropFirst(start.count).dropLast(rest.count))
      try #require(segment.starts(with: [0xFF, 0xE1]))
      #expect(Int(segment[2]) << 8 | Int(segment[3]) == segment.count - 2)
      #expect(segment.dropFirst(4).starts(with: Array("http://ns.adobe.com/xap/1.0/\0".utf8)))
      #expect(segment.suffix(type.packet.count).elementsEqual(type.packet))
    }
  }

  @Test func whatIsNoPictureIsLeftAsItIs() {
    let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    let wrong: [[UInt8]] = [
      [], [0xFF], [0x89, 0x50, 0x4E, 0x47], start + [0, 0], start + [0, 1], start + [0, 3],
      start + [0xFF, 0xFF],
    ]
    for bytes in wrong { #expect(SourceType.trainedAlgorithmicMedia.added(to: bytes) == nil, "\(bytes)") }
  }
}
