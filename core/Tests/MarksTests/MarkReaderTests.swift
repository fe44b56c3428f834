import CoreTesting
import CoreTypes
import Marks
import Testing

/// Which bytes of a file are asked for, and what they say.
@Suite struct MarkReaderTests {
  private typealias File = MarkedFile

  private static let packet = File.packet()
  private static let uri = Array(File.trained.utf8)

  private static func mark(_ bytes: [UInt8]) -> Mark? { File.read(bytes).mark }

  // MARK: Boxes

  @Test func aBoxOfAnyFormIsRead() {
    let store = File.store([File.trained])
    let short = File.manifestBox(store)
    let content = Array(short.dropFirst(8))
    let long =
      File.number(1, bytes: 4) + Array("uuid".utf8) + File.number(content.count + 16, bytes: 8) + content
    // To the end of the file.
    let open = File.number(0, bytes: 4) + Array("uuid".utf8) + content
    for bytes in [short, short + File.box("mdat", [1, 2, 3]), long + short, open] {
      let reader = File.read(File.start + bytes)
      #expect(reader.mark == .trained && reader.manifest == store)
    }
    #expect(Self.mark(File.start + File.xmpBox(File.packet(File.composite))) == .composite)
    #expect(Self.mark(File.start + File.xmpBox(File.packet(File.camera))) == nil)
  }

  @Test func theFirstWordCounts() {
    let boxes = File.xmpBox(File.packet(File.composite)) + File.xmpBox(Self.packet)
    #expect(Self.mark(File.start + boxes) == .composite)
  }

  @Test func aBoxOfAnImpossibleSizeSaysNothing() {
    let short = File.manifestBox(File.store([File.trained]))
    let content = Array(short.dropFirst(8))
    for missing in [1, 40, content.count, content.count + 7] {
      #expect(Self.mark(File.start + short.dropLast(missing)) == nil, "\(missing) are missing")
    }
    for size in [2, 7, 8, 15, 23, Int(UInt32.max)] {
      #expect(Self.mark(File.start + File.number(size, bytes: 4) + short.dropFirst(4)) == nil)
    }
    for size in [0, 8, 15, 16, content.count + 17, 1 << 59, 1 << 60, Int.max, -1] {
      let bytes = File.number(1, bytes: 4) + Array("uuid".utf8) + File.number(size, bytes: 8) + content
      #expect(Self.mark(File.start + bytes) == nil, "a long size of \(size)")
    }
    let large = File.manifestBox(
      File.store([File.trained]) + [UInt8](repeating: 0, count: MarkReader.mostBytes))
    #expect(Self.mark(File.start + large) == nil)
  }

  @Test func theLastManifestOfAStoreCounts() {
    func found(_ sourceTypes: [String?]) -> Mark? {
      let store = File.store(sourceTypes)
      let reader = File.read(File.start + File.manifestBox(store))
      #expect(reader.manifest == (sourceTypes.isEmpty ? nil : store))
      return reader.mark
    }
    #expect(found([File.trained]) == .trained)
    #expect(found([File.camera, File.trained]) == .trained)
    // Of what a film was put together from.
    #expect(found([File.trained, File.camera]) == nil)
    #expect(found([File.trained, nil]) == nil)
    #expect(found([nil]) == nil)
    #expect(found([]) == nil)
    #expect(found([File.composite]) == .composite)
    let hashes = File.manifestBox(File.store([File.trained]), purpose: "merkle")
    #expect(Self.mark(File.start + hashes) == nil)
  }

  @Test func aManifestThatIsTooLargeIsReadAndNotKept() {
    let small = File.store([File.trained]).count
    for (size, isKept) in [(MarkReader.mostManifestBytes, true), (MarkReader.mostManifestBytes + 1, false)] {
      let store = File.store([File.trained], padding: size - small)
      #expect(store.count == size)
      let reader = File.read(File.start + File.manifestBox(store))
      #expect(reader.mark == .trained && reader.manifest == (isKept ? store : nil))
    }
  }

  // MARK: Metadata

  @Test func aPacketInUserDataIsFound() {
    let xmp = File.box("XMP_", Self.packet)
    #expect(Self.mark(File.movie(File.box("udta", xmp))) == .trained)
    // Beside others, and with the zero that ends such a list.
    let others = File.box("name", Array("Ann".utf8))
    #expect(Self.mark(File.movie(File.box("free"), File.box("udta", others, xmp, [0, 0, 0, 0]))) == .trained)
    #expect(Self.mark(File.movie(File.box("udta", [0, 0, 0, 0], xmp))) == nil)
    #expect(Self.mark(File.movie(xmp)) == nil)
  }

