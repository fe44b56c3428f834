import Contract
import Foundation
import Testing

@testable import PlatformTesting
@testable import Transcoding

/// Marks of AI beside boxes of the type uuid, as files bring them; which bytes say it, the core's own tests
/// hold (`MarkReaderTests`).
@Suite struct MetadataMarkTests {
  private static let packet = Provenance.SourceType.trainedAlgorithmicMedia.packet

  private static func read(_ bytes: [UInt8]) throws -> Provenance {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("marks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    return try Provenance(of: file)
  }

  /// With a size of four bytes.
  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + ManifestStore.number(content.count | 0x1000_0000, bytes: 4) + content
  }

  @Test func userDataOfAMovieIsRead() throws {
    let movie = ManifestStore.box(
      "moov", ManifestStore.box("udta", ManifestStore.box("XMP_", Self.packet)))
    let start = ManifestStore.box("ftyp", Array("qt  ".utf8))
    #expect(try Self.read(start + movie) == Provenance(.trainedAlgorithmicMedia))
    #expect(try Self.read(start + movie.dropLast()) == Provenance())
    #expect(try Self.read([]) == Provenance())
  }

  @Test func tagsOfMatroskaAreRead() throws {
    let tag = Self.element(
      [0x67, 0xC8], Self.element([0x45, 0xA3], Array("XMP".utf8)) + Self.element([0x44, 0x87], Self.packet))
    let tags = Self.element([0x12, 0x54, 0xC3, 0x67], Self.element([0x73, 0x73], tag))
    let file =
      Self.element([0x1A, 0x45, 0xDF, 0xA3], Array("matroska".utf8))
      + Self.element([0x18, 0x53, 0x80, 0x67], tags)
    #expect(try Self.read(file) == Provenance(.trainedAlgorithmicMedia))
  }
}
