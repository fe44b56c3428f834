public import Contract
internal import Logging
public import Platform

/// Clips from words: asked for, made by whoever makes videos, and handed on as drafts of whoever asked.
///
/// It decides whose turn it is, who is asked next, what becomes of credits, and what a person sees of it. It
/// refuses to know what a clip is (`GeneratedClips`), how people are told (`GenerationTelling`) and which
/// vendors there are (`VideoProvider`).
///
/// The row is the truth: what is to be done next, and when, stands in it. Whoever does it has a lease, and
/// changes nothing once somebody else has taken the row (`Claim`).
public struct Generations: Sendable {
  public static let migrations = [
    Migration(
      "0062_generations",
      [
        // `work`: what is to be done next; in one column, so that what is due is found by an index.
        // `wanted_at_ms`: when its time began.
        """
        CREATE TABLE generations (
            id TEXT PRIMARY KEY, viewer_id TEXT, idempotency_key TEXT, prompt TEXT NOT NULL, seconds BIGINT NOT NULL,
            style TEXT NOT NULL, aspect TEXT NOT NULL, refines TEXT, from_clip TEXT, price BIGINT NOT NULL,
            day BIGINT NOT NULL, state TEXT NOT NULL, work TEXT NOT NULL, permille BIGINT NOT NULL,
            attempts BIGINT NOT NULL, tried TEXT NOT NULL, provider TEXT, remote TEXT, upload TEXT, clip_id TEXT,
            failure_code TEXT, failure_detail TEXT, hidden BIGINT NOT NULL, published BIGINT NOT NULL,
            fencing BIGINT NOT NULL, lease_until_ms BIGINT NOT NULL, due_at_ms BIGINT NOT NULL, begun_at_ms BIGINT,
            took_ms BIGINT, ended_at_ms BIGINT, wanted_at_ms BIGINT NOT NULL, created_at_ms BIGINT NOT NULL,
            UNIQUE (viewer_id, idempotency_key))
        """,
        "CREATE INDEX generations_of_viewer ON generations (viewer_id, id)",
        "CREATE INDEX generations_due ON generations (work, due_at_ms)",
        "CREATE INDEX generations_in_turn ON generations (work, viewer_id, id)",
        "CREATE INDEX generations_at_providers ON generations (state, provider)",
        "CREATE INDEX generations_ended ON generations (ended_at_ms) WHERE ended_at_ms IS NOT NULL",
        "CREATE INDEX generations_taken ON generations (seconds, ended_at_ms) WHERE took_ms IS NOT NULL",
      ] + CreditLedger.tables),
    Migration("0064_prompt_rules", PromptRule.tables), FirstPictures.migration,
  ]

  let database: any Database
  let time: any TimeSource
  let cursorKeys: TokenKeys
  let makers: VideoMakers
  let clips: any GeneratedClips
  let siteRules: SiteRules
  let review: PromptReview
  let pictures: FirstPictures?
  let telling: (any GenerationTelling)?
  let ledger: CreditLedger
  let patterns = PromptPatterns()
  let logger = Logger(label: "clipfeed.generation")

  /// `pictures`: nil: none are taken. `telling`: nil: nobody is told.
  public init(
    database: any Database, time: any TimeSource, cursorKeys: TokenKeys, makers: VideoMakers,
    clips: any GeneratedClips, siteRules: SiteRules, review: PromptReview,
    pictures: FirstPictures? = nil, telling: (any GenerationTelling)? = nil
  ) {
    self.database = database
    self.time = time
    self.cursorKeys = cursorKeys
    self.makers = makers
    self.clips = clips
    self.siteRules = siteRules
    self.review = review
    self.pictures = pictures
    self.telling = telling
    ledger = CreditLedger(time: time)
  }

  // MARK: Asking

  /// The same key again is the same one. Throws `prompt_empty`, `prompt_too_long`, `content_policy`,
  /// `generation_unavailable`, `generation_not_possible`, `generations_under_way`, `insufficient_credits`,
  /// `clip_not_found`, `picture_not_found`, `idempotency_key_reused`, `unavailable` where nobody can look at
  /// the prompt now, and `generation_not_found` for a repetition of one that was discarded.
  public func request(
    _ new: NewGeneration, by account: String, idempotencyKey key: String
  ) async throws -> Generation {
    let wish = Wish(
      prompt: try PromptText.checked(new.prompt), seconds: new.seconds, style: new.style ?? .none,
      aspect: new.aspect ?? .portrait, fromClip: new.fromClipId, picture: new.pictureId)
    guard wish.fromClip == nil || wish.picture == nil else {
      throw AppError(
        .generationNotPossible, "A video starts from a clip or from a picture, not from both.",
        field: "picture_id")
    }
    return try await request(wish, by: account, idempotencyKey: key)
  }

  /// The same with another prompt: a new one. Throws as `request` does, and `generation_not_found`.
  public func refine(
    _ id: String, prompt: String, by account: String, idempotencyKey key: String
  ) async throws -> Generation {
    let prompt = try PromptText.checked(prompt)
    let row = try await database.read { try own(id, of: account, in: $0) }
    let wish = Wish(
      prompt: prompt, seconds: row.seconds, style: row.style, aspect: row.aspect, fromClip: row.fromClip,
      picture: row.picture, refines: row.id)
    return try await request(wish, by: account, idempotencyKey: key)
  }

  private struct Wish: Sendable {
    var prompt: String
    var seconds: Int
    var style: GenerationStyle
    var aspect: GenerationAspect
    var fromClip: String?
    var picture: String?
    var refines: String?

