import Contract
import Foundation
import Platform
import Testing

@testable import Exports
@testable import PlatformTesting

/// Archives are strangers' bytes: nothing of them is believed.
@Suite struct ArchiveReaderTests {
  private let contents = [
    Tape.lines("likes", #"{"clip_id":"a"}"#, #"{"clip_id":"b"}"#),
    Tape.Content(path: "media/a/video.mp4", text: String(repeating: "v", count: 700)) {
      ($0.clip, $0.role) = ("a", "video")
    },
  ]

  @Test func aWholeArchiveIsReadAsItWasWritten() async throws {
    let (likes, video, isLarger) = try await Tape.whole(contents).read { url in
      let reader = try ArchiveReader(url)
      #expect(reader.manifest == Tape.manifest(contents))
      #expect(reader.manifest.records == 2)
      let lines = Shared<[String]>([])
      try await reader.lines(of: "likes") { line in
        lines.with { $0.append(String(decoding: line, as: UTF8.self)) }
      }
      try await reader.lines(of: "bookmarks") { _ in Issue.record("there is no such list") }
      let target = url.appendingPathExtension("video")
      defer { try? FileManager.default.removeItem(at: target) }
      let isTaken = try reader.extract("media/a/video.mp4", to: target, atMost: 700)
      let isLarger = try reader.extract("media/a/video.mp4", to: target, atMost: 699)
      #expect(isTaken)
      return (lines.with { $0 }, try reader.bytes(of: "media/a/video.mp4", atMost: 700), isLarger)
    }
    #expect(likes == [#"{"clip_id":"a"}"#, #"{"clip_id":"b"}"#])
    #expect(video?.count == 700 && !isLarger)
  }

  @Test func whoUnpacksAndPacksItAgainHasAnArchive() async throws {
    var tape = Tape()
    tape.add("./", []) { $0[156] = UInt8(ascii: "5") }
    for content in contents { tape.add("./" + content.path, Array(content.text.utf8)) }
    tape.add("./manifest.json", [UInt8](try WireCoding.encode(Tape.manifest(contents))))
    tape.end()
    #expect(try await tape.failure() == nil)
  }

  @Test func anArchiveThatWasCutOffIsNone() async throws {
    let whole = try Tape.whole(contents).bytes
    for length in stride(from: 0, to: whole.count - 1024, by: 97) {
      #expect(try await Tape(bytes: Array(whole.prefix(length))).failure() != nil, "\(length)")
    }
  }

  @Test func whateverIsChangedIsNoticed() async throws {
    let whole = try Tape.whole(contents)
    for place in stride(from: 0, to: whole.bytes.count - 1024, by: 13) {
      var changed = whole
      changed.bytes[place] ^= 0x10
      guard try await changed.failure() == nil else { continue }
      // What fills a block up, and what a manifest says beside hashes, is covered by none.
      let manifest = try await changed.read { try ArchiveReader($0).manifest }
      let told = Tape.manifest(contents).files
      #expect(manifest.files.map(\.path) == told.map(\.path), "\(place)")
      #expect(manifest.files.map(\.sha256) == told.map(\.sha256), "\(place)")
    }
  }

  @Test func aPathThatLeadsElsewhereIsRefused() async throws {
    for path in [
      "../records/likes.jsonl", "/etc/passwd", "records/../../x", "records//x", "records/.hidden", "a/b/c/d",
      "..",
      "records/a b", "records/a\\b", "./../x", "records/",
    ] {
      var tape = Tape()
      tape.add(path, [])
      tape.end()
      guard case .unsafe? = try await tape.failure() else {
        // A blank is no byte of a name at all.
        #expect(try await tape.failure() == .damaged("a header that cannot be read"), "\(path)")
        continue
      }
    }
  }

  @Test(arguments: Array("123467xgLKS".utf8))
  func onlyFilesAndFoldersAreTaken(_ type: UInt8) async throws {
    var tape = Tape()
    tape.add("records/likes.jsonl", []) { $0[156] = type }
    tape.end()
    #expect(
      try await tape.failure() == .unsafe("something that is neither a file nor a folder"), "\(type)")
  }

  @Test func aSizeBeyondTheFileIsOneThatWasCutOff() async throws {
    for size: Int64 in [1024, 1 << 40, .max] {
      var tape = Tape()
      tape.add("records/likes.jsonl", [], size: size)
      tape.end()
      tape.bytes.removeLast(600)
      #expect(try await tape.failure() == .cutOff, "\(size)")
    }
  }

  @Test func aFileThatIsThereTwiceIsRefused() async throws {
    var tape = Tape()
    for _ in 0..<2 { tape.add("records/likes.jsonl", []) }
    tape.end()
    #expect(try await tape.failure() == .unsafe("records/likes.jsonl twice"))
  }

  @Test func whatTheManifestDoesNotNameIsRefused() async throws {
    let tape = try Tape.whole(contents) { $0.files.removeFirst() }
    #expect(try await tape.failure() == .unsafe("records/likes.jsonl, which the manifest does not name"))
  }

  @Test func whatTheManifestSaysOtherwiseIsDamage() async throws {
    for change: (inout ArchiveManifest) -> Void in [
      { $0.files[0].sizeBytes += 1 }, { $0.files[0].sizeBytes = -1 },
      { $0.files[0].path = "records/none.jsonl" },
      { $0.files.append($0.files[0]) }, { $0.files[1].sha256 = ContentHash.of([1]) },
      { $0.files[1].sha256 = "" },
    ] {
      guard case .damaged? = try await Tape.whole(contents, manifest: change).failure() else {
        Issue.record("it was taken")
        continue
      }
    }
  }

  @Test func anotherVersionIsSaidToBeOne() async throws {
    #expect(try await Tape.whole(contents) { $0.version = 2 }.failure() == .unknownVersion(2))
    #expect(try await Tape.whole(contents) { $0.format = "other" }.failure() == .noArchive)
  }

  @Test func whatIsNoArchiveIsNone() async throws {
    var empty = Tape()
    empty.end()
    #expect(try await empty.failure() == .noArchive)
    #expect(try await Tape(bytes: Array("PK\u{3}\u{4}".utf8)).failure() == .cutOff)
    #expect(try await Tape(bytes: [UInt8](repeating: 65, count: 4096)).failure() == .noArchive)
    #expect(throws: ArchiveFailure.unreadable) { try ArchiveReader(URL(fileURLWithPath: "/nowhere/a.tar")) }
  }

  /// A piece is gone through once, however many lines it has.
  @Test func linesWithNothingInThemTakeNoTime() async throws {
    let text = String(repeating: "\n", count: 4 << 20) + #"{"clip_id":"a"}"#
    try await Tape.whole([Tape.Content(path: "records/likes.jsonl", text: text)]).read { url in
      let lines = Shared<[String]>([])
      try await ArchiveReader(url).lines(of: "likes") { line in
        lines.with { $0.append(String(decoding: line, as: UTF8.self)) }
      }
      #expect(lines.with { $0 } == [#"{"clip_id":"a"}"#])
    }
  }

  @Test func aLineWithoutAnEndTakesNoMemory() async throws {
    let long = Tape.Content(path: "records/likes.jsonl", text: String(repeating: "x", count: 3 << 20))
    try await Tape.whole([long]).read { url in
      let reader = try ArchiveReader(url)
      await #expect(throws: ArchiveFailure.tooLarge("a line of likes")) {
        try await reader.lines(of: "likes") { _ in }
      }
    }
  }
}
