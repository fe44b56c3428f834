public import Contract
public import CoreTypes
internal import Foundation

/// What a person does with a clip and its author: likes, bookmarks, follows, shares, blocks. Each shows at
/// once and is told to the server behind it; what fails is taken back and said.
///
/// It refuses to know where it is drawn, and which requests go out when: that is `Activity`'s.
@MainActor public final class ClipActions {
  public enum Kind: String, CaseIterable, Sendable { case like, bookmark, follow }

  private let activity: ActivityHost
  private let client: Client
  /// Of the account; `nil`: nobody is signed in.
  public var viewerID: () -> String?
  public let ownership: Ownership
  /// The clip's page is to be drawn anew; `nil`: all pages.
  public var onChanged: ((String?) -> Void)?
  public var onNotice: ((Sentence) -> Void)?
  /// The server does not have the clip any more.
  public var onGone: ((ItemID) -> Void)?
  /// By clip: counts that differ from those that came with it.
  private var counts: [String: Counts] = [:]
  /// By clip: as it was asked for again.
  private var viewers: [String: ClipViewer] = [:]
  /// Clips that an earlier visit left: how this person stands to them is not known.
  private var left: Set<String>
  /// Items before this one were told to somebody else, but for those that were asked for again.
  private var since: Int32 = 0
  private var renewed: Set<String> = []
  /// Counts those who have been here: what was told to one of them is not true for the next.
  private var changes = 0
  private var work: [Int: Task<Void, Never>] = [:]
  private var lastWork = 0
  /// Authors on their way to be blocked, or blocked.
  public private(set) var blocked: Set<String> = []

  public init(
    activity: ActivityHost, client: Client, left: [Clip] = [], viewerID: @escaping () -> String? = { nil }
  ) {
    self.activity = activity
    self.client = client
    self.left = Set(left.map(\.id))
    self.viewerID = viewerID
    ownership = Ownership(client: client)
    activity.askAgain = { [client] name, isOn in
      if let comment = CommentLike.comment(of: name) {
        _ = try await CommentLike.ask(comment, isOn, client)
        return
      }
      guard let (kind, id) = Self.named(name) else { return }
      _ = try await Self.ask(kind, id, isOn, client)
    }
  }

  public func standing(of clip: Clip, _ item: ItemID) -> ClipStanding {
    let viewer = ClipViewer(
      liked: holds(.like, clip, item), bookmarked: holds(.bookmark, clip, item),
      following: holds(.follow, clip, item))
    return ClipStanding(
      clip, counts: counts[clip.id] ?? clip.counts, viewer: viewer,
      owner: ownership.owner(of: clip, viewer: viewerID()),
      hasSecret: ownership.upload(of: clip.id) != nil)
  }

  /// Whether it is so for this person, as far as they turned it.
  public func holds(_ kind: Kind, _ clip: Clip, _ item: ItemID) -> Bool {
    if let isOn = activity.isOn(Self.name(kind, clip)) { return isOn }
    let known = viewers[clip.id] ?? (isForeign(clip, item) ? nil : clip.viewer)
    return switch kind {
    case .like: known?.liked ?? false
    case .bookmark: known?.bookmarked ?? false
    case .follow: known?.following ?? false
    }
  }

  public func turn(_ kind: Kind, of clip: Clip, _ item: ItemID) {
    let standing = standing(of: clip, item)
    guard kind != .follow || standing.canFollow else { return }
    set(kind, !holds(kind, clip, item), clip, item)
  }

  /// Never the other way: whoever taps twice likes it.
  public func like(_ clip: Clip, _ item: ItemID) {
    if !holds(.like, clip, item) { set(.like, true, clip, item) }
  }

  private func set(_ kind: Kind, _ isOn: Bool, _ clip: Clip, _ item: ItemID) {
    let known = holds(kind, clip, item)
    if kind == .follow { return follow(clip.author, isOn, known: known) }
    let (client, id) = (client, clip.id)
    if kind == .like { addLikes(isOn ? 1 : -1, to: clip) }
    activity.turn(
      Self.name(kind, clip), isOn, known: known,
      ActivityHost.Toggle(
        send: { try await Self.ask(kind, id, $0, client) },
        confirm: { [weak self] _, answer in
          guard let self, kind == .like, let likes = answer?.count else { return }
          var known = counts[clip.id] ?? clip.counts
          known.likes = max(0, likes)
          counts[clip.id] = known
          onChanged?(clip.id)
        },
        revert: { [weak self] isOn, _ in
          guard let self else { return }
          if kind == .like { addLikes(isOn ? 1 : -1, to: clip) }
          onChanged?(clip.id)
          onNotice?(kind == .like ? .likeFailed : .bookmarkFailed)
        }))
    onChanged?(clip.id)
    if kind == .bookmark { onNotice?(isOn ? .bookmarked : .bookmarkRemoved) }
  }

  /// Follows somebody, or does so no more, wherever they are met: their clips show it too. `known`: how it
  /// stands so far. `changed` hears how it stands from then on, at once and when it is taken back, and of the
  /// number of followers once the server has said it.
  public func follow(
    _ author: Author, _ isOn: Bool, known: Bool,
    changed: @escaping @MainActor (_ isOn: Bool, _ followers: Int?) -> Void = { _, _ in }
  ) {
    let (client, id) = (client, author.id)
    activity.turn(
      Self.follow(id), isOn, known: known,
      ActivityHost.Toggle(
        send: { try await Self.ask(.follow, id, $0, client) }, confirm: { changed($0, $1?.count) },
        revert: { [weak self] isOn, _ in
          changed(isOn, nil)
          self?.onChanged?(nil)
          self?.onNotice?(.followFailed)
        }))
    changed(isOn, nil)
    onChanged?(nil)
  }

