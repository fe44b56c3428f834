import Composer
import ComposerWire
import CoreTesting
import CoreTypes
import Session
import SessionWire
import Testing

/// The codec is held to the tables of names by name: what a number is read as, and what a command is written
/// as.
@Suite struct ProtocolTests {
  private struct Row {
    var words: [Int64]
    var event: FeedSession.Event
    var commands: [FeedSession.Command]
  }

  /// All that is taken in the golden traces.
  private static let rows: [Row] = GoldenTraceTests.recordings.keys.flatMap { name in
    var rows: [Row] = []
    var session = FeedSession()
    _ = Trace.replay(try! Trace.read("traces/" + name)) { words, now in
      guard let event = FeedSession.Event(words: words) else { return nil }
      var commands: [FeedSession.Command] = []
      session.handle(event, at: now) { commands.append($0) }
      rows.append(Row(words: Array(words), event: event, commands: commands))
      return []
    }
    return rows
  }

  /// Of the case, in whichever machine's enum it stands.
  private static func name(_ value: some Any) -> String {
    guard let inner = Mirror(reflecting: value).children.first, let label = inner.label else {
      return "\(value)"
    }
    return ["storage", "composer"].contains(label) ? name(inner.value) : label
  }

  @Test func everyEventStandsInATraceAndIsReadAsItsName() {
    var missing = Set(EventKind.allCases.map { "\($0)" })
      .union(ComposerEventKind.allCases.filter(\.isOfHost).map { "\($0)" })
    for row in Self.rows {
      // A clip whose numbers make no sense.
      if case .itemRefused = row.event { continue }
      let name =
        EventKind(rawValue: row.words[0]).map { "\($0)" }
        ?? ComposerEventKind(rawValue: row.words[0]).map { "\($0)" }
      #expect(name == Self.name(row.event))
      missing.remove(Self.name(row.event))
    }
    #expect(missing == [])
  }

  @Test func anEventHasAsManyFieldsAsItsTableSays() {
    for row in Self.rows {
      let fields =
        EventKind(rawValue: row.words[0])?.row.fields ?? ComposerEventKind(rawValue: row.words[0])!.row.fields
      let isOpen = fields.last?.hasPrefix("…") == true
      #expect(isOpen ? row.words.count >= fields.count : row.words.count == fields.count + 1, "\(row.event)")
    }
  }

  @Test func everyCommandStandsInATraceAndIsWrittenAsItsTableSays() {
    var missing = Set(CommandKind.allCases.map { "\($0)" })
      .union(ComposerCommandKind.allCases.filter(\.isForHost).map { "\($0)" })
    for command in Self.rows.flatMap(\.commands) {
      var words: [Int64] = []
      command.append(to: &words)
      let name =
        CommandKind(rawValue: words[0]).map { "\($0)" }
        ?? ComposerCommandKind(rawValue: words[0]).map { "\($0)" }
      #expect(name == Self.name(command))
      let fields =
        CommandKind(rawValue: words[0])?.row.fields ?? ComposerCommandKind(rawValue: words[0])!.row.fields
      #expect(words.count == fields.count + 2 && words[1] == Int64(fields.count), "\(command)")
      missing.remove(Self.name(command))
    }
    // NB: `forget` takes a feed of 4,096 clips, which would make a long trace.
    #expect(missing == ["forget"])
  }
}
