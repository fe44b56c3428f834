import Foundation
import Platform
import Testing

@testable import Exports
@testable import PlatformTesting

@Suite struct TarHeaderTests {
  private static let sizes: [Int64] = [0, 1, 511, 512, (1 << 33) - 1, 1 << 33, 1 << 40, .max]

  @Test(arguments: sizes)
  func aSizeIsReadAsItWasWritten(_ size: Int64) throws {
    let header = TarHeader(path: "media/a/video.mp4", size: size)
    let block = header.bytes(seconds: 1_700_000_000)
    #expect(block.count == 512)
    #expect(try TarHeader.read(block) == header)
  }

  @Test func aFileIsFilledUpToTheNextBlock() {
    #expect(TarHeader.padding(behind: 0) == 0)
    #expect(TarHeader.padding(behind: 1) == 511)
    #expect(TarHeader.padding(behind: 512) == 0)
    #expect(TarHeader.padding(behind: Int64.max) == 1)
  }

  @Test func anEmptyBlockIsNoHeaderAndHalfOfOneIsCutOff() throws {
    #expect(try TarHeader.read([UInt8](repeating: 0, count: 512)) == nil)
    #expect(throws: ArchiveFailure.cutOff) { try TarHeader.read([UInt8](repeating: 0, count: 511)) }
  }

  @Test func whateverIsChangedInAHeaderIsNoticed() throws {
    let block = TarHeader(path: "records/likes.jsonl", size: 4711).bytes(seconds: 1_700_000_000)
    for place in block.indices {
      var changed = block
      changed[place] ^= 0x01
      // The sum itself has two bytes behind it that nobody reads.
      if let header = try? TarHeader.read(changed) {
        #expect(header == (try TarHeader.read(block)), "\(place)")
      }
    }
  }

  @Test func noBytesAreTooWild() {
    var random = SplitMix(state: 7)
    for _ in 0..<2000 {
      var block = (0..<512).map { _ in UInt8.random(in: 0...255, using: &random) }
      if Bool.random(using: &random) {
        for (place, byte) in "ustar\u{0}00".utf8.enumerated() { block[257 + place] = byte }
      }
      _ = try? TarHeader.read(Tape.summed(block))
    }
  }

  /// What we write is for people with ordinary tools.
  @Test func tarReadsWhatIsWritten() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.tar")
    let writer = try ArchiveWriter(at: url, timeMs: 1_700_000_000_000)
    try writer.begin("records/likes.jsonl", size: 3)
    try writer.append([1, 2])
    try writer.append([3])
    try writer.end()
    try writer.finish(Data("{}".utf8))
    #expect(writer.files.map(\.path) == ["records/likes.jsonl", "manifest.json"])
    #expect(writer.bytes == Int64(try #require(FileStatus(of: url.path)).size))
    let (status, output) = try Shell.run("/bin/tar", ["-tvf", url.path])
    #expect(status == 0)
    #expect(output.contains("records/likes.jsonl") && output.contains("manifest.json"))
  }

  @Test func aFileThatIsLongerOrShorterThanWasSaidIsRefused() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tar")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try ArchiveWriter(at: url, timeMs: 0)
    try writer.begin("a", size: 2)
    #expect(throws: AppError.self) { try writer.append([1, 2, 3]) }
    try writer.append([1])
    #expect(throws: AppError.self) { try writer.end() }
  }
}
