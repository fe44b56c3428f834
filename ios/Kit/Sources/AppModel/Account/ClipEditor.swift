public import Contract
public import Observation
public import Transfer

/// What is said about a clip that is there, while somebody changes it: caption, tags, cover, and who sees it.
/// The list of own clips has one, and the screen of an upload that is published.
@MainActor @Observable public final class ClipEditor {
  /// Whose words are changed.
  public struct Subject: Equatable, Sendable {
    /// The upload's id, by which a clip is changed: a secret.
    public let upload: String
    /// What the server knows so far; of what is `nil` nobody here knows it.
    public var known: ClipDetails

    public init(upload: String, known: ClipDetails) {
      self.upload = upload
      self.known = known
    }
  }

  /// `nil`: nothing is changed now.
  public private(set) var subject: Subject?
  public var form = UploadForm()
  public private(set) var failure: Sentence?
  public private(set) var isSaving = false
  /// Pictures of the clip of which one may be chosen; `nil` until there are any.
  public private(set) var covers: CoverSheet?

  @ObservationIgnored private let client: Client
  /// Answers what is known of the clip from then on.
  @ObservationIgnored private let send: (_ subject: Subject, _ patch: ClipDetails) async throws -> ClipDetails
  /// Waits between two questions.
  @ObservationIgnored private let pause: (Duration) async throws -> Void
  /// It is saved: what holds now, and what of it was sent.
  @ObservationIgnored var saved: (_ subject: Subject, _ form: UploadForm, _ sent: ClipDetails) -> Void = {
    _, _, _ in
  }

  init(client: Client, pause: @escaping (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.client = client
    self.pause = pause
    send = { try await client.change(upload: $0.upload, $1).details }
  }

  /// Of a clip of which nobody has said anything yet: `send` says it.
  init(
    client: Client, send: @escaping (_ subject: Subject, _ details: ClipDetails) async throws -> ClipDetails
  ) {
    self.client = client
    self.send = send
    pause = { try await Task.sleep(for: $0) }
  }

  func begin(_ subject: Subject, _ form: UploadForm) {
    guard self.subject == nil else { return }
    self.subject = subject
    self.form = form
    failure = nil
    covers = nil
  }

  public func cancel() {
    if !isSaving { end() }
  }

  /// Sends only what was changed. What was typed stays if it fails.
  public func save() async {
    guard let subject, !isSaving else { return }
    failure = nil
    guard form.fits else {
      failure = "The caption is too long. It has 300 characters at most."
      return
    }
    guard let patch = form.patch(of: subject.known) else { return end() }
    isSaving = true
    defer { isSaving = false }
    let wanted = form
    do {
      let details = try await send(subject, patch)
      var now = subject
      now.known = details
      saved(now, wanted, patch)
      end()
    } catch {
      if !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  func end() {
    subject = nil
    covers = nil
    failure = nil
  }

  // MARK: The cover

  // The storyboard is made last of all: some minutes in all, as the web client waits.
  private static let waits = [1, 2, 4].map { Duration.seconds($0) }
  private static let lastWait = Duration.seconds(8)
  private static let tries = 43

  /// The one that is chosen: the nearest; `nil` as long as nobody here knows.
  public var chosenCover: Int? {
    guard let wanted = form.coverMs else { return nil }
    return covers?.pictures.map(\.time).min { abs($0 - wanted) < abs($1 - wanted) }
  }

  /// Waits for the clip's storyboard, for as long as the form is there.
  public func loadCovers() async {
    guard let upload = subject?.upload else { return }
    for number in 0..<Self.tries {
      if let sheet = await sheet(of: upload) {
        if subject?.upload == upload { covers = sheet }
        return
      }
      do {
        try await pause(number < Self.waits.count ? Self.waits[number] : Self.lastWait)
      } catch { return }
      guard subject?.upload == upload, !Task.isCancelled else { return }
    }
  }

  private func sheet(of upload: String) async -> CoverSheet? {
    guard let board = try? await client.clip(ofUpload: upload).playback.storyboard,
      let pictures = CoverSheet.pictures(of: board), let size = board.size,
      let data = try? await client.media(board.url), !data.isEmpty, data.count <= PictureStore.largest
    else { return nil }
    return CoverSheet(data: data, width: size.width, height: size.height, pictures: pictures)
  }
}
