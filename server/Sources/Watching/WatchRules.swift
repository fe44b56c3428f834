internal import Contract
internal import Platform

/// What an event may say.
enum WatchRules {
  static func check(_ batch: WatchEvents) throws {
    guard Limits.eventsInBatch.contains(batch.events.count) else {
      throw refusal("events", "hold \(text(Limits.eventsInBatch)) events")
    }
    try check(batch.sentAtMs, in: Limits.eventAtMs, "sent_at_ms")
    for (index, event) in batch.events.enumerated() {
      func field(_ name: String) -> String { "events[\(index)].\(name)" }
      guard Limits.eventIDLength.contains(event.id.utf8.count), event.id.utf8.allSatisfy(isOfAnID) else {
        throw refusal(field("id"), "be \(text(Limits.eventIDLength)) letters, digits, - or _")
      }
      // NB: not looked up: whatever is not the id of a clip that can be seen is left out later.
      guard (1...64).contains(event.clipId.utf8.count), event.clipId.utf8.allSatisfy(isOfAnID) else {
        throw refusal(field("clip_id"), "be a clip's id")
      }
      try check(event.atMs, in: Limits.eventAtMs, field("at_ms"))
      try check(event.tookMs, in: Limits.eventTookMs, field("took_ms"))
      try check(event.watchedMs, in: Limits.eventWatchedMs, field("watched_ms"))
      try check(event.position, in: Limits.eventPosition, field("position"))
      if [.firstFrame, .stall].contains(event.kind), event.tookMs == nil {
        throw refusal(field("took_ms"), "be there, as the kind is \(event.kind.rawValue)")
      }
      if [.progress, .skip].contains(event.kind), event.watchedMs == nil {
        throw refusal(field("watched_ms"), "be there, as the kind is \(event.kind.rawValue)")
      }
    }
  }

  static func isView(_ event: WatchEvent) -> Bool {
    [.completion, .loop].contains(event.kind) || (event.watchedMs ?? 0) >= Limits.viewMs
  }

  private static func check(_ value: Int64?, in range: ClosedRange<Int64>, _ field: String) throws {
    guard let value, !range.contains(value) else { return }
    throw refusal(field, "be a number of \(range.lowerBound) to \(range.upperBound)")
  }

  private static func refusal(_ field: String, _ must: String) -> AppError {
    AppError(.invalidParameter, "\(field) must \(must).", field: field)
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    "\(range.lowerBound) to \(range.upperBound)"
  }

  private static func isOfAnID(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
