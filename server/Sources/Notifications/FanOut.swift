internal import Contract
public import Platform

/// Tells devices of a clip of somebody whom their account follows.
public protocol NewClipPushing: Sendable {
  func tell(
    _ account: String, newClip clipID: String, by author: String, in transaction: any Transaction
  ) throws
}

/// The job that tells followers of a clip. Its key is the clip.
///
/// Each batch of followers is written in a transaction together with how far it is (`announced_clips.place`):
/// whoever is killed goes on there, and nobody is told twice. Followers are read as they are then.
public struct FanOut: JobHandler {
  public static let kind = "fan-out"
  /// Followers in one transaction.
  static let batch = 500

  private let store: NotificationStore
  private let devices: any NewClipPushing
  private let rest: @Sendable (Duration) async throws -> Void

  /// `rest`: between batches, for as long as the last one took: so that others write half of the time, also
  /// where there is one writer at a time.
  public init(
    store: NotificationStore, devices: any NewClipPushing,
    rest: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.store = store
    self.devices = devices
    self.rest = rest
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    while try await isWaiting(job.key) {
      let began = ContinuousClock.now
      try await lease.checkpoint { [store, devices] in
        try store.tellFollowers(of: job.key, pushing: devices, in: $0)
      }
      try await rest(ContinuousClock.now - began)
    }
    return { _ in }
  }

  /// Those who were told stay so.
  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}

  public func ended(_ job: Job, failure: AppError?) async {}

  private func isWaiting(_ clip: String) async throws -> Bool {
    try await store.database.read {
      try !$0.query(
        "SELECT clip_id FROM announced_clips WHERE clip_id = ? AND place IS NOT NULL", [.text(clip)]
      ).isEmpty
    }
  }
}

extension NotificationStore {
  /// The next batch of followers.
  func tellFollowers(
    of clip: String, pushing devices: any NewClipPushing, in transaction: any Transaction
  ) throws {
    let row = try transaction.query(
      "SELECT author_id, group_id, place FROM announced_clips WHERE clip_id = ?", [.text(clip)]
    ).first
    guard let row, let place = row.optionalText("place") else { return }
    let author = try row.text("author_id")
    let followers = try things.followers(of: author, behind: place, limit: FanOut.batch, in: transaction)
    let next = followers.count < FanOut.batch ? nil : followers.last
    try transaction.execute(
      "UPDATE announced_clips SET place = ? WHERE clip_id = ?", [SQLValue(next), .text(clip)])
    let strangers =
      try blocking.hasAnyBlock(author, in: transaction)
      ? blocking.blocked(from: author, among: followers, in: transaction) : []
    let listeners = followers.filter { $0 != author && !strangers.contains($0) }
    guard !listeners.isEmpty else { return }
    try write(
      Entry(.newClip(clip, group: try row.text("group_id")), at: time.nowMs), toAll: listeners,
      in: transaction)
    for account in try wantingPush(listeners, in: transaction) {
      try devices.tell(account, newClip: clip, by: author, in: transaction)
    }
  }

  /// As `write` does for one. Guests have no list.
  private func write(_ row: Entry, toAll viewers: [String], in transaction: any Transaction) throws {
    let list = SQLList(viewers)
    // One id for all: it tells rows of one account apart.
    try transaction.execute(
      """
      INSERT INTO notifications (account, about, id, kind, clip_id, comment_id, at_ms)
      SELECT id, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), NULL, CAST(? AS BIGINT)
      FROM authors WHERE id IN \(list.marks) AND handle <> ?
      ON CONFLICT (account, about) DO UPDATE SET at_ms = excluded.at_ms, id = excluded.id,
          clip_id = excluded.clip_id
      """,
      [
        .text(row.about), .text(Identifier.make(at: time)), .text(row.kind), SQLValue(row.clipID),
        .integer(time.nowMs),
      ] + list.values + [.text(Author.guestHandle)])
    let full = try transaction.query(
      "SELECT account FROM notifications WHERE account IN \(list.marks) GROUP BY account HAVING COUNT(*) > ?",
      list.values + [SQLValue(Limits.notifications)])
    for account in try full.map({ try $0.text("account") }) { try removeOldest(of: account, in: transaction) }
  }

  /// Devices hear of it only where somebody wants that.
  private func wantingPush(_ viewers: [String], in transaction: any Transaction) throws -> [String] {
    let list = SQLList(viewers)
    return try transaction.query(
      "SELECT account, switches FROM notification_readers WHERE account IN \(list.marks) AND switches LIKE ?",
      list.values + [.text("%push.\(NotificationKind.newClip)=1%")]
    ).filter { Switches(stored: try $0.text("switches")).isOn(.push, NotificationKind.newClip) }
      .map { try $0.text("account") }
  }
}

// MARK: Reading

extension NotificationStore {
  /// Of one entry; more of them are not counted.
  static let clipsOfEntry = 10

  /// Clips that are told as one, newest first.
  func announced(in group: String, in transaction: any Transaction) throws -> [String] {
    try transaction.query(
      "SELECT clip_id FROM announced_clips WHERE group_id = ? ORDER BY at_ms DESC, clip_id DESC LIMIT ?",
      [.text(group), SQLValue(Self.clipsOfEntry)]
    ).map { try $0.text("clip_id") }
  }

  /// Whether everybody and this viewer can see the clip.
  public func isPublic(_ clip: String, for viewer: String, in transaction: any Transaction) throws -> Bool {
    guard let clip = try things.clips([clip], seenBy: viewer, in: transaction)[clip] else { return false }
    return clip.visibility == nil
  }
}
