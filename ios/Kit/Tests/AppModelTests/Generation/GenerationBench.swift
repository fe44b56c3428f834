import Contract
import Foundation
import Persistence
import PlaybackTesting
import Synchronization

@testable import AppModel

/// Somebody's clips from words as the server keeps them; a test moves them on.
final class GenerationServer: Sendable {
  struct State {
    var offer = GenerationOffer(
      creditsLeft: 20, creditsPerDay: 60,
      lengths: [
        GenerationLength(seconds: 5, credits: 5, usualMs: 61_000), GenerationLength(seconds: 10, credits: 10),
      ],
      aspects: GenerationAspect.allCases, startsFromClips: true, startsFromPictures: true,
      underWay: 0, mostUnderWay: 3)
    /// The newest first.
    var all: [Generation] = []
    /// By key of a tap: what was begun with it.
    var begun: [String: String] = [:]
    /// What was asked for, once for each key.
    var wishes: [NewGeneration] = []
    var published: [ClipDetails] = []
    /// Ids of pictures that are there.
    var pictures: Set<String> = []
    /// By the beginning of the request's line.
    var refusals: [String: Problem] = [:]
    /// What is sent is done, and no answer comes.
    var losesAnswers = false
  }

  private let state: Mutex<State>

  init(_ all: [Generation]) {
    var state = State()
    state.all = all
    self.state = Mutex(state)
  }

  func change(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

  var wishes: [NewGeneration] { state.withLock { $0.wishes } }
  var pictures: Set<String> { state.withLock { $0.pictures } }
  var published: [ClipDetails] { state.withLock { $0.published } }

  /// How far one is from now on.
  func move(_ id: String, to newState: GenerationState, permille: Int = 0) {
    change { state in
      for index in state.all.indices where state.all[index].id == id {
        state.all[index].state = newState
        state.all[index].permille = newState == .ready ? 1000 : permille
        if newState == .ready {
          state.all[index].clipId = "c-\(id)"
          state.all[index].uploadId = "u-\(id)"
        }
      }
    }
  }

  func answer(_ request: WireRequest) throws -> WireResponse {
    try state.withLock { state in
      let line = "\(request.method) \(request.target)"
      if let problem = state.refusals.first(where: { line.hasPrefix($0.key) })?.value {
        return try .json(problem, status: problem.status)
      }
      let answer = try Self.answer(request, &state)
      if state.losesAnswers, request.method != "GET" { throw URLError(.networkConnectionLost) }
      return answer
    }
  }

  private static func answer(_ request: WireRequest, _ state: inout State) throws -> WireResponse {
    let path = request.target.prefix { $0 != "?" }
    // Behind "/api/v1/".
    let parts = path.split(separator: "/").dropFirst(2).map { String($0) }
    let body = request.body ?? Data()
    switch (request.method, parts.count) {
    case (_, 1...) where parts[0] == "generation-pictures":
      return try picture(parts.count > 1 ? parts[1] : nil, request, &state)
    case ("GET", 1) where parts[0] == "generation-offer": return try .json(state.offer)
    case ("GET", 1): return try .json(GenerationPage(items: state.all, nextCursor: nil))
    case ("POST", 1):
      return try begin(try WireCoding.decode(NewGeneration.self, from: body), nil, request, &state)
    case ("GET", 3) where parts[0] == "uploads":
      return try .json(shownClip("c-" + parts[1].dropFirst(2), visibility: .private))
    case (_, 2...):
      guard let index = state.all.firstIndex(where: { $0.id == parts[1] }) else {
        return try .problem(.generationNotFound)
      }
      switch (request.method, parts.last) {
      case ("POST", "refinements"):
        let old = state.all[index]
        let prompt = try WireCoding.decode(GenerationRefinement.self, from: body).prompt
        let wish = NewGeneration(
          prompt: prompt, seconds: old.seconds, style: old.style, aspect: old.aspect)
        return try begin(wish, old.id, request, &state)
      case ("PUT", "publication"):
        state.published.append(try WireCoding.decode(ClipDetails.self, from: body))
        state.all[index].isPublished = true
      case ("DELETE", _):
        if state.all[index].state.isOver {
          state.all.remove(at: index)
        } else {
          state.all[index].state = .cancelled
        }
        return WireResponse(status: 204, headers: [:], body: Data())
      default: break
      }
      return try .json(state.all[index])
    default: return try .problem(.generationNotFound)
    }
  }

  /// A picture is called by how many bytes it has, so the same bytes are the same one.
  private static func picture(
    _ id: String?, _ request: WireRequest, _ state: inout State
  ) throws -> WireResponse {
    guard let id else {
      let picture = GenerationPicture(id: "p\(request.body?.count ?? 0)", expiresAt: epoch)
      state.pictures.insert(picture.id)
      return try .json(picture, status: 201)
    }
    guard state.pictures.contains(id) else { return try .problem(.pictureNotFound) }
    guard request.method == "GET" else {
      state.pictures.remove(id)
      return WireResponse(status: 204, headers: [:], body: Data())
    }
    return WireResponse(status: 200, headers: [:], body: Data(request.target.utf8))
  }

  private static func begin(
    _ wish: NewGeneration, _ refines: String?, _ request: WireRequest, _ state: inout State
  ) throws -> WireResponse {
    let key = request.headers["idempotency-key"] ?? ""
    if let known = state.all.first(where: { $0.id == state.begun[key] }) {
      return try .json(known, status: 202)
    }
    let id = "new\(state.begun.count + 1)"
    state.begun[key] = id
    state.wishes.append(wish)
    var generation = sampleGeneration(
      id, .reserved, prompt: wish.prompt, refines: refines, at: Double(100 + state.begun.count))
    generation.style = wish.style ?? GenerationStyle.none
    state.all.insert(generation, at: 0)
    return try .json(generation, status: 202)
  }
}

func sampleGeneration(
  _ id: String, _ state: GenerationState = .ready, prompt: String = "A fox in the snow",
  refines: String? = nil, at seconds: Double = 0
) -> Generation {
  var generation = Generation(
    id: id, state: state, prompt: prompt, seconds: 5, style: GenerationStyle.none, aspect: .portrait,
    credits: 5, createdAt: epoch.addingTimeInterval(seconds), permille: state == .ready ? 1000 : 0)
  generation.refinesId = refines
  if state == .ready { (generation.clipId, generation.uploadId) = ("c-\(id)", "u-\(id)") }
  return generation
}

/// Clips from words over a server that answers by itself.
@MainActor final class GenerationBench {
  let server: GenerationServer
  let transport: AnsweringTransport
  let router = Router()
  let announcements = Announcements()
  let viewer = SomeViewer("ada")
  /// Between questions, and between a key and the disk.
  let pause = ManualPause()
  let typing = ManualPause()
  private(set) var watched: [String] = []
  private(set) var gone: [String] = []
  private(set) var begun = 0
  private(set) var drafts: PromptDrafts
  private(set) var generations: Generations
  private let makeKey = countingKeys()
  private let folder = TemporaryFolder()

