import Comments
import Contract
import Foundation
import Platform
import SQLite
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Keys that a client would draw at random.
private func key(_ number: Int = 0) -> String { "key-of-a-test-\(number)" }

@Suite(.everyEngine) struct CommentTests {
  /// A server with one clip.
  private func withClip(
    comments: Commenting = .open, proxies: Int = 0, time: (any TimeSource)? = nil,
    _ body: @escaping @Sendable (SocketTransport, Client, String, TestInstance) async throws -> Void
  ) async throws {
    let bench = try await TestInstance()
    let clip = try await bench.publishBare("clip")
    try await bench.serving(comments: comments, proxies: proxies, time: time) {
      try await body($0, Client(transport: $0), clip, bench)
    }
  }

  private func post(
    _ body: String, to target: String, headers: [String: String] = [:], _ transport: SocketTransport
  ) async throws -> (status: Int, code: String, headers: [String: String]) {
    let usual = ["content-type": "application/json", "idempotency-key": key()]
    let answer = try await transport.send(
      WireRequest(
        "POST", target, headers: usual.merging(headers) { $1 }.filter { !$0.value.isEmpty },
        body: Data(body.utf8)))
    let code = try? WireCoding.decode(Problem.self, from: answer.body).code
    return (answer.status, code ?? "", answer.headers)
  }

  @Test func aCommentIsSeenAndCounted() async throws {
    try await withClip { _, client, clip, _ async throws in
      let made = try await client.comment(on: clip, text: "  Hello,\tworld ", idempotencyKey: key())
      #expect(made.text == "Hello, world")
      // Whoever asks without the cookie is somebody else.
      var shown = made
      shown.own = false
      #expect(made.own)
      #expect(try await client.comments(on: clip) == CommentPage(items: [shown], nextCursor: nil))
      #expect(try await client.feed().items.map(\.counts.comments) == [1])
      #expect(try await client.feed().items.map(\.comments) == [.open])
    }
  }

  @Test func theSameKeyAgainAnswersWithTheSameComment() async throws {
    try await withClip { transport, client, clip, _ async throws in
      let first = try await client.comment(on: clip, text: "Once", idempotencyKey: key())
      #expect(try await client.comment(on: clip, text: " Once ", idempotencyKey: key()) == first)
      let other = try await post(#"{"text":"Twice"}"#, to: Route.comments.path(clip), transport)
      #expect(other.status == 409)
      #expect(other.code == "idempotency_key_reused")
      #expect(try await client.comments(on: clip).items.map(\.id) == [first.id])
      #expect(try await client.clip(clip).counts.comments == 1)
    }
  }

  @Test func repetitionsAtTheSameTimeMakeOneComment() async throws {
    try await withClip { _, client, clip, _ async throws in
      let ids = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<8 {
          group.addTask { try await client.comment(on: clip, text: "Once", idempotencyKey: key()).id }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(ids.count == 1)
      #expect(try await client.clip(clip).counts.comments == 1)
    }
  }

  @Test func theCountIsExactWhenManyWriteAtOnce() async throws {
    try await withClip { _, client, clip, _ async throws in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask {
            _ = try await client.comment(on: clip, text: "\(number)", idempotencyKey: key(number))
          }
        }
        try await group.waitForAll()
      }
      #expect(try await client.clip(clip).counts.comments == 16)
      #expect(try await client.comments(on: clip, limit: 50).items.count == 16)
    }
  }

