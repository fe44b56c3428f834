public import Contract
internal import Foundation
public import Platform

/// Devices that are told of what happens while nobody looks, and what waits to be told to them.
///
/// It decides who hears of what on which device, when, and how often it is tried. It does not know how a
/// device is reached (`PushSending`), nor what is told of: words come from others when they are sent
/// (`PushedMessages`, `PushedComments`), so nothing is told that was read, taken back or blocked meanwhile.
///
/// A device is found by its token, which is one person's at a time. What waits hangs on the device and goes
/// with it; a device hangs on the session that registered it.
public struct DeviceStore: Sendable {
  public static let migrations = [
    Migration(
      "0037_push_devices",
      [
        // Nobody's session: a guest registered it. `quiet_until_ms`: before it, what is told of in groups
        // waits.
        """
        CREATE TABLE push_devices (
            id TEXT PRIMARY KEY, viewer_id TEXT NOT NULL, session_id TEXT, token TEXT NOT NULL UNIQUE,
            environment TEXT NOT NULL, topic TEXT NOT NULL, locale TEXT, created_at_ms BIGINT NOT NULL,
            registered_at_ms BIGINT NOT NULL, quiet_until_ms BIGINT NOT NULL,
            FOREIGN KEY (viewer_id, session_id) REFERENCES sessions (account_id, id) ON DELETE CASCADE)
        """,
        "CREATE INDEX push_devices_of_viewer ON push_devices (viewer_id, registered_at_ms)",
        "CREATE INDEX push_devices_of_session ON push_devices (viewer_id, session_id)",
        "CREATE INDEX push_devices_by_age ON push_devices (registered_at_ms)",
        // One row for what is told as one: `name` says what that is, `times` how much of it.
        """
        CREATE TABLE push_notices (
            device_id TEXT NOT NULL REFERENCES push_devices (id) ON DELETE CASCADE, name TEXT NOT NULL,
            kind TEXT NOT NULL, actor_id TEXT, clip_id TEXT, subject TEXT, times BIGINT NOT NULL,
            created_at_ms BIGINT NOT NULL, tries BIGINT NOT NULL, due_at_ms BIGINT NOT NULL,
            PRIMARY KEY (device_id, name))
        """,
        "CREATE INDEX push_notices_due ON push_notices (due_at_ms)",
        "CREATE INDEX push_notices_of_actor ON push_notices (actor_id)",
        "CREATE INDEX push_notices_by_age ON push_notices (created_at_ms)",
      ]),
    // Of a browser: its two keys, with a space between. Its token is its address at its push service.
    Migration("0052_web_devices", ["ALTER TABLE push_devices ADD COLUMN web_keys TEXT"]),
  ]

  let database: any Database
  let time: any TimeSource
  let messages: any PushedMessages
  let comments: any PushedComments
  let blocking: any BlockChecking
  let choices: any PushChoosing
  let signal: PushSignal
  /// The app that is written to; nil: none is.
  let topic: String?
  /// How browsers are written to; nil: none is.
  let web: (any WebReaching)?

  public init(
    database: any Database, time: any TimeSource, messages: any PushedMessages,
    comments: any PushedComments, blocking: any BlockChecking, choices: any PushChoosing, signal: PushSignal,
    topic: String?, web: (any WebReaching)?
  ) {
    self.database = database
    self.time = time
    self.messages = messages
    self.comments = comments
    self.blocking = blocking
    self.choices = choices
    self.signal = signal
    self.topic = topic
    self.web = web
  }

  // MARK: Devices

  /// Throws `push_off` and `topic_unknown`.
  public func register(_ new: NewPushDevice, by viewer: Viewer) async throws -> PushDevice {
    guard let topic else { throw AppError(.pushOff) }
    guard new.topic.hasSameBytes(as: topic) else { throw AppError(.topicUnknown, field: "topic") }
    return try await register(
      Kept(token: new.token, environment: new.environment, topic: new.topic, locale: new.locale), by: viewer)
  }

  /// Throws `push_off` and `web_device_refused`.
  public func register(_ new: NewWebDevice, by viewer: Viewer) async throws -> PushDevice {
    guard let web else { throw AppError(.pushOff) }
    guard web.mayReach(new) else { throw AppError(.webDeviceRefused, field: "endpoint") }
    return try await register(
      Kept(token: new.endpoint, locale: new.locale, keys: new.keys), by: viewer)
  }

  private struct Kept: Sendable {
    var token: String
    var environment = PushEnvironment.production
    /// Empty: a browser.
    var topic = ""
    var locale: String?
    var keys: NewWebDevice.Keys?
  }