  init(_ all: [Generation] = []) {
    let server = GenerationServer(all)
    self.server = server
    transport = AnsweringTransport { try server.answer($0) }
    let file = StoredFile<[PromptDraft]>(folder.url.appending(path: "prompts"))
    drafts = PromptDrafts(file, viewer: viewer, clock: typing, makeKey: makeKey)
    generations = Self.make(transport, router, drafts, viewer, announcements, pause)
    attach()
  }

  private static func make(
    _ transport: AnsweringTransport, _ router: Router, _ drafts: PromptDrafts, _ viewer: SomeViewer,
    _ announcements: Announcements, _ pause: ManualPause
  ) -> Generations {
    Generations(
      client: Client(transport: transport), router: router, drafts: drafts, viewer: viewer,
      announcements: announcements, clock: pause,
      words: GenerationWords(locale: Locale(identifier: "en_US")))
  }

  private func attach() {
    generations.outlets = Generations.Outlets(
      watch: { [weak self] clip, upload in
        self?.watched.append("\(clip.id) \(upload)")
        return true
      }, begun: { [weak self] in self?.begun += 1 }, gone: { [weak self] in self?.gone.append($0) },
      openOwnClips: {}, screensBehind: { [] })
  }

  /// As it lies on the disk.
  var file: StoredFile<[PromptDraft]> { StoredFile(folder.url.appending(path: "prompts")) }

  var news: [String] { announcements.waiting.map(\.text.key) }

  /// As after a kill: whatever runs then has the file alone.
  func restart() async {
    await drafts.settled()
    drafts = PromptDrafts(file, viewer: viewer, clock: typing, makeKey: makeKey)
    generations = Self.make(transport, router, drafts, viewer, announcements, pause)
    attach()
  }

  /// The new one, once it is known what can be asked for.
  func wish() async -> WishModel {
    await generations.offer.load()
    return generations.wish
  }

  /// One of them on its screen, as it is now.
  func opened(_ id: String) async throws -> GenerationModel {
    generations.open(id)
    guard let model = generations.model(of: .generation(id)) else { throw Unreachable() }
    await model.load()
    return model
  }
}
