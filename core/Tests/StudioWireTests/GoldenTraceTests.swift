import Composer
public import ComposerWire
public import CoreTesting
import CoreTypes
import Looks
import Recording
public import StudioWire
import Testing

extension ComposerEventKind: NamedRow {}
extension ComposerCommandKind: NamedRow {}
extension RecordingEventKind: NamedRow {}
extension RecordingCommandKind: NamedRow {}

extension RowNames {
  static let composer = RowNames().adding(ComposerEventKind.self, ComposerCommandKind.self)
  static let recording = RowNames().adding(RecordingEventKind.self, RecordingCommandKind.self)
}

@Suite struct GoldenTraceTests {
  @Test(arguments: ComposerRecordings.all.keys.sorted())
  func theComposerGivesTheSameCommands(name: String) throws {
    if Trace.records { try Trace.write("studio/" + name, ComposerRecordings.all[name]!(), .composer) }
    let golden = try Trace.read("studio/" + name)
    #expect(golden.count > 50)
    #expect(try Trace.text("studio/" + name) == golden.map(RowNames.composer.added(to:)), "names")
    #expect(Trace.replay(golden, through: Composer.self) == golden)
  }

  @Test(arguments: RecordingRecordings.all.keys.sorted())
  func theRecordingGivesTheSameCommands(name: String) throws {
    if Trace.records { try Trace.write("studio/" + name, RecordingRecordings.all[name]!(), .recording) }
    let golden = try Trace.read("studio/" + name)
    #expect(golden.count > 50)
    #expect(try Trace.text("studio/" + name) == golden.map(RowNames.recording.added(to:)), "names")
    #expect(Trace.replay(golden, through: Recording.self) == golden)
  }

  @Test func theLooksGiveTheSameTables() throws {
    let lines = Look.allCases.flatMap { look in
      (look.rawValue % 6 == 5 ? [100, 35] : [100]).map { Self.line(look, strength: $0) }
    }
    if Trace.records { try Trace.write("studio/looks", lines) }
    #expect(try Trace.text("studio/looks") == lines)
  }

  /// `look <number> <strength> <FNV-1a of all words> <FNV-1a of all bytes>` and the levels of the entries
  /// (0, 0, 0), (16, 16, 16), (32, 32, 32) and of a skin tone, for whoever reads a diff.
  private static func line(_ look: Look, strength: Int32) -> String {
    let table = LookTable(look, strength: strength)
    let samples = [(0, 0, 0), (16, 16, 16), (32, 32, 32), (27, 20, 16)].map { red, green, blue in
      let at = 4 * (red + LookTable.edge * (green + LookTable.edge * blue))
      return table.words[at..<at + 3].map { String($0 >> 8) }.joined(separator: ",")
    }
    return (["look", "\(look.rawValue)", "\(strength)", hash(table.words), hash(table.bytes)] + samples)
      .joined(separator: " ")
  }