  @Test func anItemOfMetadataIsFoundByItsKeyOrByItsPacket() {
    let named = [("com.example.title", Array("Dawn".utf8)), ("org.iptc.DigitalSourceType", Self.uri)]
    for head in [[], [0, 0, 0, 0]] as [[UInt8]] {
      for keysFirst in [true, false] {
        let metadata = File.metadata(named, head: head, keysFirst: keysFirst)
        #expect(Self.mark(File.movie(metadata)) == .trained)
        #expect(Self.mark(File.movie(File.box("udta", metadata))) == .trained)
      }
    }
    #expect(Self.mark(File.movie(File.metadata([("digital_source_type", Self.uri)]))) == .trained)
    #expect(Self.mark(File.movie(File.metadata([("com.example.xmp", Self.packet)]))) == .trained)
    // An address by itself says nothing of the file.
    #expect(Self.mark(File.movie(File.metadata([("com.example.comment", Self.uri)]))) == nil)
    #expect(
      Self.mark(File.movie(File.metadata([("DigitalSourceType", Array(File.camera.utf8))]))) == nil)
  }

  @Test func whatIsTooLargeIsNotRead() {
    let padding = [UInt8](repeating: 0x20, count: MarkReader.mostBytes)
    let large = File.box("udta", File.box("XMP_", padding, Self.packet))
    #expect(Self.mark(File.movie(large)) == nil)
    #expect(Self.mark(File.movie(large, File.box("udta", File.box("XMP_", Self.packet)))) == .trained)
    #expect(Self.mark(File.movie(File.metadata([("xmp", padding + Self.packet)]))) == nil)
    // A picture of the cover beside it is not read for it.
    let beside = [("cover", padding), ("xmp", Self.packet)]
    #expect(Self.mark(File.movie(File.metadata(beside))) == .trained)
  }

  // MARK: Elements

  @Test func aTagIsFoundBehindTheMediaAndInOtherTags() {
    let named = File.tag("DIGITAL_SOURCE_TYPE", Self.uri)
    for found in [named, File.tag("XMP", Self.packet), File.tag("TITLE", Array("Dawn".utf8), named)] {
      let body = File.cluster + File.tags(found) + File.cluster
      #expect(Self.mark(File.matroska(body)) == .trained)
      #expect(Self.mark(File.header + File.segment + File.unknownSize + body) == .trained)
    }
    for other in [File.tag("COMMENT", Self.uri), File.tag("DIGITAL_SOURCE_TYPE", Array(File.camera.utf8))] {
      #expect(Self.mark(File.matroska(File.tags(other))) == nil)
    }
    // Behind a part whose size nobody knows.
    let open: [UInt8] = [0x1F, 0x43, 0xB6, 0x75] + File.unknownSize
    #expect(Self.mark(File.header + File.segment + File.unknownSize + open + File.tags(named)) == nil)
  }

  @Test func anAttachedPacketIsFoundAndTheMarkOfAPictureIsNot() {
    #expect(Self.mark(File.matroska(File.attached("clip.xmp", "text/plain", Self.packet))) == .trained)
    #expect(Self.mark(File.matroska(File.attached("clip", "application/rdf+xml", Self.packet))) == .trained)
    #expect(Self.mark(File.matroska(File.attached("cover.jpg", "image/jpeg", Self.packet))) == nil)
  }

  @Test func tagsThatLieInOneAnotherToAnyDepthAreReadToTheirEnd() {
    var inner = File.tag("DIGITAL_SOURCE_TYPE", Self.uri)
    for _ in 0..<500 { inner = File.element([0x67, 0xC8], inner) }
    #expect(Self.mark(File.matroska(File.tags(inner))) == .trained)
    let large = File.tag("XMP", [UInt8](repeating: 0x20, count: MarkReader.mostBytes) + Self.packet)
    #expect(Self.mark(File.matroska(File.tags(large))) == nil)
  }

  // MARK: Hostile files

  @Test func otherFilesSayNothing() {
    for bytes in [[], [0x47], [UInt8](repeating: 0x47, count: 400), Array("GIF89a".utf8)] as [[UInt8]] {
      #expect(Self.mark(bytes) == nil)
    }
    #expect(MarkReader(size: -1).wanted == nil && MarkReader(size: 0).wanted == nil)
  }

  /// A file that another program writes to is not what it was.
  @Test func aFileThatGivesLessThanItsSizeEndsTheReading() {
    let whole = File.start + File.box("mdat", [UInt8](repeating: 7, count: 90)) + File.xmpBox(Self.packet)
    for there in 0..<whole.count {
      #expect(File.read(Array(whole[..<there]), size: whole.count).mark == nil)
    }
  }

  @Test func boxesWithoutEndAreCounted() {
    let empty = File.box("free")
    let many = (0..<100_100).flatMap { _ in empty }
    #expect(Self.mark(File.start + many + File.xmpBox(Self.packet)) == nil)
    let few = (0..<1_000).flatMap { _ in empty }
    #expect(Self.mark(File.start + few + File.xmpBox(Self.packet)) == .trained)
  }

  @Test func sizesUpToTheLargestDoNotOverflow() {
    // Of a file that claims to be as large as a file can be.
    for size in [UInt64(Int64.max), 1 << 62, 1 << 40] {
      let head = File.number(1, bytes: 4) + Array("mdat".utf8) + File.number(Int(size), bytes: 8)
      #expect(File.read(head, size: Int(Int64.max)).mark == nil)
      let element = [UInt8](File.header) + [0xEC, 0x01] + File.number(Int(size >> 8), bytes: 7) + head
      #expect(File.read(element, size: Int(Int64.max)).mark == nil)
    }
  }

  @Test func damagedFilesAreReadToTheirEnd() {
    let movie =
      File.movie(
        File.box("udta", File.metadata([("a", Self.packet)]), File.box("XMP_", Self.packet)),
        File.metadata([("DigitalSourceType", Self.uri)], head: [0, 0, 0, 0]))
      + File.manifestBox(File.store([File.camera, File.trained])) + File.xmpBox(Self.packet)
    let matroska = File.matroska(
      File.tags(File.tag("XMP", Self.packet)), File.attached("a.xmp", "", Self.packet))
    var chance = SeededGenerator(seed: 11)
    for round in 0..<4000 {
      var bytes = round % 2 == 0 ? movie : matroska
      for _ in 0..<4 {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &chance) ?? 0
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance))
      #expect(File.read(bytes).manifest?.count ?? 0 <= bytes.count)
    }
  }
}
