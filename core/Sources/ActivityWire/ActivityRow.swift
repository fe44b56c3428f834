public import Activity
public import CoreTypes
public import MachineHost
import Wire

/// The events and commands as rows of words: see docs/design/activity.md.
extension Activity.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word().flatMap({ ActivityEventKind(rawValue: $0) }),
      let event = Self.read(kind, &row), row.isAtEnd
    else { return nil }
    self = event
  }

  private static func read(_ kind: ActivityEventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .woke: .woke
    case .clipShown: readClip(&row)
    case .playing: .playing
    case .advanced: row.milliseconds().map { .advanced(to: $0) }
    case .waiting: .waiting
    case .paused: .paused
    case .pageHidden: .pageHidden
    case .batchAnswered: .batchAnswered
    case .batchFailed: row.small().map { .batchFailed(status: $0) }
    case .toggleRequested: readRequest(&row)
    case .toggleAnswered: row.toggle().map { .toggleAnswered($0) }
    case .toggleFailed: readFailure(&row)
    case .togglesForgotten: .togglesForgotten
    }
  }

  private static func readClip(_ row: inout WordReader) -> Self? {
    guard let item = row.item(), let duration = row.milliseconds(), duration > .zero,
      let watched = row.milliseconds(), watched >= Milliseconds(-1)
    else { return nil }
    return .clipShown(item, duration: duration, watched: watched < .zero ? nil : watched)
  }

  private static func readRequest(_ row: inout WordReader) -> Self? {
    guard let toggle = row.toggle(), let isOn = row.flag(), let known = row.flag() else { return nil }
    return .toggleRequested(toggle, isOn: isOn, known: known)
  }

  private static func readFailure(_ row: inout WordReader) -> Self? {
    guard let toggle = row.toggle(), let status = row.small() else { return nil }
    return .toggleFailed(toggle, status: status)
  }
}

extension WordReader {
  fileprivate mutating func toggle() -> ToggleID? { small().map { ToggleID($0) } }
}

extension Activity.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .record(let record): record.append(to: &words)
    case .sendBatch(let first, let count): words.row(ActivityCommandKind.sendBatch, first, count)
    case .sendBeacon(let first, let count): words.row(ActivityCommandKind.sendBeacon, first, count)
    case .dropRecords(let first, let count): words.row(ActivityCommandKind.dropRecords, first, count)
    case .sendToggle(let toggle, let isOn): words.row(.sendToggle, toggle, isOn)
    case .showToggle(let toggle, let isOn): words.row(.showToggle, toggle, isOn)
    case .confirmToggle(let toggle, let isOn): words.row(.confirmToggle, toggle, isOn)
    case .revertToggle(let toggle, let isOn): words.row(.revertToggle, toggle, isOn)
    }
  }
}

extension Record {
  fileprivate func append(to words: inout [Int64]) {
    words.row(
      ActivityCommandKind.record.rawValue, fields: number, Int64(item.rawValue), Int64(kind.rawValue),
      at.rawValue, Int64(position), took?.rawValue ?? -1, watched?.rawValue ?? -1)
  }
}

extension [Int64] {
  fileprivate mutating func row(_ kind: ActivityCommandKind, _ toggle: ToggleID, _ isOn: Bool) {
    row(kind, Int64(toggle.rawValue), isOn.word)
  }
}

extension Activity: HostedMachine {
  public mutating func handle(
    _ event: UnsafeBufferPointer<Int64>, at now: Instant, into words: inout [Int64]
  ) -> Bool {
    guard let event = Event(words: event) else { return false }
    handle(event, at: now) { $0.append(to: &words) }
    return true
  }
}
