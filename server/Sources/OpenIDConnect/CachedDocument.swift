internal import Platform

/// A document of somebody else's that is asked for again now and then: by one at a time, however many wait
/// for it, and what was good an hour ago does for a day where there is no newer one.
actor CachedDocument<Value: Sendable> {
  private let freshMs: Int64 = 3_600_000
  private let staleMs: Int64 = 86_400_000
  /// Who does not answer is left alone for so long; else each request would wait for it.
  private let pauseMs: Int64 = 3000
  /// How often strangers can make us ask again, with tokens by keys that nobody knows.
  private let doubtMs: Int64 = 30_000

  private let time: any TimeSource
  private let fetch: @Sendable () async throws -> Value
  private var known: (value: Value, readMs: Int64)?
  private var failure: (error: any Error, atMs: Int64)?
  private var doubtedMs: Int64?
  private var going: Task<Value, any Error>?

  init(time: any TimeSource, fetch: @escaping @Sendable () async throws -> Value) {
    self.time = time
    self.fetch = fetch
  }

  func value() async throws -> Value {
    let now = time.nowMs
    if let known, (0..<freshMs).contains(now - known.readMs) { return known.value }
    do {
      if let failure, (0..<pauseMs).contains(now - failure.atMs) { throw failure.error }
      return try await fetched()
    } catch {
      if let known, (0..<staleMs).contains(now - known.readMs) { return known.value }
      throw error
    }
  }

  /// Asked for anew, since what was known does not have what was looked for; what is known now, if that was
  /// done a moment ago. Who comes while somebody asks waits for the same answer.
  func renewed() async throws -> Value {
    if let going { return try await going.value }
    let now = time.nowMs
    if let known, let doubtedMs, (0..<doubtMs).contains(now - doubtedMs) { return known.value }
    if let failure, (0..<pauseMs).contains(now - failure.atMs) { throw failure.error }
    let value = try await fetched()
    // NB: an answer that never came has settled nothing.
    doubtedMs = time.nowMs
    return value
  }

  private func fetched() async throws -> Value {
    if let going { return try await going.value }
    // By itself: who asked first may go away while others wait.
    let task = Task { [fetch] in try await fetch() }
    going = task
    defer { going = nil }
    do {
      let value = try await task.value
      known = (value, time.nowMs)
      failure = nil
      return value
    } catch {
      failure = (error, time.nowMs)
      throw error
    }
  }
}