  private func register(_ new: Kept, by viewer: Viewer) async throws -> PushDevice {
    try await database.write { transaction in
      // The same device at the same time: a start and a sign-in.
      try transaction.lock("push device \(new.token)")
      let known = try transaction.query("SELECT * FROM push_devices WHERE token = ?", [.text(new.token)])
        .first
      // NB: another person's is made anew, and what was on its way to them is gone.
      if let known, try known.text("viewer_id") != viewer.id {
        try transaction.execute("DELETE FROM push_devices WHERE token = ?", [.text(new.token)])
      }
      try transaction.execute(
        """
        INSERT INTO push_devices (id, viewer_id, session_id, token, environment, topic, locale, created_at_ms,
            registered_at_ms, quiet_until_ms, web_keys)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
        ON CONFLICT (token) DO UPDATE SET session_id = excluded.session_id, environment = excluded.environment,
            topic = excluded.topic, locale = excluded.locale, registered_at_ms = excluded.registered_at_ms,
            web_keys = excluded.web_keys
        """,
        [
          .text(Identifier.make(at: time)), .text(viewer.id), SQLValue(viewer.session), .text(new.token),
          .text(new.environment.rawValue), .text(new.topic), SQLValue(new.locale), .integer(time.nowMs),
          .integer(time.nowMs), SQLValue(new.keys.map(WebKeys.stored)),
        ])
      try transaction.execute(
        """
        DELETE FROM push_devices WHERE viewer_id = ? AND id IN
            (SELECT id FROM push_devices WHERE viewer_id = ? ORDER BY registered_at_ms DESC, id DESC
             LIMIT 1000 OFFSET ?)
        """, [.text(viewer.id), .text(viewer.id), SQLValue(Limits.devices)])
      let row = try transaction.query("SELECT * FROM push_devices WHERE token = ?", [.text(new.token)]).first
      guard let row else { throw AppError(.internalError) }
      return try Self.device(row, for: viewer)
    }
  }

  public func devices(of viewer: Viewer?) async throws -> PushDevices {
    guard let viewer else { return PushDevices(items: [], topic: topic, webKey: web?.key) }
    let rows = try await database.read {
      try $0.query(
        "SELECT * FROM push_devices WHERE viewer_id = ? ORDER BY registered_at_ms DESC, id DESC LIMIT ?",
        [.text(viewer.id), SQLValue(Limits.devices)])
    }
    return PushDevices(
      items: try rows.map { try Self.device($0, for: viewer) }, topic: topic, webKey: web?.key)
  }

  /// Throws `device_not_found`.
  public func remove(_ id: String, of viewer: String) async throws {
    let removed = try await database.write {
      try $0.execute("DELETE FROM push_devices WHERE id = ? AND viewer_id = ?", [.text(id), .text(viewer)])
    }
    guard removed == 1 else { throw AppError(.deviceNotFound) }
  }

  private static func device(_ row: Row, for viewer: Viewer) throws -> PushDevice {
    let session = row.optionalText("session_id")
    let isBrowser = row.optionalText("web_keys") != nil
    return PushDevice(
      id: try row.text("id"),
      environment: isBrowser ? nil : PushEnvironment(rawValue: try row.text("environment")) ?? .production,
      topic: isBrowser ? nil : try row.text("topic"), locale: row.optionalText("locale"),
      createdAt: Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000),
      registeredAt: Date(timeIntervalSince1970: Double(try row.integer("registered_at_ms")) / 1000),
      isCurrent: session == viewer.session)
  }

  /// Rows of one transaction of the sweep: others wait for it.
  private static let sweptAtOnce = 1000

  /// Removes devices whose app was not started for long, and what nobody sends any more.
  public func sweep() async throws {
    for (table, key, column, life) in [
      ("push_devices", "id", "registered_at_ms", Limits.deviceLifeMs),
      ("push_notices", "device_id, name", "created_at_ms", Self.noticeLifeMs),
    ] {
      let limit = time.nowMs - life
      while try await database.write({
        try $0.execute(
          """
          DELETE FROM \(table) WHERE (\(key)) IN
              (SELECT \(key) FROM \(table) WHERE \(column) < ? LIMIT \(Self.sweptAtOnce))
          """, [.integer(limit)])
      }) == Self.sweptAtOnce {}
    }
  }
}

extension DeviceStore: ViewerMerging, ViewerErasing {
  /// The device stays the same person's. NB: it has no session then, and nothing is told on it until its app
  /// has registered it again, which it does right after it has signed in: or it would go on being told after
  /// that session has ended.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE push_devices SET viewer_id = ?, session_id = NULL WHERE viewer_id = ?",
      [.text(account), .text(guest)])
  }

  public func erase(_ viewer: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM push_devices WHERE viewer_id = ?", [.text(viewer)])
    try transaction.execute("DELETE FROM push_notices WHERE actor_id = ?", [.text(viewer)])
  }
}