  private static func hash(_ numbers: [some FixedWidthInteger]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for number in numbers { hash = (hash ^ UInt64(number)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}

private enum ComposerRecordings {
  static let all: [String: @Sendable () -> [String]] = [
    "composer-writing": writing, "composer-sending": sending, "composer-hostile": hostile,
  ]

  private static func started() -> Script<Composer> {
    var script = Script<Composer>()
    for event: Composer.Event in [
      .viewportResized(height: 844), .lengthLimited(characters: 200), .signedInChanged(true),
      .currentChanged(ItemID(0)),
    ] { script.send(event.row) }
    return script
  }

  @Sendable static func writing() -> [String] {
    var script = started()
    script.send(Composer.Event.fieldFocused.row)
    script.send(Composer.Event.keyboardMoved(height: 336).row)
    for characters: Int32 in stride(from: 10, through: 210, by: 20) {
      script.wait(170)
      script.send(
        Composer.Event.textChanged(ItemID(0), characters: characters, isBlank: characters == 10).row)
      script.send(
        Composer.Event.textMeasured(height: Int64(characters / 30 + 1) * 21, lineHeight: 21).row)
    }
    let events: [Composer.Event] = [
      .backgrounded, .keyboardMoved(height: 0), .fieldDismissed, .fieldBlurred, .currentChanged(ItemID(1)),
      .draftRestored(ItemID(2), characters: 12, isBlank: false), .reactionTapped(reaction: 3),
      .fieldFocused, .messagesChanged(ItemID(1), areOpen: false), .fieldBlurred, .fieldFocused,
      .currentChanged(ItemID(2)), .fieldFocused, .textChanged(ItemID(2), characters: 0, isBlank: true),
      .itemRemoved(ItemID(2)), .currentChanged(ItemID(0)), .signedInChanged(false), .fieldFocused,
      .signedInChanged(true), .textChanged(ItemID(0), characters: 30, isBlank: false), .sendTapped,
    ]
    for event in events {
      script.send(event.row)
      script.wait(400)
    }
    return script.trace
  }

  @Sendable static func sending() -> [String] {
    var script = started()
    for reaction: Int32 in 0..<8 {
      script.send(Composer.Event.reactionTapped(reaction: reaction).row)
      script.wait(90)
    }
    script.wait(5_000)
    let write = Composer.Event.textChanged(ItemID(0), characters: 9, isBlank: false)
    let events: [Composer.Event] = [
      .fieldFocused, write, .sendTapped, .sendTapped, .messageFailed(MessageID(6), .network), .sendTapped,
      .currentChanged(ItemID(1)), .textChanged(ItemID(1), characters: 4, isBlank: false), .sendTapped,
      .messageSent(MessageID(6)), .sendTapped, .messageFailed(MessageID(7), .refused), .sendTapped,
      .textChanged(ItemID(1), characters: 5, isBlank: false), .sendTapped,
      .textChanged(ItemID(1), characters: 6, isBlank: false), .messageSent(MessageID(8)), .sendTapped,
      .itemRemoved(ItemID(1)), .messageFailed(MessageID(9), .server), .currentChanged(ItemID(0)), write,
      .sendTapped,
    ]
    for event in events {
      script.send(event.row)
      script.wait(250)
    }
    script.wait(25_000)
    script.send(Composer.Event.messageSent(MessageID(10)).row)
    return script.trace
  }

  @Sendable static func hostile() -> [String] {
    Trace.hostile(
      Composer.self, seed: 6,
      fields: [
        (5...5, 1), (10...10, 2), (46...46, 0), (50...50, 0), (60...62, 1), (63...63, 2), (64...64, 0),
        (64...66, 0), (67...67, 3), (67...68, 3), (69...69, 2), (70...70, 1), (71...71, 0), (71...71, 0),
        (72...73, 1), (73...73, 1), (74...74, 2),
      ], start: [[62, 1], [60, 1]])
  }
}

private enum RecordingRecordings {
  static let all: [String: @Sendable () -> [String]] = [
    "recording-takes": takes, "recording-trouble": trouble, "recording-hostile": hostile,
  ]

  private static func play(_ script: inout Script<Recording>, _ events: [Recording.Event], each time: Int64) {
    for event in events {
      script.send(event.row)
      script.wait(time)
    }
  }

  @Sendable static func takes() -> [String] {
    var script = Script<Recording>()
    play(
      &script,
      [
        .opened, .cameraReady(.back, hasTorch: true), .limitChosen(Milliseconds(15_000)),
        .countdownChosen(seconds: 3), .pressed, .released(held: Milliseconds(100)),
      ], each: 100)
    script.wait(3_000)
    play(&script, [.captureStarted(ClipID(1)), .torchTapped, .flipTapped], each: 1_500)
    play(
      &script,
      [
        .captureFinished(ClipID(1), Milliseconds(3_040)), .cameraReady(.front, hasTorch: false),
        .captureStarted(ClipID(2)), .speedChosen(percent: 30), .pressed, .released(held: Milliseconds(300)),
        .captureFinished(ClipID(2), Milliseconds(610)), .countdownChosen(seconds: 0), .pressed,
        .captureStarted(ClipID(3)),
      ], each: 300)
    script.wait(800)
    play(
      &script,
      [
        .released(held: Milliseconds(1400)), .captureFinished(ClipID(3), Milliseconds(1_111)), .undoTapped,
        .undoTapped,
        .speedChosen(percent: 50), .pressed, .released(held: Milliseconds(50)), .captureStarted(ClipID(4)),
      ], each: 50)
    script.wait(9_000)
    play(
      &script,
      [
        .captureFinished(ClipID(4), Milliseconds(6_000)), .finishTapped, .assemblyFailed,
        .cameraReady(.front, hasTorch: false), .finishTapped, .assembled, .returned, .undoTapped,
        .undoTapped, .closeTapped, .discardConfirmed,
      ], each: 40)
    return script.trace
  }

  @Sendable static func trouble() -> [String] {
    var script = Script<Recording>()
    func clip(_ number: Int32, _ captured: Int64, _ speed: Int32) -> RecordedClip {
      RecordedClip(
        clip: ClipID(number), captured: Milliseconds(captured), played: .zero, speed: speed, camera: .back,
        take: ClipID(number))
    }
    play(
      &script,
      [
        .restored(limit: Milliseconds(30_000), [clip(2, 9_000, 200), clip(3, 0, 100), clip(7, 2_000, 70)]),
        .opened, .obstacleChanged(.notPermitted, isThere: true), .cameraReady(.back, hasTorch: true),
        .pressed, .released(held: Milliseconds(120)), .obstacleChanged(.notPermitted, isThere: false),
        .cameraReady(.back, hasTorch: true), .pressed, .captureStarted(ClipID(8)), .torchTapped,
        .obstacleChanged(.interruption, isThere: true), .released(held: Milliseconds(480)),
        .captureFinished(ClipID(8), Milliseconds(240)), .obstacleChanged(.background, isThere: true),
        .obstacleChanged(.interruption, isThere: false), .obstacleChanged(.background, isThere: false),
        .cameraReady(.back, hasTorch: true), .pressed, .released(held: Milliseconds(120)),
      ], each: 120)
    script.wait(6_000)
    play(
      &script,
      [
        .pressed, .released(held: Milliseconds(120)), .captureStarted(ClipID(10)),
        .captureFinished(ClipID(9), Milliseconds(700)),
        .obstacleChanged(.storageFull, isThere: true), .captureFinished(ClipID(10), Milliseconds(360)),
        .pressed, .obstacleChanged(.storageFull, isThere: false), .pressed,
        .released(held: Milliseconds(120)),
        .captureFailed(ClipID(11)), .pressed, .released(held: Milliseconds(120)), .captureStarted(ClipID(12)),
        .flipTapped,
      ], each: 120)
    script.wait(6_000)
    play(
      &script,
      [.cameraReady(.front, hasTorch: false), .pressed, .captureStarted(ClipID(13)), .closeTapped],
      each: 500)
    play(&script, [.captureFinished(ClipID(13), Milliseconds(900)), .keepConfirmed], each: 100)
    return script.trace
  }

  @Sendable static func hostile() -> [String] {
    Trace.hostile(
      Recording.self, seed: 8,
      fields: [
        (50...50, 0), (80...80, 0), (81...81, 8), (82...84, 1), (85...85, 2), (85...85, 2), (86...86, 0),
        (87...87, 1), (86...90, 0), (91...95, 0), (96...96, 1), (96...96, 1), (97...97, 2), (97...97, 2),
        (98...98, 1), (99...99, 2), (100...103, 0),
      ], start: [[80], [85, 0, 1], [86], [87, 120], [96, 1], [97, 1, 5_000]])
  }
}
