internal import Contract
internal import Foundation
internal import HTTPServer
internal import NIOCore
internal import Platform
internal import Synchronization

/// The first page of a tab of the feed as everybody gets it of whom nothing is known, kept as the bytes that
/// go out: one for each length, and for each language that has one of its own.
///
/// - However many ask, one makes it; the others wait for that one.
/// - It is as old as `keptMs` at most, on any server. Until then its counts may lag behind.
/// - A clip that this process has taken away or changed is not in any answer that begins afterwards: the page
///   is dropped with the commit, and so is one that is being made. Other processes hear of it through the
///   cache, if there is a shared one; whoever did not hear still keeps to `keptMs`.
///
/// Who is known gets a page from the database, always: a like of one's own must be in the count after a
/// reload.
final class FirstPages: Sendable {
  struct Kept: Sendable {
    let clips: Int
    let plain: ByteBuffer
    /// Nil: not worth it.
    let packed: ByteBuffer?
    let madeAtMs: Int64
  }

  static let keptMs: Int64 = 250
  /// Pages that are kept, at most: those of the lengths that clients ask for, in some languages.
  static let most = 128
  private static let channel = "feed"

  /// Which of the pages.
  private struct Asked: Hashable {
    let limit: Int
    /// Nil: of all languages that have none of their own.
    let language: String?
  }

  private struct State {
    var kept: [Asked: Kept] = [:]
    var flights: [Asked: Task<Kept, any Error>] = [:]
    /// Of changes. What was begun under another number is not kept.
    var changes = 0
    /// Another server may have put a page of before the last change into the cache behind our back.
    var sharesFromMs: Int64 = .min
    var listening: Task<Void, Never>?
  }

  private let name: String
  private let read: @Sendable (_ limit: Int, _ language: String?) async throws -> EncodedFeedPage
  private let cache: (any Cache & MessageBus)?
  private let time: any TimeSource
  private let state = Mutex(State())

  /// `name`: of the list among those that are kept.
  init(
    _ name: String, changes: FeedChanges, cache: (any Cache & MessageBus)?,
    time: any TimeSource = SystemTime(),
    read: @escaping @Sendable (_ limit: Int, _ language: String?) async throws -> EncodedFeedPage
  ) {
    self.name = name
    self.read = read
    self.cache = cache
    self.time = time
    changes.listen { [weak self] in self?.changed() }
  }

  deinit { state.withLock { $0.listening }?.cancel() }

  /// `language`: one that has a page of its own; nil: the page of all others.
  func page(_ limit: Int, in language: String? = nil) async throws -> Kept {
    let asked = Asked(limit: limit, language: language)
    let nowMs = time.nowMs
    let (kept, flight) = state.withLock { state -> (Kept?, Task<Kept, any Error>?) in
      listenIfNeeded(&state)
      // NB: the future is no better than the past: a clock may have been set back.
      if let kept = state.kept[asked], Self.isFresh(kept, nowMs) { return (kept, nil) }
      if let flight = state.flights[asked] { return (nil, flight) }
      let (changes, mayShare) = (state.changes, nowMs >= state.sharesFromMs)
      let flight = Task { try await self.make(asked, changes, sharing: mayShare) }
      state.flights[asked] = flight
      return (nil, flight)
    }
    if let kept { return kept }
    return try await flight!.value
  }

  private static func isFresh(_ kept: Kept, _ nowMs: Int64) -> Bool {
    abs(nowMs - kept.madeAtMs) < keptMs
  }

  private func make(_ asked: Asked, _ changes: Int, sharing mayShare: Bool) async throws -> Kept {
    do {
      let kept = try await made(asked, sharing: mayShare)
      let nowMs = time.nowMs
      state.withLock { state in
        guard state.changes == changes else { return }
        state.flights[asked] = nil
        if state.kept.count >= Self.most { state.kept = state.kept.filter { Self.isFresh($0.value, nowMs) } }
        if state.kept.count < Self.most { state.kept[asked] = kept }
      }
      return kept
    } catch {
      state.withLock { if $0.changes == changes { $0.flights[asked] = nil } }
      throw error
    }
  }

  private func made(_ asked: Asked, sharing mayShare: Bool) async throws -> Kept {
    let key = "\(name)/\(asked.limit)" + (asked.language.map { "/\($0)" } ?? "")
    if mayShare, let cache, let bytes = try? await cache.get(key), let kept = try Self.unpack(bytes),
      Self.isFresh(kept, time.nowMs)
    {
      return kept
    }
    let madeAtMs = time.nowMs
    let page = try await read(asked.limit, asked.language)
    let json = page.json(commentsOpen: false)
    if mayShare, let cache {
      try? await cache.set(key, to: Self.pack(page.items.count, madeAtMs, json), forMs: Self.keptMs)
    }
    return try Self.kept(page.items.count, madeAtMs, json)
  }

  private static func kept(_ clips: Int, _ madeAtMs: Int64, _ json: [UInt8]) throws -> Kept {
    let packed = json.count > Gzip.worthwhile ? try Gzip.compress(json) : nil
    return Kept(
      clips: clips, plain: ByteBuffer(bytes: json), packed: packed.map { ByteBuffer(bytes: $0) },
      madeAtMs: madeAtMs)
  }

  // MARK: Between servers

  /// How many clips, when, and what: with a space behind each of the first two.
  private static func pack(_ clips: Int, _ madeAtMs: Int64, _ json: [UInt8]) -> [UInt8] {
    Array("\(clips) \(madeAtMs) ".utf8) + json
  }

  private static func unpack(_ bytes: [UInt8]) throws -> Kept? {
    let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard parts.count == 3, let clips = SafeInteger.read(String(decoding: parts[0], as: UTF8.self)),
      let madeAtMs = SafeInteger.read(String(decoding: parts[1], as: UTF8.self)).map(Int64.init)
    else { return nil }
    return try kept(clips, madeAtMs, Array(parts[2]))
  }

  private func changed() {
    drop()
    guard let cache else { return }
    Task {
      try? await cache.publish([], to: Self.channel)
    }
  }

  private func drop() {
    let nowMs = time.nowMs
    state.withLock { state in
      state.changes += 1
      (state.kept, state.flights) = ([:], [:])
      state.sharesFromMs = nowMs + Self.keptMs
    }
  }

  private func listenIfNeeded(_ state: inout State) {
    guard let cache, state.listening == nil else { return }
    let signals = cache.subscribe(to: Self.channel)
    // `joined`: something may have been missed.
    state.listening = Task { [weak self] in for await _ in signals { self?.drop() } }
  }
}
