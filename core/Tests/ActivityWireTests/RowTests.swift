import Activity
import ActivityWire
import CoreTypes
import Testing

/// Rows against the table from which docs/design/activity.md is made.
@Suite struct RowTests {
  private static let item = ItemID(7)
  private static let toggle = ToggleID(8)

  private static func name(_ value: some Any) -> String {
    String(String(describing: value).prefix { $0 != "(" })
  }

  @Test func everyEventIsReadFromItsRow() {
    let rows: [(row: [Int64], event: Activity.Event)] = [
      ([50], .woke),
      ([150, 7, 900, -1], .clipShown(Self.item, duration: Milliseconds(900), watched: nil)),
      ([150, 7, 900, 0], .clipShown(Self.item, duration: Milliseconds(900), watched: .zero)),
      ([151], .playing), ([152, 5], .advanced(to: Milliseconds(5))), ([153], .waiting), ([154], .paused),
      ([155], .pageHidden), ([156], .batchAnswered), ([157, 503], .batchFailed(status: 503)),
      ([158, 8, 1, 0], .toggleRequested(Self.toggle, isOn: true, known: false)),
      ([159, 8], .toggleAnswered(Self.toggle)), ([160, 8, 0], .toggleFailed(Self.toggle, status: 0)),
      ([161], .togglesForgotten),
    ]
    for (row, event) in rows {
      let read = row.withUnsafeBufferPointer { Activity.Event(words: $0) }
      #expect(read.map { String(describing: $0) } == String(describing: event))
      let kind = ActivityEventKind(rawValue: row[0])!
      #expect("\(kind)" == Self.name(event))
      #expect(kind.row.fields.count == row.count - 1)
    }
    #expect(Set(rows.map { $0.row[0] }).count == ActivityEventKind.allCases.count)
  }

  @Test func everyCommandHasTheFieldsOfItsTable() {
    var activity = Activity()
    var commands: [Activity.Command] = [
      .sendBatch(first: 1, count: 2), .sendBeacon(first: 1, count: 2), .dropRecords(first: 1, count: 2),
      .sendToggle(Self.toggle, isOn: true), .showToggle(Self.toggle, isOn: true),
      .confirmToggle(Self.toggle, isOn: false), .revertToggle(Self.toggle, isOn: false),
    ]
    activity.handle(.clipShown(Self.item, duration: Milliseconds(9), watched: nil), at: Instant(4)) {
      commands.append($0)
    }
    for command in commands {
      var words: [Int64] = []
      command.append(to: &words)
      let kind = ActivityCommandKind(rawValue: words[0])!
      #expect("\(kind)" == Self.name(command))
      #expect(kind.row.fields.count == Int(words[1]) && words.count == Int(words[1]) + 2)
    }
    #expect(Set(commands.map { Self.name($0) }).count == ActivityCommandKind.allCases.count)
  }

  @Test func rowsThatAreCutShortTooLongOrImpossibleAreRefused() {
    for words: [Int64] in [
      [], [149], [162], [150, 1, 900], [150, 1, 0, 0], [150, 1, -5, 0], [150, 1, 900, -2],
      [150, 1 << 40, 9, 0], [151, 1], [152], [152, 1, 2], [157], [157, 1 << 40], [158, 1, 2, 0], [158, 1, 1],
      [159], [160, 1],
      [161, 0],
    ] {
      #expect(words.withUnsafeBufferPointer { Activity.Event(words: $0) } == nil, "\(words)")
    }
  }
}
