internal import Contract
public import Platform

extension DeviceStore {
  /// What is not told within a day is no news.
  static let noticeLifeMs: Int64 = 86_400_000
  /// A message that is read at once, by somebody who is looking, is told on no device.
  static let messageDelayMs: Int64 = 2000
  /// After what is told in groups (likes, reactions, follows, comments on one's clips) the next of the kind
  /// gathers for so long.
  static let quietMs: Int64 = 600_000
  /// Tries within that day.
  static let tries: Int64 = 20
  private static let firstWaitMs: Int64 = 15_000
  private static let longestWaitMs: Int64 = 7_200_000
  /// Of the others of a device.
  private static let longestHoldMs: Int64 = 900_000
  /// How far the one that is tried first is ahead of the others of its device. Longer than a service may take
  /// to answer.
  static let headwayMs: Int64 = 30_000
  /// For how long whoever took a notice may be about it. Longer than any try takes.
  static let leaseMs: Int64 = 120_000

  struct Notice: Sendable, Equatable {
    var kind: String
    var name: String
    var actorID: String?
    var clipID: String?
    var subject: String?
    var dueMs: Int64
    /// Whether more of it joins it.
    var isGroup: Bool
  }

  /// In the transaction of what is told of: what cannot be told did not happen. Costs a look for whoever has
  /// no device.
  func note(_ notice: Notice, to viewer: String, in transaction: any Transaction) throws {
    let devices = try transaction.query(
      "SELECT id, quiet_until_ms FROM push_devices WHERE viewer_id = ?", [.text(viewer)])
    guard !devices.isEmpty, try choices.wantsPush(of: notice.kind, viewer, in: transaction) else { return }
    // Guests have no name, and whatever one does on top of others' would hide who they are. So a clip's
    // creator is told of comments by people who have one.
    if notice.isGroup, let actor = notice.actorID, try name(of: actor, in: transaction) == nil { return }
    for device in devices {
      let dueMs = notice.isGroup ? max(notice.dueMs, try device.integer("quiet_until_ms")) : notice.dueMs
      try transaction.execute(
        """
        INSERT INTO push_notices (device_id, name, kind, actor_id, clip_id, subject, times, created_at_ms, tries,
            due_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, 1, ?, 0, ?)
        ON CONFLICT (device_id, name) DO UPDATE SET times = push_notices.times + 1, actor_id = excluded.actor_id,
            clip_id = excluded.clip_id, subject = excluded.subject
        """,
        [
          .text(try device.text("id")), .text(notice.name), .text(notice.kind), SQLValue(notice.actorID),
          SQLValue(notice.clipID), SQLValue(notice.subject), .integer(time.nowMs), .integer(dueMs),
        ])
    }
    transaction.afterCommit("pushes") { [signal] in signal.raise() }
  }

  // MARK: Sending

  struct Due: Sendable {
    var deviceID: String
    var name: String
    var kind: String
    var actorID: String?
    var clipID: String?
    var subject: String?
    var times: Int64
    var createdMs: Int64
    /// This one included.
    var tries: Int64
  }

  /// Those that are due, which count as tried. Nobody else gets them for the time of the lease, after which
  /// they are due again: who was killed in between has lost nothing.
  func take(_ limit: Int) async throws -> [Due] {
    try await database.write { transaction in
      let now = time.nowMs
      let rows = try transaction.query(
        "SELECT * FROM push_notices WHERE due_at_ms <= ? ORDER BY due_at_ms LIMIT ?",
        [.integer(now), SQLValue(limit)], locking: .skip)
      return try rows.map { row in
        let due = Due(
          deviceID: try row.text("device_id"), name: try row.text("name"), kind: try row.text("kind"),
          actorID: row.optionalText("actor_id"), clipID: row.optionalText("clip_id"),
          subject: row.optionalText("subject"), times: try row.integer("times"),
          createdMs: try row.integer("created_at_ms"), tries: try row.integer("tries") + 1)
        try transaction.execute(
          "UPDATE push_notices SET tries = ?, due_at_ms = ? WHERE device_id = ? AND name = ?",
          [.integer(due.tries), .integer(now + Self.leaseMs), .text(due.deviceID), .text(due.name)])
        return due
      }
    }
  }

