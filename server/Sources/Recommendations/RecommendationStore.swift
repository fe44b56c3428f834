internal import Contract
public import Platform

/// What to watch next: hosts a `Ranker`, which learns from what people do and orders "For you".
///
/// It decides what is learned of what, what is never asked of the ranker, and what people may know and undo.
/// It refuses to know how clips are shown, and which requests there are. What it orders are hints: whoever
/// shows a clip looks once more whether the viewer may see it.
///
/// Events are rows, written in the transaction of what they tell of; every server learns all of them, in
/// their order (`EventLog`). A server that starts takes the last snapshot and goes on behind it.
public struct RecommendationStore: Sendable {
  let database: any Database
  let time: any TimeSource
  let blocking: any BlockChecking
  let ages: AgeRule
  let state: RankingState
  let log: EventLog

  public init(
    database: any Database, time: any TimeSource, blocking: any BlockChecking, ages: AgeRule = AgeRule(),
    state: RankingState
  ) {
    self.database = database
    self.time = time
    self.blocking = blocking
    self.ages = ages
    self.state = state
    log = EventLog(time: time)
  }

  var engine: RankingEngine { state.engine }
  var reader: LogReader { state.reader }
}

/// Clips as lists show them to whoever asks.
public protocol RecommendedClips: Sendable {
  /// Those of these that are public and of nobody from whom the viewer is kept apart, in this order.
  func encoded(_ ids: [String], inOrderFor viewer: String?) async throws -> [EncodedClip]
  /// A tag as clips have it; nil: it is none.
  func tag(_ text: String) -> String?
  /// Throws `clip_not_found` and `author_blocked`.
  func requireVisible(_ clipID: String, to viewer: String?) async throws
}

extension RecommendationStore {
  public static let migrations = [
    Migration(
      "0039_recommendations",
      [
        // What people did, in the order in which it is learned: ids sort by time. `clip_id` is empty where an
        // event is of a viewer alone, and `subject` is another viewer then.
        """
        CREATE TABLE ranking_events (
            id TEXT PRIMARY KEY, viewer_id TEXT NOT NULL, clip_id TEXT NOT NULL, kind TEXT NOT NULL,
            watched_ms BIGINT, source TEXT, subject TEXT)
        """,
        "CREATE INDEX ranking_events_of_viewer ON ranking_events (viewer_id)",
        // What a walk through "For you" has handed out, why, and how likely it was. `viewer_id` is empty for
        // the page that everybody gets of whom nothing is known, `reason` where the feed passed a clip over.
        // Numbers are of 10^12 and of 10^6.
        """
        CREATE TABLE shown_clips (
            walk TEXT NOT NULL, clip_id TEXT NOT NULL, viewer_id TEXT NOT NULL, place BIGINT NOT NULL,
            at_ms BIGINT NOT NULL, reason TEXT NOT NULL, sources BIGINT NOT NULL, propensity BIGINT NOT NULL,
            score BIGINT NOT NULL, PRIMARY KEY (walk, clip_id))
        """,
        "CREATE INDEX shown_clips_of_viewer ON shown_clips (viewer_id, at_ms)",
        "CREATE INDEX shown_clips_age ON shown_clips (at_ms)",
        """
        CREATE TABLE dismissals (
            viewer_id TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, at_ms BIGINT NOT NULL,
            PRIMARY KEY (viewer_id, kind, subject))
        """,
        """
        CREATE TABLE personalisation (viewer_id TEXT PRIMARY KEY, is_on BIGINT NOT NULL)
        """,
        """
        CREATE TABLE ranking_snapshots (id TEXT PRIMARY KEY, blob TEXT NOT NULL, at_ms BIGINT NOT NULL)
        """,
      ]),
    Migration(
      "0043_experiments",
      [
        // In which experiment it was shown, and in which arm of it; both are null outside of one.
        "ALTER TABLE shown_clips ADD COLUMN experiment TEXT",
        "ALTER TABLE shown_clips ADD COLUMN arm TEXT",
      ]),
  ]

  /// How long events and what was shown are kept: a month, as raw watch events are.
  public static let retentionMs: Int64 = 30 * 86_400_000
}