  @Test func aCursorNeitherRepeatsNorSkipsAndBelongsToOneClip() async throws {
    try await withClip { _, client, clip, bench async throws in
      for number in 1...5 {
        _ = try await client.comment(on: clip, text: "\(number)", idempotencyKey: key(number))
      }
      let first = try await client.comments(on: clip, limit: 2)
      _ = try await client.comment(on: clip, text: "6", idempotencyKey: key(6))
      let second = try await client.comments(on: clip, cursor: first.nextCursor, limit: 2)
      let third = try await client.comments(on: clip, cursor: second.nextCursor, limit: 2)
      #expect((first.items + second.items + third.items).map(\.text) == ["5", "4", "3", "2", "1"])
      #expect(third.nextCursor == nil)
      let other = try await bench.publishBare("other")
      for strange in [first.nextCursor, "AAAA"] {
        let problem = await #expect(throws: Problem.self) {
          try await client.comments(on: other, cursor: strange)
        }
        #expect(problem?.code == "invalid_cursor")
      }
      let feedOf = try await client.feed(limit: 1).nextCursor
      await #expect(throws: Problem.self) { try await client.comments(on: clip, cursor: feedOf) }
    }
  }

  @Test(arguments: [
    (#"{"text":" \n\u200b "}"#, 422, "comment_empty"), (#"{"text":""}"#, 422, "comment_empty"),
    (#"{"text":"\u0000\u0007"}"#, 422, "comment_empty"),
    (#"{"text":"\#(String(repeating: "a", count: 501))"}"#, 422, "comment_too_long"),
    (
      #"{"text":"\#(String(repeating: "a" + String(repeating: "\u{316}", count: 20), count: 200))"}"#, 422,
      "comment_too_long"
    ),
    (#"{"text":"a\#(String(repeating: "\u{0316}", count: 101))"}"#, 400, "request_refused"),
    (#"{"text":1}"#, 400, "request_refused"), (#"{"text":null}"#, 400, "request_refused"),
    ("{}", 400, "request_refused"), ("", 400, "request_refused"), ("[[[", 400, "request_refused"),
    (String(repeating: " ", count: 70_000), 413, "body_too_large"),
  ])
  func aBadBodyIsRefusedAndNothingIsKept(_ body: String, _ status: Int, _ code: String) async throws {
    try await withClip { transport, client, clip, _ async throws in
      let answer = try await post(body, to: Route.comments.path(clip), transport)
      #expect(answer.status == status)
      #expect(answer.code == code)
      #expect(try await client.comments(on: clip).items.isEmpty)
      #expect(try await client.clip(clip).counts.comments == 0)
    }
  }

  @Test(arguments: ["", "short", String(repeating: "k", count: 129), "with a space", "schlüssel-1"])
  func aKeyThatCannotTellRepetitionsIsRefused(_ key: String) async throws {
    try await withClip { transport, _, clip, _ async throws in
      let answer = try await post(
        #"{"text":"x"}"#, to: Route.comments.path(clip), headers: ["idempotency-key": key], transport)
      #expect(answer.status == 400)
      #expect(answer.code == "invalid_idempotency_key")
    }
  }

  @Test(arguments: ["", "text/plain", "application/x-www-form-urlencoded"])
  func aBodyThatABrowserWouldSendToAnySiteIsRefused(_ type: String) async throws {
    try await withClip { transport, _, clip, _ async throws in
      let answer = try await post(
        #"{"text":"x"}"#, to: Route.comments.path(clip), headers: ["content-type": type], transport)
      #expect(answer.status == 415)
      #expect(answer.code == "content_type_unsupported")
    }
  }

  @Test func fiveHundredEmojiOfManyPartsAreNotTooLong() async throws {
    try await withClip { _, client, clip, _ async throws in
      let text = String(repeating: "👩‍👩‍👧‍👦", count: 500)
      #expect(try await client.comment(on: clip, text: text, idempotencyKey: key()).text == text)
    }
  }

  @Test func aTextIsKeptAsTextInItsComposedForm() async throws {
    try await withClip { _, client, clip, _ async throws in
      let made = try await client.comment(
        on: clip, text: "<b>e\u{301}</b>\u{202E}\r\n\n\n\n second\u{7} line\n", idempotencyKey: key())
      #expect(
        made.text.unicodeScalars.map(\.value) == "<b>\u{e9}</b>\n\nsecond line".unicodeScalars.map(\.value))
    }
  }

  @Test func closedCommentsAreReadButNotWritten() async throws {
    try await withClip(comments: .off) { transport, client, clip, bench async throws in
      let before = try await bench.instance.comments(.open).add("old", to: clip, idempotencyKey: key(1))
      for (target, body) in [
        (Route.comments.path(clip), #"{"text":"x"}"#), (Route.reactions.path(clip), #"{"reaction":"heart"}"#),
      ] {
        let answer = try await post(body, to: target, transport)
        #expect(answer.status == 403)
        #expect(answer.code == "comments_off")
      }
      #expect(try await client.comments(on: clip).items.map(\.id) == [before.id])
      #expect(try await client.feed().items.map(\.comments) == [.off])
    }
  }

  @Test func aClipThatNobodyCanSeeTakesNoComment() async throws {
    try await withClip { transport, client, clip, bench async throws in
      _ = try await client.comment(on: clip, text: "x", idempotencyKey: key())
      try await bench.instance.database.write {
        try $0.execute("UPDATE clips SET state = 'refused' WHERE id = ?", [.text(clip)])
      }
      for id in [clip, "none", "%2e%2e"] {
        let answer = try await post(#"{"text":"x"}"#, to: "/api/v1/clips/\(id)/comments", transport)
        #expect(answer.status == 404)
        #expect(answer.code == "clip_not_found")
        let reaction = try await post(
          #"{"reaction":"heart"}"#, to: "/api/v1/clips/\(id)/reactions", transport)
        #expect(reaction.code == "clip_not_found")
        await #expect(throws: Problem.self) { try await client.comments(on: id) }
      }
      // Where a clip is deleted, its comments go with it.
      try await bench.instance.database.write {
        try $0.execute("DELETE FROM clips WHERE id = ?", [.text(clip)])
      }
      #expect(try await bench.instance.comments(.open).newest(10).isEmpty)
    }
  }

  @Test func aRemovedCommentIsGoneAndALateRepetitionDoesNotBringItBack() async throws {
    try await withClip { transport, client, clip, bench async throws in
      let made = try await client.comment(on: clip, text: "rude", idempotencyKey: key())
      let listed = try bench.program(["comments", "list"]).end()
      #expect(listed.output.contains("\(made.id)  \(clip)"))
      #expect(listed.output.contains("rude"))
      let removed = try bench.program(["comments", "remove", made.id]).end()
      #expect(removed.status == 0)
      #expect(try await client.comments(on: clip).items.isEmpty)
      #expect(try await client.clip(clip).counts.comments == 0)
      let again = try await post(#"{"text":"rude"}"#, to: Route.comments.path(clip), transport)
      #expect(again.status == 410)
      #expect(again.code == "comment_removed")
      let twice = try bench.program(["comments", "remove", made.id]).end()
      #expect(twice.status == 1)
      #expect(twice.output.contains("comment_not_found"))
      #expect(try await client.clip(clip).counts.comments == 0)
    }
  }

  @Test func reactionsAreCountedByKind() async throws {
    try await withClip { transport, client, clip, _ async throws in
      #expect(try await client.react(to: clip, .heart).count == 1)
      #expect(try await client.react(to: clip, .heart).count == 2)
      #expect(try await client.react(to: clip, .fire) == ReactionCount(reaction: .fire, count: 1))
      let answer = try await post(#"{"reaction":"poop"}"#, to: Route.reactions.path(clip), transport)
      #expect(answer.status == 400)
      #expect(answer.code == "request_refused")
    }
  }

  @Test func oneAddressIsHeldBackAndToldWhenToComeBack() async throws {
    // Of a clock that stands: on a busy machine the limit is made up for between two requests.
    let time = TestTime(ms: SystemTime().nowMs)
    try await withClip(proxies: 1, time: time) { transport, client, clip, _ async throws in
      func write(_ number: Int, from address: String) async throws -> (
        status: Int, code: String, headers: [String: String]
      ) {
        try await post(
          #"{"text":"x"}"#, to: Route.comments.path(clip),
          headers: ["idempotency-key": key(number), "x-forwarded-for": address], transport)
      }
      var held = try await write(0, from: "192.0.2.1")
      var number = 0
      while held.status == 201, number < 60 {
        number += 1
        // What a client claims about itself stands further left than what the proxy adds.
        held = try await write(number, from: "198.51.100.\(number), 192.0.2.1")
      }
      #expect(held.status == 429)
      #expect(held.code == "too_many_requests")
      #expect((1...3).contains(Int(held.headers["retry-after"] ?? "") ?? 0))
      #expect(number >= 20)
      #expect(try await write(100, from: "192.0.2.2").status == 201)
      #expect(try await client.clip(clip).counts.comments == number + 1)
    }
  }

  @Test func aMethodThatAnAddressDoesNotTakeIsNamed() async throws {
    try await withClip { transport, _, clip, _ async throws in
      let get = try await transport.send(WireRequest("GET", Route.reactions.path(clip)))
      #expect(get.status == 405)
      #expect(get.headers["allow"] == "POST")
      let delete = try await transport.send(WireRequest("DELETE", Route.comments.path(clip)))
      #expect(delete.headers["allow"] == "GET, HEAD, POST")
    }
  }

  @Test(arguments: [["--guest-comments", "maybe"], ["--proxies=-1"], ["--proxies", "two"]])
  func aSettingThatMeansNothingIsExplained(_ arguments: [String]) throws {
    let (status, output) = try Program(["serve"] + arguments).end()
    #expect(status == 64)
    #expect(output.contains("must be"), "\(output)")
  }
}