    var start: VideoStart? { VideoStart(clip: fromClip, picture: picture) }

    var video: WantedVideo {
      WantedVideo(
        prompt: PromptText.styled(prompt, style), seconds: seconds,
        aspect: VideoAspect(rawValue: aspect.rawValue) ?? .portrait,
        hasPicture: start != nil)
    }

    func isThat(_ row: GenerationRow) -> Bool {
      row.prompt.hasSameBytes(as: prompt) && row.seconds == seconds && row.style == style
        && row.aspect == aspect && row.fromClip == fromClip && row.picture == picture
        && row.refines == refines
    }
  }

  private func request(
    _ wish: Wish, by account: String, idempotencyKey key: String
  ) async throws -> Generation {
    // A repetition is no other prompt: rules may have changed since, and whoever moderates may be down.
    if try await database.read({ try find(key, of: account, in: $0) }) == nil {
      try requirePossible(wish.video)
      if let start = wish.start { try await database.read { try requireOwn(start, of: account, in: $0) } }
      try await requireTaken(wish.prompt, startingFrom: wish.start, as: wish.aspect, by: account)
    }
    let row = try await database.write { transaction in
      try ledger.lock(account, in: transaction)
      if let known = try find(key, of: account, in: transaction) {
        guard wish.isThat(known) else { throw AppError(.idempotencyKeyReused) }
        guard !known.isHidden else { throw AppError(.generationNotFound) }
        return known
      }
      try requirePossible(wish.video)
      if case .picture(let id) = wish.start { try transaction.lock("picture \(id)") }
      if let start = wish.start { try requireOwn(start, of: account, in: transaction) }
      let rules = makers.rules
      guard try underWay(of: account, in: transaction) < rules.mostUnderWay else {
        throw AppError(.generationsUnderWay)
      }
      let id = Identifier.make(at: time)
      let price = Self.price(wish.seconds, rules)
      let balance = try ledger.open(account, allowance: Int64(rules.creditsPerDay), in: transaction)
      guard balance.available >= price else { throw AppError(.insufficientCredits) }
      // NB: behind the person, as by everybody who takes both.
      try transaction.lock("all credits")
      let committed = try ledger.committed(on: ledger.today, in: transaction)
      guard price <= Int64(rules.creditsPerDayOfAll) - committed else {
        throw AppError(
          .insufficientCredits, "What can be made here in a day is used up; there is more tomorrow.")
      }
      try insert(wish, id, price, by: account, key, in: transaction)
      try ledger.reserve(price, for: id, by: account, in: transaction)
      return try own(id, of: account, in: transaction)
    }
    return try await shown(row)
  }

  static func price(_ seconds: Int, _ rules: GenerationRules) -> Int64 {
    Int64(seconds) * Int64(rules.creditsPerSecond)
  }

  /// Lengths that are sold. Which video is asked for then is the provider's to say.
  public static let lengths = [5, 10, 15]

  private func requirePossible(_ video: WantedVideo) throws {
    let providers = makers.providers
    guard !providers.isEmpty else { throw AppError(.generationUnavailable) }
    guard Self.lengths.contains(video.seconds),
      providers.contains(where: { $0.capabilities.seconds(for: video) != nil })
    else { throw AppError(.generationNotPossible) }
  }

  private func insert(
    _ wish: Wish, _ id: String, _ price: Int64, by account: String, _ key: String,
    in transaction: any Transaction
  ) throws {
    let now = SQLValue.integer(time.nowMs)
    try transaction.execute(
      """
      INSERT INTO generations (id, viewer_id, idempotency_key, prompt, seconds, style, aspect, refines, from_clip, picture,
          price, day, state, work, permille, attempts, tried, hidden, published, fencing, lease_until_ms, due_at_ms,
          wanted_at_ms, created_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'reserved', 'start', 0, 0, '', 0, 0, 0, 0, ?, ?, ?)
      """,
      [
        .text(id), .text(account), .text(key), .text(wish.prompt), SQLValue(wish.seconds),
        .text(wish.style.rawValue), .text(wish.aspect.rawValue), SQLValue(wish.refines),
        SQLValue(wish.fromClip), SQLValue(wish.picture), .integer(price), .integer(ledger.today), now, now,
        now,
      ])
  }

  // MARK: Rows

  func find(_ id: String, in transaction: any Transaction) throws -> GenerationRow? {
    try transaction.query("SELECT * FROM generations WHERE id = ?", [.text(id)]).first.map(GenerationRow.init)
  }

  /// Throws `generation_not_found`.
  func own(_ id: String, of account: String, in transaction: any Transaction) throws -> GenerationRow {
    guard let row = try find(id, in: transaction), row.viewer == account, !row.isHidden else {
      throw AppError(.generationNotFound)
    }
    return row
  }

  private func find(
    _ key: String, of account: String, in transaction: any Transaction
  ) throws -> GenerationRow? {
    try transaction.query(
      "SELECT * FROM generations WHERE viewer_id = ? AND idempotency_key = ?", [.text(account), .text(key)]
    ).first.map(GenerationRow.init)
  }

  func underWay(of account: String, in transaction: any Transaction) throws -> Int {
    let rows = try transaction.query(
      """
      SELECT COUNT(*) AS n FROM generations
      WHERE viewer_id = ? AND state IN ('reserved', 'queued', 'in_progress', 'storing')
      """, [.text(account)])
    return Int(clamping: try rows[0].integer("n"))
  }
}