  /// It was told, or will never be. What joined it meanwhile is told when its time has come.
  func finish(_ due: Due, wasTold: Bool) async throws {
    try await database.write { transaction in
      let quietMs = time.nowMs + Self.quietMs
      if wasTold, Self.isGroup(due.kind) {
        try transaction.execute(
          "UPDATE push_devices SET quiet_until_ms = ? WHERE id = ?", [.integer(quietMs), .text(due.deviceID)])
      }
      let removed = try transaction.execute(
        "DELETE FROM push_notices WHERE device_id = ? AND name = ? AND times = ?",
        [.text(due.deviceID), .text(due.name), .integer(due.times)])
      guard removed == 0 else { return }
      try transaction.execute(
        """
        UPDATE push_notices SET times = times - ?, tries = 0, due_at_ms = ?
        WHERE device_id = ? AND name = ? AND times > ?
        """,
        [
          .integer(due.times), .integer(quietMs), .text(due.deviceID), .text(due.name), .integer(due.times),
        ])
    }
  }

  /// It is tried again: after what the service says, and longer each time. The others of its device wait for
  /// it: a service that is slow to answer would be asked once for each of them, and hold up everybody. Says
  /// until when its device is left alone.
  func postpone(_ due: Due, afterMs: Int64?) async throws -> Int64 {
    let untilMs = try await database.write { transaction in
      // Two that are put off at the same time would wait for each other's rows.
      try transaction.lock("push notices of \(due.deviceID)")
      // NB: by what was tried most often, or whatever is new would begin with short waits again.
      let tries = try transaction.query(
        "SELECT MAX(tries) AS tries FROM push_notices WHERE device_id = ?", [.text(due.deviceID)]
      ).first?.optionalInteger("tries")
      let grown = Self.firstWaitMs << max(0, min((tries ?? due.tries) - 1, 16))
      let wait = max(min(grown, Self.longestWaitMs), min(max(0, afterMs ?? 0), Self.longestWaitMs))
      let dueMs = time.nowMs + wait
      // What one met for hours may be over, unless the service says for how long.
      let othersMs = time.nowMs + (afterMs == nil ? min(wait, Self.longestHoldMs) : wait)
      try transaction.execute(
        "UPDATE push_notices SET due_at_ms = ? WHERE device_id = ? AND name = ?",
        [.integer(dueMs), .text(due.deviceID), .text(due.name)])
      try transaction.execute(
        "UPDATE push_notices SET due_at_ms = ? WHERE device_id = ? AND name <> ? AND due_at_ms < ?",
        [
          .integer(othersMs + Self.headwayMs), .text(due.deviceID), .text(due.name),
          .integer(othersMs + Self.headwayMs),
        ])
      return othersMs
    }
    if due.tries >= Self.tries || time.nowMs - due.createdMs >= Self.noticeLifeMs {
      try await finish(due, wasTold: false)
    }
    return untilMs
  }

  /// Nobody tried: the service takes nothing from anybody now, or nothing for the device.
  func giveBack(_ due: Due, afterMs: Int64) async throws {
    guard time.nowMs - due.createdMs < Self.noticeLifeMs else {
      return try await finish(due, wasTold: false)
    }
    try await database.write {
      try $0.execute(
        "UPDATE push_notices SET tries = ?, due_at_ms = ? WHERE device_id = ? AND name = ?",
        [
          .integer(due.tries - 1), .integer(time.nowMs + afterMs), .text(due.deviceID), .text(due.name),
        ])
    }
  }

