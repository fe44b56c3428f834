public import Contract
public import Observation
internal import Transfer

/// What somebody has uploaded: how far it is, who sees it, and for a day what was deleted.
@MainActor @Observable public final class OwnClipsModel {
  public let list: PagedList<OwnClip>
  /// Changes what is said about one of them.
  public let editor: ClipEditor
  /// The captions of one of them.
  public let captions: OwnCaptionsModel
  private var busy: Set<String> = []
  /// Counts what was changed here.
  @ObservationIgnored private var changes = 0

  @ObservationIgnored private let client: Client
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  @ObservationIgnored var removed: (_ clip: String) -> Void = { _ in }
  @ObservationIgnored var open: (Clip, _ upload: String) -> Void = { _, _ in }
  @ObservationIgnored var showInsights: (_ clip: String, _ caption: String) -> Void = { _, _ in }
  /// Waits between two questions.
  @ObservationIgnored private let pause: (Duration) async throws -> Void

  /// By upload: the picture before another cover was chosen, and how often is still asked for the new one.
  @ObservationIgnored private var oldCovers: [String: (url: String?, tries: Int)] = [:]

  // A cover is cut within seconds, unless many clips are being made.
  private static let coverTries = 20
  // From question to question after what is being made.
  private static let firstWait = Duration.seconds(2)
  private static let lastWait = Duration.seconds(10)

  init(client: Client, pause: @escaping (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.client = client
    self.pause = pause
    editor = ClipEditor(client: client, pause: pause)
    captions = OwnCaptionsModel(client: client)
    list = PagedList { try await client.ownClips(cursor: $0, limit: $1) }
    editor.saved = { [weak self] in self?.saved($0, $1, $2) }
  }

  /// Asks after what is being made, and covers that are, until they are there, for as long as the screen is;
  /// they are among the newest most often.
  public func follow() async {
    var wait = Self.firstWait
    while !Task.isCancelled {
      do { try await pause(wait) } catch { return }
      wait = min(wait * 1.5, Self.lastWait)
      guard !oldCovers.isEmpty || list.items.contains(where: { $0.state == .processing }) else { continue }
      let asked = changes
      // What was asked for before a change may be of before it.
      guard let page = try? await client.ownClips(), asked == changes else { continue }
      let newest = Dictionary(page.items.map { ($0.uploadId, $0) }) { first, _ in first }
      list.change { clip in
        // What is being written, or on its way, stays.
        if clip.state == .processing, !isBusy(clip), let now = newest[clip.uploadId] { clip = now }
        take(newest[clip.uploadId], of: &clip)
      }
    }
  }

  /// The picture of the cover that was chosen, once it is another one.
  private func take(_ now: OwnClip?, of clip: inout OwnClip) {
    guard let old = oldCovers[clip.uploadId] else { return }
    let isThere = now?.picture.map { $0.url != old.url } ?? false
    if isThere { clip.picture = now?.picture }
    oldCovers[clip.uploadId] = isThere || old.tries <= 1 ? nil : (old.url, old.tries - 1)
  }

  public func isBusy(_ clip: OwnClip) -> Bool {
    busy.contains(clip.uploadId) || editor.subject?.upload == clip.uploadId
  }

  /// Leaves for the feed, which begins with this clip.
  public func watch(_ clip: OwnClip) async {
    guard clip.state == .published, busy.insert(clip.uploadId).inserted else { return }
    defer { busy.remove(clip.uploadId) }
    do {
      // By its upload: whatever its visibility.
      open(try await client.clip(ofUpload: clip.uploadId), clip.uploadId)
    } catch {
      if !Sentence.isSilent(error) { say("This clip could not be loaded. Please try again.") }
    }
  }

  /// Of a clip that people can see, or could.
  public func openInsights(of clip: OwnClip) {
    if clip.state == .published, let id = clip.clipId { showInsights(id, clip.caption) }
  }

  // MARK: Caption, tags, cover, and who sees it

  public func edit(_ clip: OwnClip) {
    guard clip.state == .published || clip.state == .processing else { return }
    editor.begin(
      ClipEditor.Subject(
        upload: clip.uploadId,
        known: ClipDetails(
          caption: clip.caption, tags: clip.tags, visibility: clip.visibility,
          forAdults: clip.forAdults ?? false)),
      UploadForm(
        caption: clip.caption, tags: clip.tags.joined(separator: ", "), visibility: clip.visibility,
        forAdults: clip.forAdults ?? false))
  }

  /// Of what is a clip, also while it is being made.
  public func hasCaptions(_ clip: OwnClip) -> Bool {
    clip.clipId != nil && (clip.state == .published || clip.state == .processing)
  }

  public func openCaptions(of clip: OwnClip) {
    if hasCaptions(clip) { captions.begin(upload: clip.uploadId) }
  }

  private func saved(_ subject: ClipEditor.Subject, _ form: UploadForm, _ sent: ClipDetails) {
    changes += 1
    list.change {
      guard $0.uploadId == subject.upload else { return }
      $0.caption = subject.known.caption ?? sent.caption ?? $0.caption
      $0.tags = subject.known.tags ?? sent.tags ?? $0.tags
      $0.visibility = subject.known.visibility ?? $0.visibility
      $0.forAdults = subject.known.forAdults ?? $0.forAdults
      if sent.coverMs != nil { oldCovers[subject.upload] = ($0.picture?.url, Self.coverTries) }
    }
    say("Saved.")
  }

  // MARK: Deleting, and having it back

  public func delete(_ clip: OwnClip) async {
    guard await change(clip, { try await self.client.removeClip(ofUpload: clip.uploadId) }) else { return }
    if let id = clip.clipId { removed(id) }
    say("Deleted. You can undo this for a day.")
  }

  public func restore(_ clip: OwnClip) async {
    guard await change(clip, { try await self.client.restoreClip(ofUpload: clip.uploadId) }) else { return }
    say("Your clip is back.")
  }

  /// What is on its way is not asked for again.
  private func change(_ clip: OwnClip, _ ask: () async throws -> OwnClip) async -> Bool {
    guard busy.insert(clip.uploadId).inserted else { return false }
    defer { busy.remove(clip.uploadId) }
    do {
      let now = try await ask()
      changes += 1
      list.change { if $0.uploadId == now.uploadId { $0 = now } }
      return true
    } catch {
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
      return false
    }
  }

  func clear() {
    list.clear()
    editor.end()
    captions.end()
    oldCovers = [:]
  }
}
