import Comments
import Contract
import Exports
import Feed
import Foundation
import Messages
import Moderation
import Platform
import Profiles
import SQLite
import Search
import Social
import Testing
import Watching

@testable import Composition
@testable import Generation
@testable import Notifications
@testable import PlatformTesting
@testable import ServerTesting
@testable import Webhooks

/// How the database goes about what happens with every swipe and tap: a change of it shows as a difference of
/// a text. It is written anew by `CLIPFEED_WRITE_GOLDENS=1`.
@Suite(.everyEngine) struct PlanTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private let engine = OnEveryDatabase.current

  private var golden: URL {
    Repository.file("fixtures/plans/\(engine.rawValue).txt")
  }

  @Test func everyHotStatementFindsItsRowsByAnIndex() async throws {
    let statements = Shared<[(sql: String, values: [SQLValue])]>([])
    let hooked = HookedDatabase(database: bench.instance.database) { sql, values in
      statements.with { $0.append((sql, values)) }
    }
    let instance = bench.instance
    let clip = try await bench.publishBare("one")
    for number in 0..<3 { try await bench.publishBare("\(number)") }
    let author = try await instance.feed(.open).page(cursor: nil, limit: 1).items[0].author.id
    // A stretch, so that what comes back is looked for.
    try await instance.database.write {
      try $0.execute("INSERT INTO feed_spans (viewer_id, spans, as_of_ms) VALUES ('a', '2-3', 0)")
    }
    if engine == .postgreSQL { try await fill(from: clip) }
    let time = TestTime(ms: SystemTime().nowMs)
    let watching = instance.watching(on: hooked, time: time)
    let social = instance.social(on: hooked)
    let feed = instance.feed(on: hooked)
    let messages = instance.messages(on: hooked)
    let search = instance.search(on: hooked)
    let profiles = instance.profiles(on: hooked)
    let notifications = instance.notifications(on: hooked, time: time)
    let comments = instance.comments(on: hooked, notices: SocialNews(live: instance.live(bus: nil)))
    let moderation = FeatureContext(instance).moderation(on: hooked)
    let exports = instance.exports(on: hooked, time: time)
    instance.makers.take([ScriptedVideos { _, _ in .never }])
    let generations = FeatureContext(instance, time: time).generations(on: hooked)
    let webhooks = instance.webhooks(on: hooked, time: time)
    instance.webhookSetup.hear(["scripted": try #require(WebhookKey("a secret"))])
    let likes = try #require(social.exported.first { $0.name == "likes" })
    let (comment, reply) = try await converse(on: clip, of: author)
    let writer = Viewer(id: "w", standing: .guest)
    let sent = try await instance.messages(on: instance.database).send(
      NewMessage(text: "first"), to: author, by: writer, idempotencyKey: "first-message")
    let batch = WatchEvents(
      (0..<2).map { event($0, .completion, clip, atMs: time.nowMs) }, sentAtMs: time.nowMs)

    var text = ""
    var told: Set<String> = []
    for (what, work) in [
      (
        "A page of the feed for somebody who is not known", { _ = try await feed.page(cursor: nil, limit: 2) }
      ),
      ("A page of the feed for a viewer", { _ = try await feed.page(cursor: nil, limit: 2, for: "a") }),
      ("A batch of events", { _ = try await watching.take(batch, of: "a") }),
      ("A page of what was seen before", { _ = try await feed.page(cursor: nil, limit: 9, for: "a") }),
      ("A clip", { _ = try await feed.clip(id: clip, forOwner: false, for: "a") }),
      ("A like", { _ = try await social.like(clip, by: "a") }),
      ("A like taken back", { _ = try await social.unlike(clip, by: "a") }),
      ("A bookmark", { _ = try await social.bookmark(clip, by: "a") }),
      ("A follow", { _ = try await social.follow(author, by: "a") }),
      ("A block", { _ = try await social.block(author, by: "b") }),
      (
        "A page of the feed for who has blocked somebody",
        { _ = try await feed.page(cursor: nil, limit: 2, for: "b") }
      ),
      ("The list of blocks", { _ = try await social.blocks(of: "b", cursor: nil, limit: 2) }),
      ("A share", { _ = try await social.share(clip, by: "a", idempotencyKey: "one-share") }),
      ("A page of comments", { _ = try await comments.page(of: clip, cursor: nil, limit: 2, for: "a") }),
      (
        "A page of comments by likes",
        { _ = try await comments.page(of: clip, .top, cursor: nil, limit: 2, for: "a") }
      ),
      ("Replies", { _ = try await comments.replies(to: comment, cursor: nil, limit: 2, for: "a") }),
      ("A comment by itself", { _ = try await comments.comment(reply, for: "a") }),
      (
        "A comment",
        { _ = try await comments.add("@me words", to: clip, guest: "a", idempotencyKey: "one-comment") }
      ),
      (
        "A reply",
        {
          _ = try await comments.add(
            "words", to: clip, replyTo: reply, guest: "a", idempotencyKey: "one-reply")
        }
      ),
      ("A like of a comment", { _ = try await comments.like(comment, by: "a") }),
      ("A like of a comment taken back", { _ = try await comments.unlike(comment, by: "a") }),
      ("A comment pinned", { _ = try await comments.pin(comment, by: author) }),
      ("A comment deleted", { try await comments.delete(comment, by: author) }),
      ("What one wants of comments", { _ = try await comments.filters(of: author) }),
      (
        "What one wants of comments changed",
        { _ = try await comments.change(CommentFilters(words: ["unwanted"]), of: author) }
      ),
      (
        "A comment that waits",
        { _ = try await comments.add("unwanted", to: clip, guest: "a", idempotencyKey: "held-comment") }
      ),
      (
        "A page of comments with one's own that waits",
        { _ = try await comments.page(of: clip, cursor: nil, limit: 3, for: "a") }
      ),
      ("Comments that wait", { _ = try await comments.held(for: author, cursor: nil, limit: 2) }),
      (
        "A comment let in",
        {
          let held = try await comments.held(for: author, cursor: nil, limit: 1).items[0].comment.id
          statements.with { $0 = [] }
          _ = try await comments.approve(held, by: author)
          _ = try await comments.change(CommentFilters(), of: author)
        }
      ),
      ("A fold of counts of comments", { _ = try await Counters.comments.fold(in: hooked) }),
      (
        "A message",
        {
          _ = try await messages.send(
            NewMessage(text: "hello", clipId: clip), to: author, by: writer, idempotencyKey: "one-message")
        }
      ),
      ("The inbox", { _ = try await messages.conversations(of: "w", cursor: nil, limit: 2) }),
      ("A conversation", { _ = try await messages.messages(with: author, of: "w", cursor: nil, limit: 2) }),
      ("What is not read", { _ = try await messages.unread(of: author) }),
      (
        "A conversation that was read",
        { _ = try await messages.markRead(with: author, upTo: sent.id, by: "w") }
      ),
      ("The list of bookmarks", { _ = try await social.bookmarks(of: "a", cursor: nil, limit: 2) }),
      (
        "The list of those who are followed",
        { _ = try await social.following(of: "a", cursor: nil, limit: 2) }
      ),
      (
        "A page of those who are followed",
        { _ = try await feed.following(cursor: nil, limit: 2, for: "a") }
      ),
      (
        "A page of what is found", { _ = try await search.clips("one two", cursor: nil, limit: 2, for: "a") }
      ),
      (
        "A page of what is found by words with others like them",
        {
          for words in ["harbour dawn", "harbour dawning", "harbour dwan", "harbuor dawn"] {
            try await bench.publishBare(words)
          }
          statements.with { $0 = [] }
          _ = try await search.clips("harbour dawn", cursor: nil, limit: 9, for: "a")
        }
      ),
      (
        "The clips of a sound",
        {
          let alike = try await instance.feed(.open).page(cursor: nil, limit: 2).items.map(\.id)
          try await bench.setSound("a-sound", of: alike)
          _ = try await feed.clips(withSound: "a-sound", cursor: nil, limit: 1)
        }
      ),
      (
        "A page of sounds that are found",
        { _ = try await search.sounds("1", cursor: nil, limit: 2, for: "a") }
      ),
      ("A profile", { _ = try await profiles.profile("me", for: "a") }),
      ("The clips of a profile", { _ = try await profiles.clips(of: "me", cursor: nil, limit: 2, for: "a") }),
      (
        "The likes of a profile",
        {
          _ = try await instance.social(on: instance.database).like(clip, by: author)
          _ = try await instance.profiles(on: instance.database).change(
            ProfileChange(likesPublic: true), of: author)
          _ = try await profiles.likes(of: "me", cursor: nil, limit: 2, for: "a")
        }
      ),
      (
        "A page of followers",
        { _ = try await profiles.people(.followers, of: "me", cursor: nil, limit: 2, for: "a") }
      ),
      (
        "A page of whom somebody follows",
        { _ = try await profiles.people(.following, of: "me", cursor: nil, limit: 2, for: "a") }
      ),
      ("Suggestions", { _ = try await search.suggestions("on", for: "a") }),
      ("How a clip does", { _ = try await watching.insights(of: clip, for: "a", EverybodyOwns()) }),
      ("A fold of counts", { _ = try await Counters.clips.fold(in: hooked) }),
      ("A fold of what a clip's owner is told", { _ = try await Counters.reach.fold(in: hooked) }),
      ("The sweep of days", { try await ClipDays.sweep(in: hooked, at: time) }),
      (
        "A fold of how clips were left",
        { _ = try await RetentionCurves(database: hooked).fold() }
      ),
      (
        "A report",
        {
          _ = try await moderation.report(
            NewReport(kind: .clip, subjectID: clip, reason: .minors), by: "a")
        }
      ),
      ("What one has reported", { _ = try await moderation.reports(of: "a", cursor: nil, limit: 2) }),
      ("What is reported", { _ = try await moderation.cases(.open, cursor: nil, limit: 1) }),
      ("Appeals", { _ = try await moderation.cases(.appealed, cursor: nil, limit: 1) }),
      (
        "A case",
        {
          let id = try await moderation.cases(.open, cursor: nil, limit: 1).items[0].id
          statements.with { $0 = [] }
          _ = try await moderation.caseFile(id, for: writer)
        }
      ),
      (
        "Decisions about somebody",
        { _ = try await moderation.decisions(about: author, cursor: nil, limit: 2) }
      ),
      ("Suspensions whose time is over", { try await moderation.endSuspensions() }),
      ("The sweep of raw events", { try await watching.sweep() }),
      (
        "A like that is told",
        {
          try await beTold(of: clip, author, time)
          try await hooked.write {
            _ = try notifications.note(.liked(clip: clip), to: author, by: "fan", in: $0)
          }
        }
      ),
      (
        "The list of what happened",
        {
          _ =
            try await notifications.page(of: author, cursor: nil, limit: 9)
            as (NotificationPage, [(Int, Clip)])
        }
      ),
      ("What is new in it", { _ = try await notifications.unseen(of: author) }),
      ("It was seen", { _ = try await notifications.markSeen(upTo: "1", by: author) }),
      (
        "Followers are told of a clip",
        {
          try await instance.database.write { transaction in
            try transaction.execute(
              """
              INSERT INTO announced_clips (clip_id, author_id, group_id, at_ms, place) VALUES (?, ?, ?, 1, '')
              ON CONFLICT (clip_id) DO UPDATE SET place = ''
              """, [.text(clip), .text(author), .text(clip)])
            try transaction.execute(
              """
              INSERT INTO follows (viewer_id, author_id, id, created_at_ms) VALUES ('follower', ?, 'follower', 1)
              ON CONFLICT (viewer_id, author_id) DO NOTHING
              """, [.text(author)])
          }
          let devices = instance.devices(time: time)
          try await hooked.write { try notifications.tellFollowers(of: clip, pushing: devices, in: $0) }
        }
      ),
      ("What can be made from words", { _ = try await generations.offer(to: "a") }),
      (
        "A clip asked for in words",
        {
          _ = try await generations.request(
            NewGeneration(prompt: "words", seconds: 5), by: "a", idempotencyKey: "one-generation")
        }
      ),
      (
        "What somebody had made from words",
        { _ = try await generations.page(of: "a", cursor: nil, limit: 2) }
      ),
      (
        "The same for a program with a key",
        { _ = try await generations.list(of: "a", after: "b", limit: 2, ascending: false) }
      ),
      (
        "The next in turn",
        { _ = try await generations.claimStart() }
      ),
      ("What is due at a provider", { _ = try await generations.claimDue(.ask) }),
      (
        "What a provider says of a video",
        {
          let body = Array(#"{"data":{"id":"video-1"}}"#.utf8)
          let key = try #require(WebhookKey("a secret"))
          let seconds = time.nowMs / 1000
          try await webhooks.hear(
            of: "scripted",
            WebhookKey.Claim(
              id: "msg-1", timestamp: "\(seconds)",
              signatures: key.signature(id: "msg-1", timestamp: seconds, body: body)), body: body)
        }
      ),
      (
        "Who hears of a clip",
        {
          try await hooked.write {
            try webhooks.note(.clipPublished, about: "clip-1", clip: "clip-1", of: "viewer-2", in: $0)
          }
        }
      ),
      ("The next message to an endpoint", { _ = try await webhooks.claim(isSlow: false) }),
      ("The endpoints of an account", { _ = try await webhooks.list(of: "viewer-2") }),
      ("The archives of an account", { _ = try await exports.list(of: "a") }),
      (
        "A page of likes to take along",
        { _ = try await hooked.read { try likes.page(of: "a", behind: "", limit: 2, in: $0) } }
      ),
    ] as [(String, () async throws -> Void)] {
      statements.with { $0 = [] }
      try await work()
      text += "# \(what)\n\n"
      for (sql, values) in statements.with({ $0 }) {
        let words = sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        text +=
          told.insert(words).inserted
          ? words + "\n" + (try await plan(of: sql, values)) + "\n" : words.prefix(80) + "…\n    as above\n\n"
      }
    }
    if ProcessInfo.processInfo.environment["CLIPFEED_WRITE_GOLDENS"] == "1" {
      try FileManager.default.createDirectory(
        at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: golden)
    }
    #expect(text == String(decoding: try Data(contentsOf: golden), as: UTF8.self))
    if engine == .postgreSQL { return try Self.requireConditions(text) }
    for line in text.split(separator: "\n") where line.contains("    SCAN ") {
      // What a statement made itself may be gone through.
      #expect(
        [
          "SCAN (subquery-", "SCAN counted", "SCAN page", "SCAN received", "SCAN sent", "SCAN newer",
          "SCAN of_", "SCAN found", "SCAN latest", "CONSTANT ROW",
        ].contains { line.contains($0) }
          || line.contains("USING"), "\(line)")
    }
  }

  /// PostgreSQL would rather go through some hundred authors than look for the eleven of a page, which takes
  /// longer.
  @Test func aPageLooksForItsAuthorsHoweverFewThereAre() async throws {
    guard engine == .postgreSQL else { return }
    let statements = Shared<[(sql: String, values: [SQLValue])]>([])
    let hooked = HookedDatabase(database: bench.instance.database) { sql, values in
      statements.with { $0.append((sql, values)) }
    }
    try await fill(from: try await bench.publishBare("one"), rows: 500)
    _ = try await bench.instance.feed(on: hooked).page(cursor: nil, limit: 10)
    let (sql, values) = try #require(statements.with { $0.first })
    let plan = try await plan(of: sql, values, mayScan: true)
    #expect(plan.contains("using authors_by_hash"))
    #expect(!plan.contains("Seq Scan on authors"), "\(plan)")
  }

  /// A comment with a reply, both liked.
  private func converse(on clip: String, of author: String) async throws -> (comment: String, reply: String) {
    let comments = bench.instance.comments(on: bench.instance.database)
    let first = try await comments.add("first", to: clip, by: author, idempotencyKey: "first-comment")
    let reply = try await comments.add(
      "reply", to: clip, replyTo: first.id, by: author, idempotencyKey: "first-reply")
    for id in [first.id, reply.id] { _ = try await comments.like(id, by: "somebody") }
    return (first.id, reply.id)
  }

  /// One of each kind, of somebody with a name.
  private func beTold(of clip: String, _ author: String, _ time: TestTime) async throws {
    let database = bench.instance.database
    try await database.write {
      _ = try $0.execute(
        "INSERT INTO authors (id, handle, name, created_at_ms) VALUES ('fan', 'fan', 'Fan', 0)")
    }
    let comments = bench.instance.comments(on: database)
    let own = try await comments.add("mine", to: clip, by: author, idempotencyKey: "own-comment")
    let fans = try await comments.add("theirs", to: clip, by: "fan", idempotencyKey: "fan-comment")
    _ = try await comments.like(own.id, by: "fan")
    _ = try await bench.instance.social(on: database).like(clip, by: "fan")
    _ = try await bench.instance.social(on: database).follow(author, by: "fan")
    let store = bench.instance.notifications(on: database, time: time)
    try await database.write { transaction in
      for news in [
        .followed, .likedComment(own.id, clip: clip),
        .commented(fans.id, clip: clip, kind: LiveEvent.comment),
      ] as [NotificationStore.News] {
        try store.note(news, to: author, by: "fan", in: transaction)
      }
    }
  }

  private struct EverybodyOwns: ClipOwning {
    func owns(_ clipID: String, _ viewer: String, in transaction: any Transaction) -> Bool { true }
  }

  /// As many rows as make an index worthwhile, and few enough that ANALYZE looks at all of them: then it says
  /// the same each time. They lie below whatever the test asks for.
  private func fill(from clip: String, rows: Int = 20_000) async throws {
    try await bench.instance.database.write { transaction in
      for sql in [
        """
        INSERT INTO authors (id, handle, name, created_at_ms)
        SELECT 'author-' || n, 'handle-' || n, '', 0 FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO clips (id, author_id, caption, source_hash, state, created_at_ms, published_number, duration_ms,
            width, height, poster, playback)
        SELECT 'clip-' || n, 'author-' || n, caption, 'hash-' || n, state, created_at_ms, -n, duration_ms, width, height,
            poster, playback
        FROM clips, generate_series(1, \(rows)) AS n WHERE id = '\(clip)'
        """,
        "INSERT INTO clip_totals SELECT 'clip-' || n, n, 0, 0, n FROM generate_series(1, \(rows)) AS n",
        "INSERT INTO clip_retention SELECT 'clip-' || n, '', NULL, 0, 0 FROM generate_series(1, \(rows)) AS n",
        "INSERT INTO clip_reach_totals (clip_id) SELECT 'clip-' || n FROM generate_series(1, \(rows)) AS n",
        "INSERT INTO clip_days (clip_id, day) SELECT 'clip-' || n, 30000 + n % 28 FROM generate_series(1, \(rows)) AS n",
        "INSERT INTO author_totals SELECT 'author-' || n, n FROM generate_series(1, \(rows)) AS n",
        """
        INSERT INTO likes
        SELECT 'viewer-' || n / 10, 'clip-' || ((n - 1) % 2000 + 1), 'like-' || n, n FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO bookmarks
        SELECT 'viewer-' || n / 10, 'clip-' || n, 'mark-' || n, n FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO follows
        SELECT 'viewer-' || n / 10, 'author-' || ((n - 1) % 2000 + 1), 'mark-' || n, n FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO blocks
        SELECT 'viewer-' || n / 10, 'author-' || n, 'mark-' || n, n FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO messages (receiver_id, sender_id, number, id, text, idempotency_key, created_at_ms)
        SELECT 'viewer-' || n / 10, 'author-' || n, 1, 'message-' || n, '', 'key-' || n, n FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO comments (clip_id, number, id, parent_id, text, idempotency_key, created_at_ms, author_id,
            guest_viewer_id, likes)
        SELECT 'clip-' || (n / 10 + 1), n, 'comment-' || n, CASE n % 2 WHEN 0 THEN 'comment-' || (n - 1) END, '', 'key-' || n, n,
            CASE n % 3 WHEN 0 THEN 'author-' || n END, CASE n % 3 WHEN 0 THEN NULL ELSE 'viewer-' || n END, n % 7
        FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO comment_likes
        SELECT 'clip-' || (((n - 1) % 2000 + 1) / 10 + 1), 'comment-' || ((n - 1) % 2000 + 1), 'viewer-' || n / 10, n
        FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO held_comments (comment_id, clip_id, author_id, writer_viewer_id, reason)
        SELECT 'comment-' || n, 'clip-' || (n / 10 + 1), 'author-' || n / 10, 'viewer-' || n / 10, 'word'
        FROM generate_series(1, \(rows)) AS n
        """,
        "INSERT INTO comment_filters SELECT 'author-' || n, '', 0, 0 FROM generate_series(1, \(rows)) AS n",
        "INSERT INTO comment_pins SELECT 'clip-' || n, 'comment-' || n FROM generate_series(1, \(rows)) AS n",
        """
        INSERT INTO conversations (owner_id, peer_id, last_id, unread, begun_at_ms)
        SELECT 'viewer-' || n / 10, 'author-' || n, 'message-' || n, 1, n FROM generate_series(1, \(rows)) AS n
        """,
        "INSERT INTO seen SELECT 'viewer-' || n / 10, 'clip-' || n, n, n FROM generate_series(1, \(rows)) AS n",
        "INSERT INTO feed_spans SELECT 'viewer-' || n, '', 0 FROM generate_series(1, \(rows)) AS n",
        """
        INSERT INTO search_entries SELECT 'clip', 'clip-' || n, 0, 'word' || n / 10, '' FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO search_postings SELECT 'clip', 'word' || n / 10, 0, 'clip-' || n FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO search_words
        SELECT 'clip', 'word' || n, 'word' || n, 10, 1 FROM generate_series(1, \(rows)) AS n
        """,
        "INSERT INTO search_forms SELECT 'clip', 'form' || n, 'word' || n FROM generate_series(1, \(rows)) AS n",
        "INSERT INTO search_tags SELECT 'tag-' || n, 1 FROM generate_series(1, \(rows)) AS n",
        """
        INSERT INTO search_sounds (sound_id, clips, first_clip)
        SELECT 'sound-' || n, 2, 'clip-' || n FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO watch_events (viewer_id, id, clip_id, kind, at_ms, received_at_ms)
        SELECT 'viewer-' || n / 10, 'event-' || n, 'clip-' || n, 'skip', 9000000000000 + n, 9000000000000 + n
        FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO moderation_cases
        SELECT 'case-' || n, 'clip', 'clip-' || n, 'clip-' || n, 'author-' || n, '', n % 5, 1, 1,
            CASE n % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'closed' ELSE 'appealed' END, n, n, n
        FROM generate_series(1, \(rows)) AS n
        """,
        "INSERT INTO moderation_reasons SELECT 'case-' || n, 'spam', 1 FROM generate_series(1, \(rows)) AS n",
        """
        INSERT INTO moderation_reports
        SELECT 'case-' || (n / 10 + 1), 'viewer-' || n, 'report-' || n, 1, 'spam', '', n FROM generate_series(1, \(rows)) AS n
        """,
        "INSERT INTO moderation_outcomes SELECT 'case-' || n, 1, 'acted' FROM generate_series(1, \(rows)) AS n",
        """
        INSERT INTO moderation_decisions (id, case_id, round, idempotency_key, person_viewer_id, moderator_viewer_id, action,
            reason, statement, state, created_at_ms, until_ms)
        SELECT 'decision-' || n, 'case-' || n, 1, 'key', 'author-' || n, 'author-1', 'suspend', 'spam', '', 'standing', n,
            9000000000000 + n
        FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO notifications
        SELECT 'author-' || ((n - 1) % 2000 + 1), 'like/clip-' || n, 'entry-' || n, 'like', 'clip-' || n, NULL, n
        FROM generate_series(1, \(rows)) AS n
        """,
        // Half of them wait for people who have no turn here, the others are over.
        """
        INSERT INTO generations (id, viewer_id, idempotency_key, prompt, seconds, style, aspect, price, day, state, work,
            permille, attempts, tried, provider, hidden, published, fencing, lease_until_ms, due_at_ms, took_ms,
            ended_at_ms, wanted_at_ms, created_at_ms)
        SELECT 'generation-' || n, 'viewer-' || n / 10, 'key-' || n, '', 5, 'none', '9:16', 5, n % 30,
            CASE n % 2 WHEN 0 THEN 'reserved' ELSE 'ready' END, CASE n % 2 WHEN 0 THEN 'start' ELSE '' END, 0, 1, '',
            CASE n % 2 WHEN 0 THEN NULL ELSE 'scripted' END, 0, 0, 1, 0, n, CASE n % 2 WHEN 0 THEN NULL ELSE n END,
            CASE n % 2 WHEN 0 THEN NULL ELSE n END, n, n
        FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO webhook_endpoints (id, viewer_id, address, events, secret, enabled, slow, created_at_ms)
        SELECT 'endpoint-' || n, CASE n WHEN 1 THEN NULL ELSE 'viewer-' || n END, '', 'clip.published', '', 1, 0, n
        FROM generate_series(1, \(rows)) AS n
        """,
        """
        INSERT INTO webhook_deliveries (id, endpoint_id, event, subject, author_id, state, slow, tries, due_at_ms,
            created_at_ms)
        SELECT 'delivery-' || n, 'endpoint-' || n / 10, 'clip.published', 'clip-' || n, 'viewer-' || n / 10,
            CASE n % 10 WHEN 0 THEN 'waiting' ELSE 'delivered' END, 0, 1, 9000000000000 + n, n
        FROM generate_series(1, \(rows)) AS n
        """,
        "INSERT INTO generation_people SELECT 'viewer-' || n, 1, 1, 0, n FROM generate_series(1, \(rows)) AS n",
        """
        INSERT INTO credit_entries
        SELECT 'entry-' || n, 'spent', 'viewer-' || n / 10, 'generation-' || n, 5, n % 30, n
        FROM generate_series(1, \(rows)) AS n
        """,
        "INSERT INTO notification_readers SELECT 'author-' || n, n, '' FROM generate_series(1, \(rows)) AS n",
        "ANALYZE",
      ] { try transaction.execute(sql) }
    }
  }

  /// Nothing is gone through from its beginning to its end, neither a table nor an index. (The CTE and
  /// subqueries of a statement's own rows are no tables.)
  private static func requireConditions(_ text: String) throws {
    let lines = text.split(separator: "\n").map(String.init)
    for (index, line) in lines.enumerated() {
      #expect(!line.contains("Seq Scan"), "\(line)")
      guard line.contains("Index") && line.contains("Scan using") else { continue }
      let after = lines[(index + 1)...].prefix { !$0.contains("->") && $0.hasPrefix(" ") }
      #expect(after.contains { $0.contains("Index Cond") }, "\(line)")
    }
  }

  private func plan(of sql: String, _ values: [SQLValue], mayScan: Bool = false) async throws -> String {
    if engine == .postgreSQL {
      return try await bench.instance.database.read { transaction in
        // NB: tables that are empty when nobody has anything to do, as changes of counts are after a fold,
        // would be gone through, and rightly; what is to be seen here is what happens when they are not.
        if !mayScan { try transaction.execute("SET LOCAL enable_seqscan = off") }
        return try transaction.query("EXPLAIN (COSTS OFF) " + sql, values).map {
          "    " + (try $0.text("QUERY PLAN")).replacing(#/'[^']*'/#, with: "?") + "\n"
        }.joined()
      }
    }
    let rows = try await bench.instance.database.read {
      try $0.query("EXPLAIN QUERY PLAN " + sql, values).map { try $0.text("detail") }
    }
    return rows.map { "    \($0)\n" }.joined()
  }
}