  private func addLikes(_ by: Int, to clip: Clip) {
    var known = counts[clip.id] ?? clip.counts
    known.likes = max(0, known.likes.addingReportingOverflow(by).partialValue)
    counts[clip.id] = known
  }

  /// The link was handed on.
  public func shared(_ clip: Clip) {
    let key = UUID().uuidString.lowercased()
    addShares(1, to: clip)
    run { [self] in
      do {
        let answer = try await client.share(clip.id, idempotencyKey: key)
        var known = counts[clip.id] ?? clip.counts
        known.shares = max(0, answer.shares)
        counts[clip.id] = known
        onChanged?(clip.id)
      } catch {
        // It was handed on all the same; nobody counted it.
        addShares(-1, to: clip)
      }
    }
  }

  private func addShares(_ by: Int, to clip: Clip) {
    var known = counts[clip.id] ?? clip.counts
    known.shares = max(0, known.shares.addingReportingOverflow(by).partialValue)
    counts[clip.id] = known
    onChanged?(clip.id)
  }

  /// Comments were written or removed elsewhere.
  public func setComments(_ count: Int, of clip: Clip) {
    var known = counts[clip.id] ?? clip.counts
    known.comments = max(0, count)
    counts[clip.id] = known
    onChanged?(clip.id)
  }

  /// Blocks an author; `done` runs when the server has them apart.
  public func block(_ author: Author, _ done: @escaping @MainActor () -> Void) {
    guard !author.id.isEmpty, blocked.insert(author.id).inserted else { return }
    onNotice?(.blocked(author.name))
    run { [self] in
      do {
        _ = try await client.block(author.id)
        done()
      } catch {
        blocked.remove(author.id)
        onNotice?(.notBlocked(author.name))
      }
    }
  }

  /// They may be met again.
  public func forgive(_ author: String) { blocked.remove(author) }

  /// Somebody signed in or out: what is shown is what somebody else had to do with the clips. `size`: how
  /// many clips the feed has had so far.
  public func viewerChanged(size: Int) {
    activity.viewerChanged()
    ownership.clear()
    changes += 1
    viewers = [:]
    renewed = []
    blocked = []
    since = Int32(clamping: size)
    onChanged?(nil)
  }

  /// The clip is on the screen: what its menu offers is known when somebody opens it.
  func learnOwner(of clip: Clip) { ownership.learn(clip, viewer: viewerID()) }

  /// Asks again for a clip that was told to somebody else, or in an earlier visit.
  public func renew(_ clip: Clip, _ item: ItemID) {
    guard isForeign(clip, item), renewed.insert(clip.id).inserted else { return }
    let begun = changes
    run { [self] in
      do {
        let fresh = try await client.clip(clip.id)
        guard begun == changes else { return }
        viewers[clip.id] = fresh.viewer ?? ClipViewer()
        // What was turned meanwhile is newer than these counts.
        if activity.isOn(Self.name(.like, clip)) == nil { counts[clip.id] = fresh.counts }
        onChanged?(clip.id)
      } catch {
        guard begun == changes else { return }
        renewed.remove(clip.id)
        if let problem = error as? Problem, problem.status == 404 || problem.status == 410 { onGone?(item) }
      }
    }
  }

  /// Returns once nothing of this is on its way.
  public func settled() async {
    while let task = work.values.first { await task.value }
    await ownership.settled()
    await activity.settled()
  }

  /// Lets go of what is on its way.
  public func stop() {
    for task in work.values { task.cancel() }
    ownership.stop()
    activity.stop()
  }

  private func isForeign(_ clip: Clip, _ item: ItemID) -> Bool {
    (left.contains(clip.id) || item.rawValue < since) && viewers[clip.id] == nil
  }

  private func run(_ act: @escaping @MainActor () async -> Void) {
    lastWork += 1
    let number = lastWork
    work[number] = Task {
      await act()
      work[number] = nil
    }
  }

  /// `id`: of the clip, or of whoever is followed.
  private nonisolated static func ask(
    _ kind: Kind, _ id: String, _ isOn: Bool, _ client: Client
  ) async throws -> ActivityHost.Answer {
    switch kind {
    case .like:
      return ActivityHost.Answer(count: try await (isOn ? client.like(id) : client.unlike(id)).likes)
    case .bookmark:
      _ = try await (isOn ? client.bookmark(id) : client.unbookmark(id))
      return ActivityHost.Answer()
    case .follow:
      return ActivityHost.Answer(
        count: try await (isOn ? client.follow(id) : client.unfollow(id)).followers)
    }
  }

  /// The other way round: what `name` was made of. NB: by bytes, since an id is a server's.
  private static func named(_ name: String) -> (Kind, String)? {
    guard let space = name.utf8.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    return Kind(rawValue: String(name[..<space])).map { ($0, String(name[name.utf8.index(after: space)...])) }
  }

  /// One for each thing that can be on or off.
  private static func name(_ kind: Kind, _ clip: Clip) -> String {
    kind == .follow ? follow(clip.author.id) : "\(kind.rawValue) \(clip.id)"
  }

  private static func follow(_ author: String) -> String { "\(Kind.follow.rawValue) \(author)" }
}
