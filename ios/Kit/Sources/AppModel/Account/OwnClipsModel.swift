public import Contract
public import Observation
public import Transfer

/// What somebody has uploaded: how far it is, who sees it, and for a day what was deleted.
@MainActor @Observable public final class OwnClipsModel {
  public let list: PagedList<OwnClip>
  /// The one whose words are being changed.
  public private(set) var edited: OwnClip?
  public var form = UploadForm()
  public private(set) var formFailure: Sentence?
  public private(set) var isSaving = false
  private var busy: Set<String> = []

  @ObservationIgnored private let client: Client
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  @ObservationIgnored var removed: (_ clip: String) -> Void = { _ in }
  @ObservationIgnored var open: (Clip) -> Void = { _ in }
  /// Waits between two questions.
  @ObservationIgnored private let pause: (Duration) async throws -> Void

  // From question to question after what is being made.
  private static let firstWait = Duration.seconds(2)
  private static let lastWait = Duration.seconds(10)

  init(client: Client, pause: @escaping (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.client = client
    self.pause = pause
    list = PagedList { try await client.ownClips(cursor: $0, limit: $1) }
  }

  /// Asks after what is being made until it is there, for as long as the screen is; it is among the newest.
  public func follow() async {
    var wait = Self.firstWait
    while !Task.isCancelled {
      do { try await pause(wait) } catch { return }
      wait = min(wait * 1.5, Self.lastWait)
      guard list.items.contains(where: { $0.state == .processing }) else { continue }
      guard let page = try? await client.ownClips() else { continue }
      let newest = Dictionary(page.items.map { ($0.uploadId, $0) }) { first, _ in first }
      list.change { clip in
        // What is being written, or on its way, stays.
        if clip.state == .processing, !isBusy(clip), let now = newest[clip.uploadId] { clip = now }
      }
    }
  }

  public func isBusy(_ clip: OwnClip) -> Bool {
    busy.contains(clip.uploadId) || edited?.uploadId == clip.uploadId
  }

  /// Leaves for the feed, which begins with this clip.
  public func watch(_ clip: OwnClip) async {
    guard clip.state == .published, busy.insert(clip.uploadId).inserted else { return }
    defer { busy.remove(clip.uploadId) }
    do {
      // By its upload: whatever its visibility.
      open(try await client.clip(ofUpload: clip.uploadId))
    } catch {
      if !Sentence.isSilent(error) { say("This clip could not be loaded. Please try again.") }
    }
  }

  // MARK: Caption, tags, and who sees it

  public func edit(_ clip: OwnClip) {
    guard clip.state == .published || clip.state == .processing, edited == nil else { return }
    edited = clip
    formFailure = nil
    form = UploadForm(
      caption: clip.caption, tags: clip.tags.joined(separator: ", "), visibility: clip.visibility)
  }

  public func cancelEditing() {
    guard !isSaving else { return }
    edited = nil
  }

  /// Sends only what was changed. What was typed stays if it fails.
  public func save() async {
    guard let clip = edited, !isSaving else { return }
    formFailure = nil
    guard form.fits else {
      formFailure = "The caption is too long. It has 300 characters at most."
      return
    }
    let known = ClipDetails(caption: clip.caption, tags: clip.tags, visibility: clip.visibility)
    guard let patch = form.patch(of: known) else {
      edited = nil
      return
    }
    isSaving = true
    defer { isSaving = false }
    do {
      let details = try await client.change(upload: clip.uploadId, patch).details
      list.change {
        guard $0.uploadId == clip.uploadId else { return }
        $0.caption = details.caption ?? patch.caption ?? $0.caption
        $0.tags = details.tags ?? patch.tags ?? $0.tags
        $0.visibility = details.visibility ?? $0.visibility
      }
      edited = nil
      say("Saved.")
    } catch {
      if !Sentence.isSilent(error) { formFailure = Sentence(for: error) }
    }
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
      list.change { if $0.uploadId == now.uploadId { $0 = now } }
      return true
    } catch {
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
      return false
    }
  }

  func clear() {
    list.clear()
    edited = nil
    formFailure = nil
  }
}
