import Contract
import Foundation
import Synchronization

@testable import AppModel

extension ClipComment {
  /// `c1`, `c2`, …, each a second later than the one before.
  static func sample(
    _ number: Int, by name: String? = "ann", under parent: String? = nil, text: String? = nil, likes: Int = 0,
    own: Bool = false
  ) -> ClipComment {
    ClipComment(
      id: "c\(number)", author: name.map { Author(id: $0, handle: $0, name: $0.capitalized) },
      text: text ?? "text \(number)", createdAt: Date(timeIntervalSince1970: Double(number)), clipId: "clip",
      parentId: parent, likes: likes, own: own)
  }
}

/// The comments of a clip as the server keeps them: what is changed is so in the next answer.
final class CommentServer: Sendable {
  struct State {
    /// The oldest first.
    var comments: [ClipComment] = []
    /// By idempotency key.
    var written: [String: ClipComment] = [:]
    var answered: [String?] = []
    var people: [Author] = []
    /// By how the line of a request begins: it is refused.
    var refusals: [String: ErrorCode] = [:]
    /// The same: so long it waits.
    var gates: [String: Gate] = [:]
    var isDown = false
  }

  private let state: Mutex<State>

  init(_ comments: [ClipComment] = []) {
    var state = State()
    state.comments = comments
    self.state = Mutex(state)
  }

  func change(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

  func comment(_ id: String) -> ClipComment? {
    state.withLock { state in state.comments.first { $0.id == id } }
  }

  var answered: [String?] { state.withLock { $0.answered } }

  func answer(_ request: WireRequest) async throws -> WireResponse {
    let line = "\(request.method) \(request.target)"
    let gate = state.withLock { state in state.gates.first { line.hasPrefix($0.key) }?.value }
    await gate?.pass()
    return try state.withLock { state in
      if state.isDown { throw Unreachable() }
      if let code = state.refusals.first(where: { line.hasPrefix($0.key) })?.value {
        return try .problem(code)
      }
      return try Self.answer(request, &state)
    }
  }

  private static func answer(_ request: WireRequest, _ state: inout State) throws -> WireResponse {
    let parts = URLComponents(string: request.target)
    let query = Dictionary(uniqueKeysWithValues: (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") })
    let found = Route.find(parts?.path ?? "")
    let id = found?.values.first ?? ""
    let place = state.comments.firstIndex { $0.id == id }
    switch (request.method, found?.route) {
    case ("GET", .comments): return try page(state.top(query["order"]), query)
    case ("GET", .commentReplies): return try page(state.shown.filter { $0.parentId == id }, query)
    case ("POST", .comments): return try write(request, &state)
    case ("GET", .clip):
      var clip = Clip.sample("clip")
      clip.counts.comments = state.comments.count
      return try .json(clip)
    case ("GET", .foundPeople):
      let people = state.people.filter { $0.handle.hasPrefix(query["q"] ?? "") }.map {
        FoundPerson(author: $0, followers: 0, following: false)
      }
      return try .json(FoundPersonPage(items: people, nextCursor: nil))
    case (_, .comment), (_, .commentLike), (_, .commentPin): break
    default: return try .problem(.routeNotFound)
    }
    guard let place else { return try .problem(.commentNotFound) }
    switch (request.method, found?.route) {
    case ("DELETE", .comment):
      state.comments.removeAll { $0.id == id || $0.parentId == id }
      return WireResponse(status: 204, headers: [:], body: Data())
    case (let method, .commentLike):
      let isOn = method == "PUT"
      if state.comments[place].liked != isOn { state.comments[place].likes += isOn ? 1 : -1 }
      state.comments[place].liked = isOn
      return try .json(LikeState(liked: isOn, likes: state.comments[place].likes))
    case (let method, .commentPin):
      for index in state.comments.indices { state.comments[index].pinned = false }
      state.comments[place].pinned = method == "PUT"
      return try .json(state.shown[place])
    default: return try .json(state.shown[place])
    }
  }

  private static func write(_ request: WireRequest, _ state: inout State) throws -> WireResponse {
    let key = request.headers["idempotency-key"] ?? ""
    if let before = state.written[key] { return try .json(before, status: 201) }
    let new = try WireCoding.decode(NewComment.self, from: request.body ?? Data())
    let answered = state.comments.first { $0.id == new.replyTo }
    if new.replyTo != nil, answered == nil { return try .problem(.commentNotFound) }
    let comment = ClipComment.sample(
      100 + state.written.count, by: "me", under: answered.map { $0.parentId ?? $0.id }, text: new.text,
      own: true)
    state.written[key] = comment
    state.answered.append(new.replyTo)
    state.comments.append(comment)
    return try .json(comment, status: 201)
  }

  /// The cursor is how many there were.
  private static func page(_ all: [ClipComment], _ query: [String: String]) throws -> WireResponse {
    let from = query["cursor"].flatMap { Int($0) } ?? 0
    let items = Array(all.dropFirst(from).prefix(query["limit"].flatMap { Int($0) } ?? 24))
    let rest = from + items.count < all.count ? "\(from + items.count)" : nil
    return try .json(CommentPage(items: items, nextCursor: rest))
  }
}

extension CommentServer.State {
  /// With the number of their replies.
  fileprivate var shown: [ClipComment] {
    comments.map { comment in
      var comment = comment
      comment.replies = comments.count { $0.parentId == comment.id }
      return comment
    }
  }

  fileprivate func top(_ order: String?) -> [ClipComment] {
    let newest = shown.filter { $0.parentId == nil }.sorted { $0.createdAt > $1.createdAt }
    let sorted = order == "top" ? newest.sorted { $0.likes > $1.likes } : newest
    return sorted.filter(\.pinned) + sorted.filter { !$0.pinned }
  }
}
