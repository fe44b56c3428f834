import Foundation
import Testing

@testable import PlatformTesting
@testable import Transcoding

/// What files say of where their picture comes from, as it is read and as it is written.
@Suite struct ProvenanceTests {
  private typealias SourceType = Provenance.SourceType

  private static let trained = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
  private static let camera = "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture"

  private static let start = ManifestStore.box("ftyp", Array("isomiso2".utf8))

  /// What a file of these bytes says.
  private static func read(_ bytes: [UInt8]) throws -> Provenance {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("boxes-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    return try ISOFile(at: file).provenance
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

  @Test func aBoxOfAnyFormIsRead() throws {
    let content = ManifestStore.content(ManifestStore.make([Self.trained]))
    let kept = Provenance(.trainedAlgorithmicMedia, manifest: ManifestStore.make([Self.trained]))
    let short = ManifestStore.box("uuid", content)
    #expect(try Self.read(Self.start + short) == kept)
    #expect(try Self.read(Self.start + short + ManifestStore.box("mdat", [1, 2, 3])) == kept)
    // Of 64 bits.
    let long =
      ManifestStore.number(1, bytes: 4) + Array("uuid".utf8)
      + ManifestStore.number(content.count + 16, bytes: 8) + content
    #expect(try Self.read(Self.start + long + short) == kept)
    // To the end of the file.
    let open = ManifestStore.number(0, bytes: 4) + Array("uuid".utf8) + content
    #expect(try Self.read(Self.start + open) == kept)
  }

  @Test func aBoxOfAnImpossibleSizeSaysNothing() throws {
    let content = ManifestStore.content(ManifestStore.make([Self.trained]))
    let short = ManifestStore.box("uuid", content)
    for missing in [1, 40, content.count, content.count + 7] {
      #expect(try Self.read(Self.start + short.dropLast(missing)) == Provenance(), "\(missing) are missing")
    }
    for size in [2, 7, 8, 15, 23, Int(UInt32.max)] {
      let bytes: [UInt8] = ManifestStore.number(size, bytes: 4) + short.dropFirst(4)
      #expect(try Self.read(Self.start + bytes) == Provenance(), "a size of \(size)")
    }
    for size in [0, 8, 15, 16, content.count + 17, 1 << 59, 1 << 60, Int.max, -1] {
      let bytes =
        ManifestStore.number(1, bytes: 4) + Array("uuid".utf8) + ManifestStore.number(size, bytes: 8)
        + content
      #expect(try Self.read(Self.start + bytes) == Provenance(), "a long size of \(size)")
    }
    let large = ManifestStore.box("uuid", content + [UInt8](repeating: 0, count: Provenance.mostBytes))
    #expect(try Self.read(Self.start + large) == Provenance())
  }

  @Test func damagedBytesAreReadToTheirEnd() {
    let whole =
      Provenance.xmpBox + Provenance.SourceType.trainedAlgorithmicMedia.packet
      + ManifestStore.content(ManifestStore.make([Self.camera, Self.trained]))
    let half = Provenance.xmpBox.count + Provenance.SourceType.trainedAlgorithmicMedia.packet.count
    var chance = SplitMix(state: 7)
    for round in 0..<2000 {
      var content = Array(round % 2 == 0 ? whole[..<half] : whole[half...])
      for _ in 0..<4 {
        let place = Int.random(in: 16..<content.count, using: &chance)
        content[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &chance) ?? 0
      }
      content.removeLast(Int.random(in: 0..<content.count, using: &chance))
      var read = Provenance()
      read.read(content)
      #expect(read.manifest?.count ?? 0 <= content.count)
    }
  }

  // MARK: Manifests

  @Test func theLastManifestOfAStoreCounts() throws {
    func found(_ sourceTypes: [String?]) throws -> Provenance.SourceType? {
      let store = ManifestStore.make(sourceTypes)
      let read = try Self.read(Self.start + ManifestStore.box("uuid", ManifestStore.content(store)))
      #expect(read.manifest == (sourceTypes.isEmpty ? nil : store))
      return read.sourceType
    }
    #expect(try found([Self.trained]) == .trainedAlgorithmicMedia)
    #expect(try found([Self.camera, Self.trained]) == .trainedAlgorithmicMedia)
    // Of what a film was put together from.
    #expect(try found([Self.trained, Self.camera]) == nil)
    #expect(try found([Self.trained, nil]) == nil)
    #expect(try found([nil]) == nil)
    #expect(try found([]) == nil)
    #expect(
      try found(["http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"])
        == .compositeWithTrainedAlgorithmicMedia)
    #expect(try found([Self.trained + "Else"]) == nil)
  }

  @Test func aManifestThatIsTooLargeIsReadAndNotKept() throws {
    let small = ManifestStore.make([Self.trained]).count
    for (size, isKept) in [(Provenance.mostManifestBytes, true), (Provenance.mostManifestBytes + 1, false)] {
      let store = ManifestStore.make([Self.trained], padding: size - small)
      try #require(store.count == size)
      let read = try Self.read(Self.start + ManifestStore.box("uuid", ManifestStore.content(store)))
      #expect(read == Provenance(.trainedAlgorithmicMedia, manifest: isKept ? store : nil))
    }
  }

  @Test func whatBelongsToTheBytesOfTheSourceIsNotKept() throws {
    let store = ManifestStore.make([Self.trained])
    // Where its hashes lie would be somewhere else in another file.
    let pointing = ManifestStore.content(store, hashes: 200)
    let read = try Self.read(Self.start + ManifestStore.box("uuid", pointing))
    #expect(read.manifest == store)
    #expect(Array(read.boxes.suffix(store.count + 8)) == [UInt8](repeating: 0, count: 8) + store)
    let hashes = ManifestStore.content(store, purpose: "merkle")
    #expect(try Self.read(Self.start + ManifestStore.box("uuid", hashes)) == Provenance())
  }

  @Test func aManifestThatAPersonBringsIsNotPublished() {
    let store = ManifestStore.make([Self.trained])
    let brought = Provenance(.compositeWithTrainedAlgorithmicMedia, manifest: store)
    #expect(brought.published(isGenerated: false) == Provenance(.compositeWithTrainedAlgorithmicMedia))
    #expect(brought.published(isGenerated: true) == Provenance(.trainedAlgorithmicMedia, manifest: store))
    #expect(Provenance().published(isGenerated: true) == Provenance(.trainedAlgorithmicMedia))
    #expect(Provenance().published(isGenerated: false) == nil)
  }

  // MARK: XMP

  private static func sourceType(in packet: String) -> Provenance.SourceType? {
    Provenance.SourceType(named: Array(packet.utf8)[...])
  }

  /// AI stands for the value that names it, CAMERA for one that does not.
  @Test(arguments: [
    "<a Iptc4xmpExt:DigitalSourceType=\"AI\"/>", "<a Iptc4xmpExt:DigitalSourceType = 'AI'/>",
    "<x:DigitalSourceType>\n  AI\n</x:DigitalSourceType>", "<y:digitalSourceType rdf:resource=\"AI\"/>",
    "<x:DigitalSourceType>CAMERA</x:DigitalSourceType><x:DigitalSourceType>AI</x:DigitalSourceType>",
  ])
  func aSourceTypeIsReadHoweverItIsWritten(_ packet: String) {
    let packet = packet.replacing("AI", with: Self.trained).replacing("CAMERA", with: Self.camera)
    #expect(Self.sourceType(in: packet) == .trainedAlgorithmicMedia)
    #expect(Self.sourceType(in: packet.replacing("http:", with: "https:")) == .trainedAlgorithmicMedia)
  }

  @Test func whatNamesNoneSaysNothing() {
    let property = "<x:DigitalSourceType>"
    let far = property + String(repeating: " ", count: 200) + Self.trained
    let start = property + "http://cv.iptc.org/newscodes/digitalsourcetype/"
    let word = property + "trainedAlgorithmicMedia"
    for packet in ["", property, Self.trained, property + Self.camera, word, far, start] {
      #expect(Self.sourceType(in: packet) == nil, "\(packet)")
    }
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
      #expect(SourceType(named: segment[...]) == type)
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
