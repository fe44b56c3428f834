public import Contract
internal import CoreTypes
public import Foundation
public import Observation

/// The comments of a clip, the pinned one first, page by page, with their replies one level deep, and those
/// that somebody writes: seen at once, and sent once.
///
/// It refuses to know what becomes of the feed behind them.
@MainActor @Observable public final class CommentsModel {
  public let clip: Clip
  public let list: PagedList<ClipComment>
  /// Of the clip, or of the answer to `answered`.
  public private(set) var field: WrittenField
  public private(set) var answered: ClipComment?
  public let mentions: MentionSuggestions
  public private(set) var order = CommentOrder.newest
  public internal(set) var count: Int
  public private(set) var takesComments: Bool

  /// Arrived since the first page; those that wait until whoever reads further down comes back to the top.
  var fresh: [ClipComment] = []
  public internal(set) var held: [ClipComment] = []
  /// A link led to it, or to a reply to it.
  var led: ClipComment?
  /// The one that the link names.
  public internal(set) var marked: String?
  /// By comment.
  var threads: [String: CommentThread] = [:]
  /// Deleted, or on their way to be.
  var gone: Set<String> = []
  /// Likes that somebody turned and the server has not confirmed.
  var turned: [String: Bool] = [:]
  public internal(set) var isShown = false

  @ObservationIgnored let client: Client
  @ObservationIgnored let activity: ActivityHost
  @ObservationIgnored let announcements: Announcements
  @ObservationIgnored let clock: any PauseClock
  @ObservationIgnored public let blocking: Blocking
  @ObservationIgnored private let outbox: Outbox<ClipComment>
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored private let drafts: DraftBook
  @ObservationIgnored private let base: URL
  @ObservationIgnored private let sorting: Sorting
  /// Where a link leads, until that comment is there.
  @ObservationIgnored var wanted: String?
  @ObservationIgnored var isAtTop = true
  @ObservationIgnored var isLooking = false
  /// Somebody asked for it meanwhile.
  @ObservationIgnored var looksAgain = false
  @ObservationIgnored var watching: Task<Void, Never>?
  /// Runs when the clip has another number of comments.
  @ObservationIgnored public var onCounted: ((_ clip: Clip, _ count: Int) -> Void)?

  /// What the list asks for.
  @MainActor private final class Sorting { var order = CommentOrder.newest }

  init(clip: Clip, workshop: TalkModels) {
    self.clip = clip
    client = workshop.client
    activity = workshop.activity
    announcements = workshop.announcements
    clock = workshop.clock
    outbox = workshop.comments
    viewer = workshop.viewer
    blocking = workshop.blocking
    drafts = workshop.commentDrafts
    base = workshop.base
    field = WrittenField(place: clip.id, drafts: drafts, clock: clock)
    count = max(0, clip.counts.comments)
    takesComments = clip.comments == .open
    let sorting = Sorting()
    self.sorting = sorting
    list = PagedList { [client, id = clip.id] in
      try await client.comments(on: id, order: sorting.order, cursor: $0, limit: $1)
    }
    mentions = MentionSuggestions(client: client, clock: clock) { [blocking] in
      blocking.gone.contains($0.id)
    }
    field.onTyped = { [mentions] in mentions.typed($0, $1) }
  }

  // MARK: What is shown

  /// Each once, without those of people who are blocked: that which a link led to, the pinned one, the rest.
  public var comments: [ClipComment] {
    let all = fresh + list.items
    let rest = all.filter { !$0.pinned }
    var known: Set<String> = []
    return ((led.map { [$0] } ?? []) + all.filter(\.pinned) + (order == .newest ? Self.newest(rest) : rest))
      .filter { known.insert($0.id).inserted && isSeen($0) }
  }

  /// Oldest first, as far as they are shown.
  public func replies(to comment: ClipComment) -> [ClipComment] {
    threads[comment.id]?.replies.filter(isSeen) ?? []
  }

  /// How many are not shown.
  public func hiddenReplies(of comment: ClipComment) -> Int {
    let thread = threads[comment.id]
    if let thread, thread.isOpen, thread.list.isWhole { return 0 }
    let shown = thread?.replies.count { $0.held != true } ?? 0
    return max(0, comment.replies.subtractingReportingOverflow(shown).partialValue)
  }

  public func thread(of comment: ClipComment) -> CommentThread? { threads[comment.id] }

  /// Written here and not arrived yet, newest first; with what answers a comment that is not shown.
  public var pending: [Outbox<ClipComment>.Entry] {
    let shown = Set(comments.map(\.id))
    return outbox.entries { name in
      let place = CommentPlace(name)
      return place.clip == clip.id && place.answer.map { !shown.contains($0.parent) } ?? true
    }.reversed()
  }

  /// The same of those that answer a comment or a reply to it, the oldest first.
  public func pending(under comment: ClipComment) -> [Outbox<ClipComment>.Entry] {
    outbox.entries { name in
      let place = CommentPlace(name)
      return place.clip == clip.id && place.answer?.parent == comment.id
    }
  }

  public var isEmpty: Bool { list.isWhole && comments.isEmpty && pending.isEmpty }

  /// Why there is no field; `nil`: there is one.
  public var closedReason: Sentence? {
    guard !takesComments else { return nil }
    return viewer.viewerID == nil ? "Sign in to comment." : "Comments are off."
  }

  /// Whoever made the clip, as an account.
  public var isCreator: Bool { !clip.author.id.isEmpty && clip.author.id == viewer.viewerID }

