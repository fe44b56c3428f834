import CoreTypes
import Foundation
import MachineHost
import Testing
import Upload
import UploadWire

/// Names and numbers here are those of docs/design/upload.md. That the numbers of fields are too is tested
/// in web/tests/upload.test.mjs, through WebAssembly.
@Suite struct DescriptionTests {
  private static let text = try! String(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/design/upload.md").standardizedFileURL, encoding: .utf8)

  /// `name` by number in the table under a heading.
  private static func table(_ heading: String) -> [Int64: String] {
    let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) } ?? ""
    return section.split(separator: "\n").reduce(into: [:]) { table, line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count > 1, let number = Int64(cells[0]) else { return }
      table[number] = cells[1].trimmingCharacters(in: ["`"])
    }
  }

  private static func name(_ value: some Any) -> String {
    String(String(describing: value).prefix { $0 != "(" })
  }

  @Test func events() {
    let call = CallID(1)
    let source = SourceFile(
      file: FileID(1), size: Bytes(2), duration: SourceFile.unknownDuration, kind: .webm)
    let offer = Upload.PartOffer(size: Bytes(1), validFor: Milliseconds(2), stored: [3, 4])
    let events: [Upload.Event] = [
      .woke, .opened(seed: UploadKey(high: 1, low: 2), canCompress: true, canTrim: false),
      .restored(Self.snapshot), .fileChosen(source), .networkChanged(isOnline: false), .signedIn,
      .uplinkMeasured(BitsPerSecond(9)),
      .publishRequested, .pauseTapped, .resumeTapped, .retryTapped, .cancelTapped,
      .workProgressed(call, permille: 5), .prepared(call, source), .prepareFailed(call),
      .hashed(call, FileHash(1, 2, 3, 4)), .fileUnreadable(call),
      .receiving(call, Upload.Offer(offset: Bytes(1), smallest: Bytes(2), largest: Bytes(3))),
      .receivingParts(call, offer), .bytesSent(call, Bytes(1)), .bytesTaken(call, offset: Bytes(2)),
      .partTaken(call), .processing(nil, permille: 1, renditions: 2), .published(call),
      .refused(call, code: 4), .terminated(call),
      .failed(call, Upload.Failure(.gone, detail: 3, retryAfter: Milliseconds(4))),
    ]
    let here = Dictionary(uniqueKeysWithValues: events.map { ($0.row[0], Self.name($0)) })
    #expect(here == Self.table("Events"))
    for event in events {
      let read = event.row.withUnsafeBufferPointer { Upload.Event(words: $0) }
      #expect(String(describing: read!) == String(describing: event))
    }
  }

  @Test func commands() {
    let call = CallID(1)
    let file = FileID(2)
    let some = Bytes(3)
    let commands: [Upload.Command] =
      Self.created + [
        .forget, .findFile(size: some, isProduct: true), .noticeOtherFile(file),
        .compress(call, file, target: some),
        .offerTrim(call, file, longest: Milliseconds(1), largest: some), .stopWork(call), .dropFile(file),
        .ask(call), .sendBytes(call, file, offset: some, size: some),
        .sendPart(call, file, part: 1, offset: some, size: some), .commit(call), .poll(call),
        .terminate(call), .abandon(call), .askSignIn,
      ]
    let here = commands.reduce(into: [Int64: String]()) { table, command in
      var words: [Int64] = []
      command.append(to: &words)
      #expect(words.count == Int(words[1]) + 2)
      table[words[0]] = Self.name(command)
    }
    #expect(here == Self.table("Commands"))
  }

  @Test func phasesAndReasons() {
    let phases = Self.table("Phases")
    for number: Int32 in 0..<64 {
      #expect(Upload.Phase(rawValue: number).map { "\($0)" } == phases[Int64(number)])
    }
    let reasons = Self.table("Failures")
    for number: Int32 in 1..<64 {
      #expect(Upload.Reason(rawValue: number).map { "\($0)" } == reasons[Int64(number)])
    }
  }

  @Test func rowsThatAreCutShortTooLongOrImpossibleAreRefused() {
    for words: [Int64] in [
      [], [119], [145], [145, 1, 2], [146],
      [50, 1], [120, 1, 2, 0], [120, 1, 2, 0, 2], [121, 1], [122, 1, 2, 3], [123, 2],
      [125, 0],
      [131, 1, 2, 3, 4], [133, 1, 2, 3, 4], [135, 1, 0, 0], [136, 1, 5, 0, -1], [136, 1, 5, 0, 2, 1],
      [136, 1, 5, 0, 1, 1, 2], [136, 1, 5, 0, 1, 1 << 40], [139, 1 << 40], [144, 1, 0, 0, 0],
      [144, 1, 12, 0, 0],
      [144, 1, 21, 0, 0], [121] + Self.snapshot.words + [0],
    ] {
      #expect(words.withUnsafeBufferPointer { Upload.Event(words: $0) } == nil, "\(words)")
    }
  }

  /// What creating an upload brings about: `store`, `hash`, `create` and `show`.
  private static let created: [Upload.Command] = {
    var upload = Upload()
    var commands: [Upload.Command] = []
    let source = SourceFile(file: FileID(1), size: Bytes(9), duration: Milliseconds(900), kind: .mp4)
    let events: [Upload.Event] = [
      .opened(seed: UploadKey(high: 1, low: 2), canCompress: false, canTrim: false), .fileChosen(source),
      .hashed(CallID(1), FileHash(1, 2, 3, 4)),
    ]
    for event in events { upload.handle(event, at: Instant(0)) { commands.append($0) } }
    return commands
  }()

  private static let snapshot: Snapshot = {
    for case .store(let snapshot) in created.reversed() { return snapshot }
    fatalError("nothing is stored")
  }()
}
