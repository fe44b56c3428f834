public import Contract
public import Observation

/// The comments of a clip, newest first, page by page, and those that somebody writes: seen at once, and
/// sent once.
///
/// It refuses to know what becomes of the feed behind them.
@MainActor @Observable public final class CommentsModel {
  public let clip: Clip
  public let list: PagedList<ClipComment>
  public let field: WrittenField
  public private(set) var count: Int
  public private(set) var takesComments: Bool

  /// Arrived since the first page.
  private var fresh: [ClipComment] = []

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let outbox: Outbox<ClipComment>
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored public let blocking: Blocking
  /// Runs when the clip has another number of comments.
  @ObservationIgnored public var onCounted: ((_ clip: String, _ count: Int) -> Void)?

  init(clip: Clip, workshop: TalkModels) {
    self.clip = clip
    client = workshop.client
    outbox = workshop.comments
    viewer = workshop.viewer
    blocking = workshop.blocking
    field = WrittenField(place: clip.id, drafts: workshop.commentDrafts, clock: workshop.clock)
    count = max(0, clip.counts.comments)
    takesComments = clip.comments == .open
    list = PagedList { [client, id = clip.id] in
      try await client.comments(on: id, cursor: $0, limit: $1)
    }
  }

  /// Newest first, each once, without those of people who are blocked.
  public var comments: [ClipComment] {
    var known: Set<String> = []
    return (fresh + list.items).filter { comment in
      known.insert(comment.id).inserted && !(comment.author.map { blocking.gone.contains($0.id) } ?? false)
    }
  }

  /// Written here and not arrived yet, newest first.
  public var pending: [Outbox<ClipComment>.Entry] { outbox.entries(of: clip.id).reversed() }

  public var isEmpty: Bool { list.isWhole && comments.isEmpty && pending.isEmpty }

  /// Why there is no field; `nil`: there is one.
  public var closedReason: Sentence? {
    guard !takesComments else { return nil }
    return viewer.viewerID == nil ? "Sign in to comment." : "Comments are off."
  }

  public func post() {
    guard takesComments, field.canSend else { return }
    outbox.send(clip.id)
    field.reload()
  }

  public func retry(_ key: String) { outbox.retry(key) }

  public func discard(_ key: String) { outbox.discard(clip.id, key: key) }

  /// A comment has arrived. What was tried before may be counted already, and only the server knows.
  func arrived(_ comment: ClipComment, wasTried: Bool) {
    if !fresh.contains(where: { $0.id == comment.id }) { fresh.insert(comment, at: 0) }
    guard wasTried else { return recount(count + 1) }
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
    onCounted?(clip.id, count)
  }
}
