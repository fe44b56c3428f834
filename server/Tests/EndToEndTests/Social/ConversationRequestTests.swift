import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Comments with what hangs on them, over the wire.
@Suite struct ConversationRequestTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  @Test func aWholeConversationByTheClient() async throws {
    try await bench.servingAccounts(clock) { [bench] socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("mara"))
      let mara = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      let guest = Client(transport: CookieJar(socket))
      let stranger = Client(transport: socket)
      let clip = try await bench.publishBare("Tide", by: session.account.id)
      let first = try await guest.comment(on: clip, text: "first", idempotencyKey: "the-first-comment")
      #expect(first.own && first.author == nil && first.clipId == clip && first.parentId == nil)
      let answer = try await mara.comment(
        on: clip, text: "answer", replyTo: first.id, idempotencyKey: "the-first-answer")
      #expect(answer.parentId == first.id && answer.author?.handle == "mara")
      #expect(try await guest.likeComment(answer.id) == LikeState(liked: true, likes: 1))
      #expect(try await stranger.likeComment(answer.id).likes == 2)
      #expect(try await guest.replies(to: first.id).items.map(\.liked) == [true])
      #expect(try await guest.unlikeComment(answer.id) == LikeState(liked: false, likes: 1))
      _ = try await stranger.comment(on: clip, text: "second", idempotencyKey: "the-second-comment")
      #expect(try await stranger.comments(on: clip).items.map(\.text) == ["second", "first"])
      #expect(try await mara.pinComment(first.id).pinned)
      for order in CommentOrder.allCases {
        let page = try await stranger.comments(on: clip, order: order)
        #expect(page.items.map(\.text) == ["first", "second"])
        #expect(page.items.map(\.own) == [false, false] && page.items.map(\.replies) == [1, 0])
      }
      #expect(try await !mara.unpinComment(first.id).pinned)
      #expect(try await stranger.comment(answer.id).text == "answer")
      let refused = await #expect(throws: Problem.self) { try await stranger.deleteComment(first.id) }
      #expect(refused?.code == ErrorCode.commentNotYours.rawValue)
      for _ in 0..<2 { try await guest.deleteComment(first.id) }
      let gone = await #expect(throws: Problem.self) { try await guest.comment(answer.id) }
      #expect(gone?.code == ErrorCode.commentNotFound.rawValue)
      #expect(try await stranger.clip(clip).counts.comments == 1)
    }
  }

  @Test(arguments: [
    ("GET", "/api/v1/clips/{}/comments?order=oldest", nil, 400, "invalid_parameter"),
    ("GET", "/api/v1/comments/none", nil, 404, "comment_not_found"),
    ("GET", "/api/v1/comments/%2e%2e/replies", nil, 404, "comment_not_found"),
    ("GET", "/api/v1/comments/none/replies?cursor=AAAA", nil, 400, "invalid_cursor"),
    ("DELETE", "/api/v1/comments/none", nil, 404, "comment_not_found"),
    ("PUT", "/api/v1/comments/none/like", nil, 404, "comment_not_found"),
    ("DELETE", "/api/v1/comments/none/pin", nil, 404, "comment_not_found"),
    ("POST", "/api/v1/clips/{}/comments", #"{"text":"x","reply_to":"none"}"#, 404, "comment_not_found"),
    ("POST", "/api/v1/clips/{}/comments", #"{"text":"x","reply_to":"ü b"}"#, 400, "invalid_parameter"),
    ("POST", "/api/v1/clips/{}/comments", #"{"text":"x","reply_to":7}"#, 400, "request_refused"),
  ])
  func whatIsWrongIsSaid(
    _ method: String, _ target: String, _ body: String?, _ status: Int, _ code: String
  ) async throws {
    let clip = try await bench.publishBare("Tide")
    try await bench.serving { socket async throws in
      let answer = try await socket.answer(
        method, target.replacingOccurrences(of: "{}", with: clip), body,
        ["idempotency-key": "a-key-of-this-test"])
      #expect(answer.status == status && answer.code == code)
    }
  }
}
