import Contract
import Foundation
import Persistence
import Playback
import PlaybackTesting
import Synchronization

@testable import AppModel

/// Ada's profile and her people as the server keeps them: what is changed is so in the next answer.
final class ProfileServer: Sendable {
  struct State {
    var profile = Profile(
      author: Author(id: "a", handle: "ada", name: "Ada"), bio: "Engines.", links: ["https://ada.example"],
      clips: 2, followers: 7, following: 1, joinedAt: Date(timeIntervalSince1970: 0), viewer: ProfileViewer())
    var clips = ["x", "y"]
    /// The newest like first; the last one is unlisted.
    var likes = ["l", "m", "u"]
    var people = ["ben", "bob", "eve"]
    /// By the beginning of the path; the request is refused.
    var refusals: [String: Problem] = [:]
    /// By what the request's target ends with: so long it waits.
    var gates: [String: Gate] = [:]
  }

  private let state: Mutex<State>

  init(_ change: (inout State) -> Void = { _ in }) {
    var state = State()
    change(&state)
    self.state = Mutex(state)
  }

  func change(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

  var profile: Profile { state.withLock { $0.profile } }

  func answer(_ request: WireRequest) async throws -> WireResponse? {
    let gate = state.withLock { state in state.gates.first { request.target.hasSuffix($0.key) }?.value }
    await gate?.pass()
    return try state.withLock { try Self.answer(request, &$0) }
  }

  private static func answer(_ request: WireRequest, _ state: inout State) throws -> WireResponse? {
    let line = "\(request.method) \(request.target)"
    if let problem = state.refusals.first(where: { line.hasPrefix($0.key) })?.value {
      return try .json(problem, status: problem.status)
    }
    switch line {
    case "GET /api/v1/profiles/ada": return try .json(state.profile)
    case "PUT /api/v1/authors/a/follow", "DELETE /api/v1/authors/a/follow":
      let isOn = request.method == "PUT"
      if state.profile.viewer.following != isOn { state.profile.followers += isOn ? 1 : -1 }
      state.profile.viewer.following = isOn
      return try .json(FollowState(following: isOn, followers: state.profile.followers))
    case "PUT /api/v1/authors/a/block", "DELETE /api/v1/authors/a/block":
      let isOn = request.method == "PUT"
      if state.profile.viewer.following { state.profile.followers -= 1 }
      state.profile.viewer = ProfileViewer(blocked: isOn)
      return try .json(BlockState(blocked: isOn))
    case "PATCH /api/v1/account/profile":
      let change = try WireCoding.decode(ProfileChange.self, from: request.body ?? Data())
      if let bio = change.bio { state.profile.bio = bio }
      if let links = change.links { state.profile.links = links }
      if let likesPublic = change.likesPublic { state.profile.likesPublic = likesPublic }
      return try .json(state.profile)
    case "PUT /api/v1/account/picture":
      let made = "/media/\(request.body?.count ?? 0)"
      state.profile.author.picture = AuthorPicture(
        color: "#7a5c43", largeUrl: made + "-large.jpg", smallUrl: made + "-small.jpg")
      return try .json(state.profile.author)
    case "DELETE /api/v1/account/picture":
      state.profile.author.picture = nil
      return WireResponse(status: 204, headers: [:], body: Data())
    case let line where line.hasPrefix("GET /api/v1/profiles/ada/clips"):
      if state.profile.viewer.blocked { return try .problem(.authorBlocked) }
      return try .json(FeedPage(items: state.clips.map { sampleClip($0) }, nextCursor: nil))
    case let line where line.hasPrefix("GET /api/v1/profiles/ada/likes"):
      guard state.profile.likesPublic else { return try .problem(.notAllowed) }
      return try .json(FeedPage(items: state.likes.dropLast().map { sampleClip($0) }, nextCursor: nil))
    case let line where line.hasPrefix("GET /api/v1/account/likes"):
      return try .json(FeedPage(items: state.likes.map { sampleClip($0) }, nextCursor: nil))
    case let line where line.hasPrefix("GET /api/v1/profiles/ada/follow"):
      return try people(request.target, state.people)
    case let line where line.hasPrefix("GET /api/v1/profiles/"): return try .problem(.authorNotFound)
    default: return nil
    }
  }

  /// Two at a time; the cursor is how many there were.
  private static func people(_ target: String, _ people: [String]) throws -> WireResponse {
    let query = URLComponents(string: target)?.queryItems ?? []
    let text = query.first { $0.name == "q" }?.value ?? ""
    let from = query.first { $0.name == "cursor" }?.value.flatMap { Int($0) } ?? 0
    let found = people.filter { text.isEmpty || $0.contains(text) }
    let page = found.dropFirst(from).prefix(2).map {
      FoundPerson(
        author: Author(id: $0, handle: $0, name: $0.capitalized), followers: 1, following: false)
    }
    let rest = from + page.count < found.count ? "\(from + page.count)" : nil
    return try .json(FoundPersonPage(items: page, nextCursor: rest))
  }
}

/// Profiles over the screen that plays.
@MainActor final class ProfileBench {
  let server: ProfileServer
  let feed: FeedBench
  let viewer = SomeViewer("me")
  let pause = ManualPause()
  let blocking: Blocking
  private(set) var profiles: Profiles!

  var transport: ScriptedTransport { feed.transport }
  var router: Router { feed.router }
  var drafts: StoredFile<[String: ProfileDraft]> { StoredFile(feed.folder.appending(path: "drafts")) }

  init(_ server: ProfileServer = ProfileServer()) {
    self.server = server
    feed = FeedBench(left: [sampleClip("own")]) { try await server.answer($0) }
    blocking = Blocking(
      client: Client(transport: feed.transport), viewer: viewer, announcements: feed.announcements)
    profiles = make()
    feed.start()
  }

  /// The app is started anew.
  func make() -> Profiles {
    Profiles(
      client: Client(transport: feed.transport), base: URL(string: "https://clips.test/")!,
      router: feed.router, tabs: feed.assembly.tabs, actions: feed.assembly.model.actions,
      blocking: blocking, viewer: viewer, announcements: feed.announcements, drafts: drafts, clock: pause)
  }

  /// Ada's, as it came.
  func opened() async -> ProfileModel {
    profiles.open(Author(id: "a", handle: "ada", name: "Ada"))
    let model = profiles.profile(of: .profile("ada"))!
    await model.begin()
    return model
  }
}
