import Composer
import ComposerWire
import CoreTypes
import Foundation
import Looks
import Recording
import StudioWire
import Testing

/// Names and numbers here are those of docs/design/studio.md. That the numbers of fields are too is
/// tested in web/tests/studio.test.mjs, through WebAssembly.
@Suite struct DescriptionTests {
  private static let text = try! String(
    contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/design/studio.md").standardizedFileURL, encoding: .utf8)

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

  @Test func composerEvents() {
    let events: [Composer.Event] = [
      .itemRemoved(ItemID(1)), .viewportResized(height: 1), .backgrounded, .woke, .currentChanged(nil),
      .lengthLimited(characters: 1), .signedInChanged(true), .messagesChanged(ItemID(1), areOpen: true),
      .fieldFocused, .fieldBlurred, .fieldDismissed, .textChanged(ItemID(1), characters: 1, isBlank: true),
      .draftRestored(ItemID(1), characters: 1, isBlank: true), .textMeasured(height: 1, lineHeight: 1),
      .keyboardMoved(height: 1), .sendTapped, .reactionTapped(reaction: 1), .messageSent(MessageID(1)),
      .messageFailed(MessageID(1), .server),
    ]
    let here = Dictionary(uniqueKeysWithValues: events.map { ($0.row[0], Self.name($0)) })
    #expect(here == Self.table("Composer events"))
    for event in events {
      let read = event.row.withUnsafeBufferPointer { Composer.Event(words: $0) }
      #expect(String(describing: read!) == String(describing: event))
    }
  }

  @Test func composerCommands() {
    var bars: [Composer.Command] = []
    var composer = Composer()
    composer.handle(.currentChanged(ItemID(1)), at: Instant(0)) { bars.append($0) }
    let commands: [Composer.Command] =
      bars + [
        .lockFeed(true), .holdClip(true), .leaveField, .showText(ItemID(1)), .storeText(ItemID(1)),
        .dropText(ItemID(1)), .sendMessage(MessageID(1), ItemID(1)), .cancelMessage(MessageID(1)),
        .sendReaction(MessageID(1), ItemID(1), reaction: 1), .askSignIn, .noticeUnsent(ItemID(1)),
        .returnText(MessageID(1), ItemID(1)), .noticeReturned(ItemID(1)),
      ]
    let here = commands.reduce(into: [Int64: String]()) { table, command in
      var words: [Int64] = []
      command.append(to: &words)
      #expect(words.count == Int(words[1]) + 2)
      table[words[0]] = Self.name(command)
    }
    #expect(here == Self.table("Composer commands"))
  }

  @Test func recordingEvents() {
    let clip = ClipID(1)
    let events: [Recording.Event] = [
      .opened, .restored(limit: Recording.longest, [Self.recorded]), .limitChosen(Recording.longest),
      .countdownChosen(seconds: 3), .speedChosen(percent: 50), .cameraReady(.front, hasTorch: true), .pressed,
      .released(held: Recording.holdTime), .flipTapped, .torchTapped, .undoTapped, .undoCancelled,
      .finishTapped, .closeTapped,
      .keepConfirmed, .discardConfirmed, .captureStarted(clip), .captureFinished(clip, Milliseconds(1)),
      .captureFailed(clip), .obstacleChanged(.background, isThere: true), .assembled, .assemblyFailed,
      .assemblyCancelled, .returned, .woke,
    ]
    let here = Dictionary(uniqueKeysWithValues: events.map { ($0.row[0], Self.name($0)) })
    #expect(here == Self.table("Recording events"))
    for event in events {
      let read = event.row.withUnsafeBufferPointer { Recording.Event(words: $0) }
      #expect(String(describing: read!) == String(describing: event))
    }
  }

  @Test func recordingCommands() {
    let clip = ClipID(1)
    var controls: [Recording.Command] = []
    var recording = Recording()
    recording.handle(.speedChosen(percent: 50), at: Instant(0)) { controls.append($0) }
    let commands: [Recording.Command] =
      controls + [
        .useCamera(.back), .setTorch(true), .startCapture(clip, .back, longest: Milliseconds(1)),
        .stopCapture(clip), .dropClip(clip), .storeList(limit: Recording.longest, [Self.recorded]),
        .assemble([Self.recorded]), .cancelAssembly, .tick(seconds: 1), .askDiscard, .close,
        .noticeClipLost(clip), .noticeTooShort(clip),
      ]
    let here = commands.reduce(into: [Int64: String]()) { table, command in
      var words: [Int64] = []
      command.append(to: &words)
      #expect(words.count == Int(words[1]) + 2)
      table[words[0]] = Self.name(command)
    }
    #expect(here == Self.table("Recording commands"))
  }

  @Test func looks() {
    let here = Dictionary(uniqueKeysWithValues: Look.allCases.map { (Int64($0.rawValue), "\($0)") })
    #expect(here == Self.table("Looks"))
  }

  private static let recorded = RecordedClip(
    clip: ClipID(1), captured: Milliseconds(2), played: Milliseconds(4), speed: 50, camera: .front,
    take: ClipID(1))
}
