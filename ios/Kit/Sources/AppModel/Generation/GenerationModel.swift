public import Contract
public import Observation
internal import Transfer

/// One clip from words: how far it is, what came of it, and what can be done with that. Its other versions
/// stand beside it, and it can turn into each of them.
///
/// It refuses to know how it is made, and how long: the server says.
@MainActor @Observable public final class GenerationModel {
  public enum State: Equatable, Sendable {
    case loading
    case failed(Sentence)
    /// None of theirs, or not there any more.
    case gone
    case shown(Generation)
  }

  /// The one that is shown now.
  public private(set) var id: String
  public private(set) var state = State.loading
  public private(set) var progress = GenerationProgress()
  /// All of them, this one too, the oldest first.
  public private(set) var versions: [Generation] = []
  /// Another version of this one, being typed; `nil` while it is under way.
  public private(set) var refining: WishModel?
  /// Something that was tapped is on its way.
  public private(set) var isBusy = false
  /// What is said of its clip when it is published.
  public let publishing: ClipEditor

  /// Of its screen, whichever version that shows.
  @ObservationIgnored let place: String
  @ObservationIgnored private let workshop: Generations
  /// What was there before a version is known as long as the screen is.
  @ObservationIgnored private var known: [String: Generation] = [:]

  /// An answer that was asked for before the one that is shown says nothing new.
  @ObservationIgnored private var asked = 0
  @ObservationIgnored private var answered = 0

  // From question to question after one that is under way.
  private static let firstWait = Duration.seconds(1)
  private static let lastWait = Duration.seconds(8)
  /// So many versions back are asked for.
  private static let mostBack = 8

  init(_ id: String, workshop: Generations) {
    self.id = id
    place = id
    self.workshop = workshop
    let client = workshop.client
    let publication = Publication()
    self.publication = publication
    publishing = ClipEditor(client: client) { _, details in
      guard let id = publication.id else { throw CancellationError() }
      publication.answer = try await client.publish(id, details)
      return details
    }
    publishing.saved = { [weak self] _, _, _ in
      if let answer = publication.answer { self?.published(answer) }
    }
  }

  /// Whose clip is published, and what it is from then on.
  @MainActor private final class Publication {
    var id: String?
    var answer: Generation?
  }
  @ObservationIgnored private let publication: Publication

  public var words: GenerationWords { workshop.words }
  public var offer: GenerationOfferModel { workshop.offer }

  public var generation: Generation? {
    if case .shown(let generation) = state { generation } else { nil }
  }

  // MARK: How far it is

  /// Asks after it until it is over, for as long as the screen is there.
  public func follow() async {
    await load()
    var wait = Self.firstWait
    while !isOver, !Task.isCancelled {
      do { try await workshop.clock.pause(wait) } catch { return }
      wait = min(wait * 1.5, Self.lastWait)
      await look()
    }
    // What another version would cost.
    if generation != nil { await workshop.offer.load() }
  }

  private var isOver: Bool { state == .gone || generation?.state.isOver == true }

  /// As it is now, with its other versions.
  public func load() async {
    if generation == nil { state = .loading }
    await look()
    await loadVersions()
  }

  /// What cannot be asked stays as it was.
  func look() async {
    let wanted = id
    asked += 1
    let number = asked
    do {
      let now = try await workshop.client.generation(wanted)
      guard wanted == id, number > answered else { return }
      answered = number
      show(now)
    } catch {
      guard wanted == id, number > answered, !Sentence.isSilent(error) else { return }
      if RequestFailure(error).isOne(of: .generationNotFound) {
        state = .gone
      } else if generation == nil {
        state = .failed(Sentence(for: error))
      }
    }
  }

  private func show(_ now: Generation) {
    progress.take(now)
    state = .shown(now)
    known[now.id] = now
    workshop.changed(now)
    arrange()
    if !now.state.isOver {
      refining = nil
    } else if refining?.refined?.id != now.id {
      refining = makeRefining(now)
    }
  }

  // MARK: Versions

  /// Those before it are asked for one by one; those behind it are in the list.
  private func loadVersions() async {
    await workshop.list.list.begin()
    var before = generation?.refinesId
    for _ in 0..<Self.mostBack {
      guard let id = before else { break }
      var found = known[id] ?? workshop.list.list.items.first { $0.id == id }
      if found == nil { found = try? await workshop.client.generation(id) }
      guard let older = found else { break }
      known[id] = older
      before = older.refinesId
    }
    arrange()
  }