  /// The same address as on the web; `nil`: nobody else sees the clip.
  public func link(to comment: ClipComment) -> URL? {
    guard clip.visibility != .private, comment.held != true else { return nil }
    return address(Route.clipPage.path(clip.id) + "?comment=" + Route.encoded(comment.id))
  }

  /// Of somebody's profile on the web.
  public func address(of handle: String) -> URL? { address("/@" + Route.encoded(handle)) }

  private func address(_ path: String) -> URL? {
    let base = base.absoluteString
    return URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + path)
  }

  private func isSeen(_ comment: ClipComment) -> Bool {
    !gone.contains(comment.id) && !(comment.author.map { blocking.gone.contains($0.id) } ?? false)
  }

  /// NB: times have no parts of a second; of one second they stand as the server has them.
  private static func newest(_ comments: [ClipComment]) -> [ClipComment] {
    comments.enumerated().sorted {
      $0.element.createdAt == $1.element.createdAt
        ? $0.offset < $1.offset : $0.element.createdAt > $1.element.createdAt
    }.map(\.element)
  }

  // MARK: Order

  public func sort(by order: CommentOrder) async {
    guard order != self.order else { return }
    self.order = order
    sorting.order = order
    await reload()
  }

  /// From the top. What is shown stays until that has come.
  public func reload() async {
    let before = Set((fresh + held).map(\.id))
    await list.reload()
    guard list.failure == nil else { return }
    fresh.removeAll { before.contains($0.id) }
    held.removeAll { before.contains($0.id) }
    for thread in threads.values { await thread.look() }
  }

  /// Opens the replies of a comment, or closes them.
  public func toggleReplies(to comment: ClipComment) async {
    let thread = threads[comment.id] ?? makeThread(of: comment.id)
    if thread.isOpen { thread.close() } else { await thread.open() }
  }

  func makeThread(of parent: String) -> CommentThread {
    let thread = threads[parent] ?? CommentThread(of: parent, client: client)
    threads[parent] = thread
    return thread
  }

  // MARK: Writing

  /// The field is for an answer from now on; what stood in it stays for later.
  public func reply(to comment: ClipComment) {
    guard takesComments else { return }
    write(answering: comment)
    // Who is meant among the replies can be read nowhere else.
    guard comment.parentId != nil, let author = comment.author, author.hasProfile, field.text.isEmpty else {
      return
    }
    field.text = Self.opening(for: author)
  }

  /// The field is for the clip again. What was written stays for the next answer to that comment.
  public func takeReplyBack() {
    if let author = answered?.author, field.text == Self.opening(for: author) { field.text = "" }
    write(answering: nil)
  }

  private static func opening(for author: Author) -> String { "@" + author.handle + " " }

  private func write(answering comment: ClipComment?) {
    field.store()
    field.onTyped = nil
    mentions.clear()
    answered = comment
    field = WrittenField(
      place: CommentPlace(clip: clip.id, answering: comment).name, drafts: drafts, clock: clock)
    field.onTyped = { [mentions] in mentions.typed($0, $1) }
  }

  public func mention(_ person: Author) {
    field.text = mentions.completed(field.text, with: person)
    mentions.clear()
  }

  public func post() {
    guard takesComments, field.canSend else { return }
    outbox.send(CommentPlace(clip: clip.id, answering: answered).name)
    field.reload()
    if answered != nil { write(answering: nil) }
  }

  public func retry(_ key: String) { outbox.retry(key) }

  public func discard(_ entry: Outbox<ClipComment>.Entry) { outbox.discard(entry.place, key: entry.id) }

  /// A comment has arrived. What was tried before, or is known by a look, may be counted already, and only
  /// the server knows.
  func arrived(_ comment: ClipComment, wasTried: Bool) {
    let waits = comment.held == true
    if waits { announcements.post(.commentWaits) }
    if let parent = comment.parentId {
      makeThread(of: parent).add(comment)
      if waits {
        // It is counted for nobody.
      } else if wasTried {
        Task { await renew(parent) }
      } else {
        addReplies(1, to: parent)
      }
    }
    let isKnown = (fresh + held + list.items).contains { $0.id == comment.id }
    if comment.parentId == nil, !fresh.contains(where: { $0.id == comment.id }) {
      held.removeAll { $0.id == comment.id }
      fresh.insert(comment, at: 0)
    }
    guard wasTried || isKnown || waits else { return recount(count + 1) }
    Task { await recount() }
  }

  func recount() async {
    guard let now = try? await client.clip(clip.id).counts.comments else { return }
    recount(now)
  }

  func refused(_ failure: RequestFailure) {
    if failure.isOne(of: .commentsOff) { takesComments = false }
  }

  private func recount(_ number: Int) {
    count = max(0, number)
    onCounted?(clip, count)
  }

  /// Somebody signed in or out: what is shown was told to another person.
  func viewerChanged() {
    (turned, threads, gone) = ([:], [:], [])
    let linked = marked
    (led, marked) = (nil, nil)
    // An answer that they have not begun themselves.
    if answered != nil, field.text.isEmpty { write(answering: nil) }
    mentions.clear()
    Task {
      if let now = try? await client.clip(clip.id) { takesComments = now.comments == .open }
      await reload()
      if let linked { show(linked) }
    }
  }
}

extension Sentence {
  static let commentGone: Sentence = "This comment is gone."
  static let commentWaits: Sentence =
    "Whoever made the clip looks at your comment first. Until then only you see it."
}
