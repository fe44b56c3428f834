internal import Contract
internal import Synchronization

/// What the operator lets nobody write here, what is looked at first, and what who is new may not do yet
/// (docs/design/comment-filters.md). One for all features of a process; without an operator's word everything
/// is taken.
public final class SiteRules: Sendable {
  /// A line that an operator's list cannot have.
  public struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    public let path: String
    /// Nil: it is the file as a whole.
    public let line: Int?
    public let reason: String

    public var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)" }
  }

  private struct State {
    var lists = WordLists()
    var path: String?
    /// As the file was when it was looked at last.
    var seen: FileStatus?
    var newcomerHours = 0
  }

  private let state = Mutex(State())

  public init() {}

  // MARK: What the operator says

  public func apply(_ lists: WordLists) { state.withLock { $0.lists = lists } }

  /// From now on what stands in this file counts, as it is at each `renew`. Throws `Fault`.
  public func follow(_ path: String) throws {
    let seen = FileStatus(of: path)
    let lists = try WordLists.read(path)
    state.withLock { ($0.path, $0.seen, $0.lists) = (path, seen, lists) }
  }

  public var followsFile: Bool { state.withLock { $0.path != nil } }

  /// Reads the file if it has changed. One that cannot be taken changes nothing, and is said once: throws
  /// `Fault`.
  public func renew() throws {
    let (path, seen) = state.withLock { ($0.path, $0.seen) }
    guard let path else { return }
    let now = FileStatus(of: path)
    guard now != seen else { return }
    state.withLock { $0.seen = now }
    let lists = try WordLists.read(path)
    state.withLock { $0.lists = lists }
  }

  /// For how many hours an account is new, and every guest; 0: nobody is.
  public var newcomerHours: Int {
    get { state.withLock { $0.newcomerHours } }
    set { state.withLock { $0.newcomerHours = newValue } }
  }

  // MARK: Words

  /// The word that is not taken, as the operator has it; nil: there is none in the text.
  public func refusedWord(in text: String) -> String? {
    let lists = state.withLock { $0.lists }
    return lists.refused(in: text)
  }

  /// What whoever wrote a word that is not taken reads.
  public static func sentence(refusing word: String) -> String {
    "This site does not take “\(word)”. Change it and send it again."
  }

  /// Nil: it is taken. Else `text_refused`, with the word, at this field of the request.
  public func refusal(of text: String, at field: String) -> AppError? {
    refusedWord(in: text).map { AppError(.textRefused, Self.sentence(refusing: $0), field: field) }
  }

  public func requireTaken(_ text: String, at field: String) throws {
    if let refusal = refusal(of: text, at: field) { throw refusal }
  }

  /// Somebody has to look at it before others see it.
  public func isHeld(_ text: String) -> Bool {
    let lists = state.withLock { $0.lists }
    return lists.isHeld(text)
  }

  // MARK: Newcomers

  /// What they may write: some words at once, and then one in a while. Beside what everybody has.
  public static let newcomers = TokenBucket("newcomers", burst: 5, intervalMs: 30_000)

  /// Whether somebody is new. A guest always is: a new one costs nothing.
  public func isNew(
    _ viewer: String?, isGuest: Bool, at time: any TimeSource, in transaction: any Transaction
  ) throws -> Bool {
    let hours = newcomerHours
    guard hours > 0 else { return false }
    guard let viewer, !isGuest else { return true }
    let rows = try transaction.query("SELECT created_at_ms FROM authors WHERE id = ?", [.text(viewer)])
    guard let begun = try rows.first?.integer("created_at_ms") else { return true }
    return time.nowMs - begun < Int64(hours) * 3_600_000
  }

  /// Throws `links_not_yet`, at the field `text`, to who is new.
  public func requireNoLinks(
    in text: String, of viewer: String?, isGuest: Bool, at time: any TimeSource,
    in transaction: any Transaction
  ) throws {
    let hours = newcomerHours
    guard hours > 0, WrittenLinks.areIn(text) else { return }
    guard try isNew(viewer, isGuest: isGuest, at: time, in: transaction) else { return }
    let age = hours == 1 ? "an hour" : "\(hours) hours"
    throw AppError(
      .linksNotYet,
      isGuest
        ? "Links need an account here that is \(age) old. Send it without the link."
        : "Your account can send links once it is \(age) old. Send it without the link, or wait until then.",
      field: "text")
  }
}
