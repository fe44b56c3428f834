/// What follows from what an endpoint answered, without a clock or a database.
enum WebhookCourse {
  /// How long a message is tried.
  static let lifeMs: Int64 = 72 * 3_600_000
  /// For how long whoever took a message may be about it. Longer than any try takes.
  static let leaseMs: Int64 = 60_000
  /// An endpoint that takes longer, or does not take a message, is tried by others than those who serve the
  /// quick ones.
  static let quickMs: Int64 = 2000
  /// After the first try, the second and so on; after all further ones the last.
  static let waitsMs: [Int64] = [
    5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000,
  ]

  enum Next: Equatable, Sendable {
    case delivered
    case again(afterMs: Int64)
    /// It is given up.
    case failed
    /// The endpoint wants no more.
    case gone
  }

  /// `tries`: this one included. `permille`: by chance, from 0 to 1000: what fails at the same time comes
  /// back at different ones, after half of the wait at least.
  static func next(
    after outcome: WebhookOutcome, tries: Int64, ageMs: Int64, isTest: Bool, permille: Int64
  ) -> Next {
    var askedMs: Int64 = 0
    if case .answered(let status, let retryAfterMs) = outcome {
      if (200...299).contains(status) { return .delivered }
      if isTest { return .failed }
      if status == 410 { return .gone }
      askedMs = max(0, retryAfterMs ?? 0)
    }
    guard !isTest, ageMs < lifeMs else { return .failed }
    let wait = waitsMs[Int(clamping: min(max(tries, 1), Int64(waitsMs.count)) - 1)]
    let longest = waitsMs[waitsMs.count - 1]
    let chosen = wait / 2 + wait / 2 * min(max(permille, 0), 1000) / 1000
    // The last try is at the end of its life.
    return .again(afterMs: min(max(chosen, min(askedMs, longest)), lifeMs - max(0, ageMs)))
  }
}
