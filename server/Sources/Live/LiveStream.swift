internal import Contract
internal import Foundation
internal import Platform

/// The events of one account for one connection, as a stream of `text/event-stream`. What it holds is its
/// place; events are read from the log when they can be sent and not before.
public final class LiveStream: Sendable {
  /// Events of one piece.
  static let eventsOfAPiece = 100
  /// A client that has missed more asks for everything anew sooner than it could read them.
  static let missedAtMost = 1000
  /// Between these a client comes back after a cut, so that not all of a server's come at once.
  static let retryMs = 1000...4000
  static let crowdedRetryMs = 60_000
  /// Then it ends and the client comes back, if it still may.
  static let lifeMs: ClosedRange<Int64> = 600_000...900_000

  let account: String
  let number: Int
  let endsAtMs: Int64
  let signals = StreamWakeups()
  /// Whether whoever opened it may not listen any more.
  let isOver: @Sendable () async -> Bool
  private let log: LiveLog
  private let time: any TimeSource
  private let after: String?
  private let onEnd: @Sendable (LiveStream) -> Void
  private let settledMs: @Sendable () async throws -> Int64
  private let polledMs: @Sendable () -> Int64?
  private let onEvents: @Sendable (Int) -> Void

  init(
    of account: String, number: Int, after: String?, log: LiveLog, time: any TimeSource,
    settledMs: @escaping @Sendable () async throws -> Int64, polledMs: @escaping @Sendable () -> Int64?,
    isOver: @escaping @Sendable () async -> Bool, onEvents: @escaping @Sendable (Int) -> Void,
    onEnd: @escaping @Sendable (LiveStream) -> Void
  ) {
    self.account = account
    self.number = number
    endsAtMs = time.nowMs + Int64.random(in: Self.lifeMs)
    self.after = after
    self.log = log
    self.time = time
    self.settledMs = settledMs
    self.polledMs = polledMs
    self.isOver = isOver
    self.onEvents = onEvents
    self.onEnd = onEnd
  }

  /// Hands out pieces of the stream until it is over, the connection is gone, or `send` throws.
  public func run(_ send: (String) async throws -> Void) async throws {
    defer { close() }
    var place: StreamPosition
    var text = "retry: \(Int.random(in: Self.retryMs))\n"
    if let after {
      let known = StreamPosition(after)
      let oldestMs = time.nowMs - LiveLog.retentionMs
      // A place of the future is none of ours.
      if let known, (oldestMs...time.nowMs).contains(known.settledMs) {
        place = known
        text += Self.event(LiveEvent.ready, "{}", place)
        try await send(text)
        place = try await catchUp(place, send)
      } else {
        place = try await startNow()
        text += Self.event(LiveEvent.reset, "{}", place)
        try await send(text)
      }
    } else {
      place = try await startNow()
      text += Self.event(LiveEvent.ready, "{}", place)
      try await send(text)
    }
    while true {
      // NB: before the wait. A poll wakes those that it concerns before it says until when it has looked.
      let polledMs = polledMs()
      let signal = await signals.wait()
      if signal.contains(.crowded) { try await send("retry: \(Self.crowdedRetryMs)\n\n") }
      guard !signal.contains(.over), !Task.isCancelled else { return }
      if signal.contains(.late) {
        place = try await catchUp(place, send)
      } else if signal.contains(.changed) {
        // What came behind the last; what is visible late comes with the next poll.
        place = try await catchUp(place, from: place.sent.max().map { .behind($0) }, send)
      } else {
        // The poll found nothing new here, so everything that has settled was told.
        if let polledMs { place.settle(before: polledMs) }
      }
      // A block without data is no event; it only moves the place from which the client comes back.
      if signal.contains(.heartbeat) { try await send("id: \(place.text)\n\n") }
    }
  }

  public func close() {
    signals.raise(.over)
    onEnd(self)
  }

  /// What is there already was not missed.
  private func startNow() async throws -> StreamPosition {
    var place = StreamPosition(settledMs: try await settledMs())
    var start = LiveStart.at(place.settledMs)
    while true {
      let events = try await log.events(of: account, from: start, limit: Self.eventsOfAPiece)
      for event in events { _ = place.tell(event.id) }
      guard events.count == Self.eventsOfAPiece, place.sent.count < StreamPosition.heldAtMost else {
        return place
      }
      start = .behind(events[events.count - 1].id)
    }
  }

  /// Tells everything that was not told, from the place on or from later.
  private func catchUp(
    _ before: StreamPosition, from later: LiveStart? = nil, _ send: (String) async throws -> Void
  ) async throws -> StreamPosition {
    var place = before
    var start = later ?? .at(place.settledMs)
    var sent = 0
    // NB: asked before the log is read.
    let settled = later == nil ? try await settledMs() : nil
    while true {
      let events = try await log.events(of: account, from: start, limit: Self.eventsOfAPiece)
      var text = ""
      for event in events where place.tell(event.id) {
        text += Self.event(
          event.kind, String(decoding: try WireCoding.encode(event), as: UTF8.self), place)
        sent += 1
      }
      guard sent <= Self.missedAtMost, place.sent.count <= StreamPosition.heldAtMost else {
        place = try await startNow()
        try await send(Self.event(LiveEvent.reset, "{}", place))
        return place
      }
      if !text.isEmpty { try await send(text) }
      guard events.count == Self.eventsOfAPiece else { break }
      start = .behind(events[events.count - 1].id)
    }
    if sent > 0 { onEvents(sent) }
    // NB: only a look back finds what became visible late.
    if let settled { place.settle(before: settled) }
    return place
  }

  private static func event(_ name: String, _ data: String, _ place: StreamPosition) -> String {
    "id: \(place.text)\nevent: \(name)\ndata: \(data)\n\n"
  }
}