  /// The device is gone, unless it was registered after that was known. False: it was.
  func forget(_ deviceID: String, token: String, goneSinceMs: Int64?) async throws -> Bool {
    try await database.write {
      try $0.execute(
        "DELETE FROM push_devices WHERE id = ? AND token = ? AND registered_at_ms <= ?",
        [.text(deviceID), .text(token), .integer(goneSinceMs ?? .max)]) == 1
    }
  }

  static func isGroup(_ kind: String) -> Bool {
    [PushKey.like, PushKey.commentLike, PushKey.reaction, PushKey.follow, PushKey.comment].contains(kind)
  }
}

/// What accounts hear of at once where they are listening (`Live`), devices are told where nobody is.
extension DeviceStore {
  public func tell(_ viewer: String, of news: LiveNotice, in transaction: any Transaction) throws {
    let kind: String
    switch news.kind {
    case LiveEvent.message: kind = PushKey.message
    case LiveEvent.like: kind = PushKey.like
    case LiveEvent.reaction: kind = PushKey.reaction
    case LiveEvent.follow: kind = PushKey.follow
    case LiveEvent.comment: kind = PushKey.comment
    case LiveEvent.reply: kind = PushKey.reply
    case LiveEvent.mention: kind = PushKey.mention
    // Of a newer version, which tells of it.
    default: return
    }
    let isGroup = Self.isGroup(kind)
    try note(
      Notice(
        kind: kind, name: isGroup ? kind : "\(kind)/\(news.subject ?? news.actorID)", actorID: news.actorID,
        clipID: news.clipID, subject: news.subject,
        dueMs: time.nowMs + (kind == PushKey.message ? Self.messageDelayMs : 0), isGroup: isGroup),
      to: viewer, in: transaction)
  }

  /// Somebody likes a comment of the account.
  public func tell(
    _ account: String, liked commentID: String, on clipID: String, by viewer: String,
    in transaction: any Transaction
  ) throws {
    try note(
      Notice(
        kind: PushKey.commentLike, name: PushKey.commentLike, actorID: viewer, clipID: clipID,
        subject: commentID, dueMs: time.nowMs, isGroup: true),
      to: account, in: transaction)
  }

  /// What somebody had made from words is there to look at; `clip`: nil: none came of it.
  public func tell(
    _ account: String, generated id: String, clip: String?, in transaction: any Transaction
  ) throws {
    let kind = clip == nil ? PushKey.generationFailed : PushKey.generated
    try note(
      Notice(
        kind: kind, name: "\(kind)/\(id)", actorID: nil, clipID: clip, subject: id, dueMs: time.nowMs,
        isGroup: false),
      to: account, in: transaction)
  }

  /// A webhook of the account's was switched off.
  public func tell(
    _ account: String, switchedOff webhook: String, in transaction: any Transaction
  ) throws {
    try note(
      Notice(
        kind: PushKey.webhookOff, name: "\(PushKey.webhookOff)/\(webhook)", actorID: nil, clipID: nil,
        subject: webhook, dueMs: time.nowMs, isGroup: false),
      to: account, in: transaction)
  }

  /// Somebody whom the account follows has published.
  public func tell(
    _ account: String, newClip clipID: String, by author: String, in transaction: any Transaction
  ) throws {
    try note(
      Notice(
        kind: PushKey.newClip, name: "\(PushKey.newClip)/\(clipID)", actorID: author, clipID: clipID,
        subject: nil, dueMs: time.nowMs, isGroup: false),
      to: account, in: transaction)
  }

  /// A person's own clip can be seen, or will never be.
  public func tell(
    _ author: String, published clipID: String, well: Bool, in transaction: any Transaction
  ) throws {
    let kind = well ? PushKey.published : PushKey.failed
    try note(
      Notice(
        kind: kind, name: "\(kind)/\(clipID)", actorID: nil, clipID: clipID, subject: nil, dueMs: time.nowMs,
        isGroup: false),
      to: author, in: transaction)
  }
}