  private func arrange() {
    var all = known
    // What was shown last is in the list too.
    for generation in workshop.list.list.items { all[generation.id] = generation }
    versions = GenerationVersions.of(id, in: Array(all.values))
  }

  /// Back to one, or on to another.
  public func turn(to version: Generation) {
    if version.id != id, !isBusy { go(to: version) }
  }

  private func go(to version: Generation) {
    id = version.id
    progress = GenerationProgress()
    refining = nil
    show(version)
  }

  private func makeRefining(_ generation: Generation) -> WishModel {
    let wish = WishModel(refining: generation, workshop: workshop)
    wish.begun = { [weak self] in self?.go(to: $0) }
    return wish
  }

  // MARK: What can be done

  public var canWatch: Bool { generation?.state == .ready && generation?.uploadId != nil }
  public var canPublish: Bool { canWatch && generation?.isPublished == false }
  public var canCancel: Bool { generation.map { !$0.state.isOver } ?? false }
  public var canDiscard: Bool { generation?.state.isOver ?? false }

  /// In the real player, loop and all, with a way back.
  public func watch() async {
    guard let generation, canWatch, let upload = generation.uploadId else { return }
    await busily {
      let clip = try await workshop.client.clip(ofUpload: upload)
      if workshop.outlets?.watch(clip, upload) != true { workshop.announcements.post(.clipUnplayable) }
    }
  }

  public func publish() {
    guard canPublish, let generation, let upload = generation.uploadId else { return }
    publication.id = generation.id
    publication.answer = nil
    // Nothing of it was said to anybody so far, so all of the form is sent.
    publishing.begin(ClipEditor.Subject(upload: upload, known: ClipDetails()), UploadForm())
  }

  private func published(_ answer: Generation) {
    publication.answer = nil
    known[answer.id] = answer
    if answer.id == id { show(answer) }
    workshop.changed(answer)
    workshop.announcements.post("Published. Your clip says that AI made it.")
  }

  /// Its credits come back.
  public func cancel() async {
    guard let generation, canCancel else { return }
    await busily {
      try await workshop.client.endGeneration(generation.id)
      await look()
      if state == .gone {
        // It had ended a moment before, so this was no cancelling any more.
        workshop.discarded(generation)
        workshop.announcements.post("It had ended already, and is discarded.")
        workshop.leave(place)
      } else {
        workshop.renewOffer()
        workshop.announcements.post("Cancelled. You have its credits back.")
      }
    }
  }

  /// Of one that has ended; its draft goes with it.
  public func discard() async {
    guard let generation, canDiscard else { return }
    await busily {
      do {
        try await workshop.client.endGeneration(generation.id)
      } catch {
        // Another device may have been first.
        guard RequestFailure(error).isOne(of: .generationNotFound) else { throw error }
      }
      workshop.discarded(generation)
      known[generation.id] = nil
      let isDraft = generation.clipId != nil && !generation.isPublished
      workshop.announcements.post(
        isDraft ? "Discarded. You can have its clip back for a day, under “Your clips”." : "Discarded.")
      leave(generation)
    }
  }

  /// To the newest of the other versions, if there is one.
  private func leave(_ gone: Generation) {
    if let newest = versions.last(where: { $0.id != gone.id }) {
      go(to: newest)
    } else {
      state = .gone
      workshop.leave(place)
    }
  }

  /// It stays a draft, among one's own clips.
  public func keepForLater() {
    workshop.announcements.post("It stays among your clips until you discard it. Only you see it.")
    workshop.leave(place)
  }

  /// Others' clips, until it is ready.
  public func watchMeanwhile() { workshop.leaveForClips() }

  public func openOwnClips() { workshop.outlets?.openOwnClips() }

  /// One at a time; what fails is said.
  private func busily(_ work: () async throws -> Void) async {
    guard !isBusy else { return }
    isBusy = true
    defer { isBusy = false }
    do {
      try await work()
    } catch {
      guard !Sentence.isSilent(error) else { return }
      if RequestFailure(error).isOne(of: .generationNotFound) { state = .gone }
      workshop.announcements.post(Sentence(for: error))
    }
  }

  /// What was shown was told to somebody else.
  func viewerChanged() {
    state = .loading
    progress = GenerationProgress()
    versions = []
    known = [:]
    refining = nil
    publishing.end()
    // What is on its way answers somebody else.
    answered = asked
    Task { await load() }
  }
}
