internal import Contract

/// Whose clips are, to whoever watches, and the uploads of clips that this device knows.
///
/// A clip of an account bears its name. All guests share one author: which clips of theirs are one's own
/// stands in one's own list alone. That is asked for once, when the first clip of a guest is on the screen:
/// whoever never meets one asks for nothing.
@MainActor public final class Ownership {
  public enum Owner: Equatable, Sendable {
    case own, other
    /// Not found out, or not yet.
    case unknown
  }

  /// Who has uploaded more as a guest is not known again in the oldest.
  private static let mostPages = 4

  private let client: Client
  /// The clips of one's list that were met so far, and whether those are all.
  private var own: Set<String> = []
  private var isWhole = false
  /// By clip. A secret: whoever has it sees a private clip, and owns it.
  private var uploads: [String: String] = [:]
  private var asking: Task<Void, Never>?

  init(client: Client) { self.client = client }

  /// `viewer`: the account; `nil`: nobody is signed in.
  func owner(of clip: Clip, viewer: String?) -> Owner {
    if own.contains(clip.id) || (!clip.author.id.isEmpty && clip.author.id == viewer) { return .own }
    return clip.author.handle != Author.guestHandle || isWhole ? .other : .unknown
  }

  func upload(of clip: String) -> String? { uploads[clip] }

  /// Somebody has opened the clip by its secret.
  func remember(_ upload: String, of clip: String) { uploads[clip] = upload }

  /// It stands in one's own list.
  public func add(_ clip: String, upload: String) {
    own.insert(clip)
    remember(upload, of: clip)
  }

  /// Asks for one's list if only that can say whose the clip is. What fails is asked again for the next one.
  func learn(_ clip: Clip, viewer: String?) {
    guard asking == nil, owner(of: clip, viewer: viewer) == .unknown else { return }
    asking = Task { [weak self, client] in
      let clips = try? await Self.list(client)
      guard !Task.isCancelled, let self else { return }
      for case (let id?, let upload) in (clips ?? []).map({ ($0.clipId, $0.uploadId) }) {
        add(id, upload: upload)
      }
      if clips != nil { isWhole = true }
      asking = nil
    }
  }

  private static func list(_ client: Client) async throws -> [OwnClip] {
    var clips: [OwnClip] = []
    var cursor: String?
    for _ in 0..<mostPages {
      let page = try await client.ownClips(cursor: cursor, limit: Limits.pageSize.upperBound)
      clips += page.items
      cursor = page.nextCursor
      if cursor == nil { break }
    }
    return clips
  }

  /// Somebody else is here.
  func clear() {
    stop()
    own = []
    uploads = [:]
    isWhole = false
  }

  func stop() {
    asking?.cancel()
    asking = nil
  }

  func settled() async { await asking?.value }
}
