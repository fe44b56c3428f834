internal import Platform

/// Sends what is due. Any number of them may do it at the same time, in any number of processes.
///
/// Each message goes out at least once: what a killed process had taken is due again when its lease is over,
/// under the same id.
struct WebhookDelivering: Sendable {
  let store: WebhookStore
  /// Those of slow endpoints have workers of their own, so that nobody else waits for them.
  let isSlow: Bool

  /// Everything that is due now.
  func run() async throws {
    guard let sender = store.setup.sender else { return }
    while try await sendNext(by: sender) {}
  }

  /// False: nothing is due.
  func sendNext(by sender: any WebhookSending) async throws -> Bool {
    guard let due = try await store.claim(isSlow: isSlow) else { return false }
    let begunMs = store.time.nowMs
    let outcome = await sender.send(try store.signed(due), to: due.address)
    // NB: a process that is told to stop knows nothing of what became of it; the lease ends, and another
    // sends it again.
    try Task.checkCancellation()
    try await store.finish(due, outcome, tookMs: max(0, store.time.nowMs - begunMs))
    return true
  }
}
