public import Contract

/// Clips from words: it opens their screens, keeps those that somebody can come back to, and asks for new
/// ones, each tap once.
///
/// It refuses to know what is typed (`WishModel`), how far one is (`GenerationModel`) and where clips play.
///
/// Wiring, in the composition root:
///
///     let generations = Generations(client: client, router: router, drafts: prompts, …)
///     generations.outlets = Generations.Outlets(watch: …, begun: …, gone: …, openOwnClips: …, …)
///     talk.live.onEvent { generations.heard($0) }
///     signIn.onChanged { _ in generations.viewerChanged() }
@MainActor public final class Generations {
  /// What its screens need of the app around them.
  public struct Outlets {
    /// Plays a clip of one's own, known by its upload, with a way back; answers whether it can be played.
    public var watch: (_ clip: Clip, _ upload: String) -> Bool
    /// One was begun, and is made while somebody is elsewhere.
    public var begun: () -> Void
    /// A clip is there no more.
    public var gone: (_ clip: String) -> Void
    /// Where drafts stand among one's own clips.
    public var openOwnClips: () -> Void
    /// Screens that can be come back to from the clips that play.
    public var screensBehind: () -> [Router.Destination]

    public init(
      watch: @escaping (_ clip: Clip, _ upload: String) -> Bool, begun: @escaping () -> Void,
      gone: @escaping (_ clip: String) -> Void, openOwnClips: @escaping () -> Void,
      screensBehind: @escaping () -> [Router.Destination]
    ) {
      self.watch = watch
      self.begun = begun
      self.gone = gone
      self.openOwnClips = openOwnClips
      self.screensBehind = screensBehind
    }
  }

  public let offer: GenerationOfferModel
  public let list: GenerationsModel
  public let words: GenerationWords
  /// The new one that is being thought of.
  public private(set) lazy var wish = makeWish()
  public var outlets: Outlets?

  let client: Client
  let drafts: PromptDrafts
  let announcements: Announcements
  let clock: any PauseClock
  private let router: Router
  private let viewer: any ViewerPort
  private var models: [String: GenerationModel] = [:]

  public init(
    client: Client, router: Router, drafts: PromptDrafts, viewer: any ViewerPort,
    announcements: Announcements, clock: any PauseClock, words: GenerationWords = GenerationWords()
  ) {
    self.client = client
    self.router = router
    self.drafts = drafts
    self.viewer = viewer
    self.announcements = announcements
    self.clock = clock
    self.words = words
    offer = GenerationOfferModel(client: client)
    list = GenerationsModel(client: client, clock: clock)
    list.say = { announcements.post($0) }
    list.ask = { [weak self] wish, place in
      guard let self else { throw CancellationError() }
      return try await ask(wish, refining: nil, at: place)
    }
    list.begun = { [weak self] in self?.open($0.id) }
  }

  private func makeWish() -> WishModel {
    let wish = WishModel(workshop: self)
    wish.begun = { [weak self] in self?.open($0.id) }
    return wish
  }

  /// Of an account; guests have nothing here.
  public var isInUse: Bool { viewer.viewerID != nil }

  // MARK: Going somewhere

  /// Where a new one is asked for.
  public func openNew() { router.open(.generating) }

  public func openList() { router.open(.generations) }

  public func open(_ id: String) { router.open(.generation(id)) }

  /// Of a screen; `nil`: it is none of these. Once for as long as somebody can come back to it.
  public func model(of destination: Router.Destination) -> GenerationModel? {
    guard case .generation(let id) = destination else { return nil }
    if let model = models[id] { return model }
    let open = Set(router.path + (outlets?.screensBehind() ?? []))
    models = models.filter { open.contains(.generation($0.key)) }
    let model = GenerationModel(id, workshop: self)
    models[id] = model
    return model
  }

  func leaveForClips() { router.showFeed() }

  func leave(_ id: String) {
    if router.top == .generation(id) { router.back() }
  }

  // MARK: Asking

  /// Under a key that is the tap's: known on disk before it is sent, and as long as nobody knows what became
  /// of it.
  func ask(_ wish: NewGeneration, refining: String?, at place: String) async throws -> Generation {
    let key = await drafts.key(of: place, for: wish)
    do {
      let generation: Generation
      if let refining {
        generation = try await client.refine(refining, prompt: wish.prompt, idempotencyKey: key)
      } else {
        generation = try await client.generate(wish, idempotencyKey: key)
      }
      drafts.drop(place)
      list.add(generation)
      outlets?.begun()
      renewOffer()
      return generation
    } catch {
      let failure = RequestFailure(error)
      if failure.reason == .refused { drafts.settle(place) }
      if failure.isOne(
        of: .insufficientCredits, .generationsUnderWay, .generationUnavailable, .generationNotPossible)
      {
        renewOffer()
      }
      throw error
    }
  }

  /// What is left is another number by now.
  func renewOffer() { Task { [offer] in await offer.load() } }

  // MARK: What happens

  /// Told live: one of them may be ready, or have failed. The list of notifications says so.
  public func heard(_ event: LiveEvent) -> Bool {
    guard isInUse, event.kind == LiveEvent.notification else { return false }
    for model in models.values where router.top == .generation(model.place) { Task { await model.look() } }
    if router.top == .generations { Task { [list] in await list.look() } }
    return false
  }

  /// It is another one now, or has gone on.
  func changed(_ generation: Generation) { list.change(generation) }

  /// It is in no list any more, and neither is its clip unless that was published.
  func discarded(_ generation: Generation) {
    list.remove(generation.id)
    if !generation.isPublished, let clip = generation.clipId { outlets?.gone(clip) }
    renewOffer()
  }

  /// Somebody signed in or out.
  public func viewerChanged() {
    offer.clear()
    list.clear()
    wish.reload()
    for model in models.values { model.viewerChanged() }
  }
}
