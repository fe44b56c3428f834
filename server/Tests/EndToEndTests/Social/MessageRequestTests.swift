import Accounts
import Contract
import Foundation
import OpenAPI
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import Live
@testable import PlatformTesting
@testable import ServerTesting

/// Conversations and reactions on the wire.
@Suite(.everyEngine) struct MessageRequestTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  private struct Person: Sendable {
    let id: String
    let transport: Bearer
    var client: Client { Client(transport: transport) }
  }

  private func join(_ handle: String, _ socket: SocketTransport) async throws -> Person {
    let session = try await Client(transport: socket).signUp(NewAccount(handle))
    return Person(
      id: session.account.id, transport: Bearer(inner: socket, token: try #require(session.accessToken)))
  }

  @Test func twoWriteToEachOtherAndReadIt() async throws {
    try await bench.servingAccounts(clock) { [self] socket async throws in
      let (ada, bob) = (try await join("ada", socket), try await join("bob", socket))
      let clip = try await bench.publishBare("bob's", by: bob.id)
      let sent = try await ada.client.send("hello", to: bob.id, clip: clip, idempotencyKey: "a-key-of-ada")
      #expect(sent.isOwn && sent.text == "hello" && sent.clipId == clip)
      #expect(
        try await ada.client.send("hello", to: bob.id, clip: clip, idempotencyKey: "a-key-of-ada") == sent)
      #expect(try await bob.client.unreadMessages().unread == 1)
      let inbox = try await bob.client.conversations()
      #expect(inbox.items.map(\.peer.handle) == ["ada"] && inbox.items[0].unread == 1)
      let thread = try await bob.client.messages(with: ada.id, limit: 1)
      #expect(thread.items.map(\.id) == [sent.id] && !thread.items[0].isOwn && thread.nextCursor == nil)
      #expect(try await bob.client.markRead(with: ada.id, upTo: sent.id).unread == 0)
      #expect(try await bob.client.unreadMessages().unread == 0)
      // Whoever is not known has nothing, and becomes nobody by looking.
      let nobody = try await socket.answer("GET", Route.conversations.path())
      #expect(nobody.status == 200 && nobody.response.headers["set-cookie"] == nil)
      #expect(try await Client(transport: socket).unreadMessages().unread == 0)
    }
  }

  @Test func everyBadFieldOfAMessageIsRefusedByItsCode() async throws {
    try await bench.servingAccounts(clock) { [self] socket async throws in
      let (ada, bob) = (try await join("ada", socket), try await join("bob", socket))
      let key = ["idempotency-key": "a-key-of-a-test"]
      for (target, body, headers, status, code, field) in [
        (bob.id, #"{"text":""}"#, key, 422, "message_empty", "text"),
        (bob.id, #"{"text":"\u200b"}"#, key, 422, "message_empty", "text"),
        (bob.id, #"{"text":"\#(String(repeating: "a", count: 501))"}"#, key, 422, "message_too_long", "text"),
        (
          bob.id, #"{"text":"\#(String(repeating: "a", count: 4001))"}"#, key, 422, "message_too_long", "text"
        ),
        (bob.id, #"{"text":7}"#, key, 400, "request_refused", "text"),
        (bob.id, #"{}"#, key, 400, "request_refused", "text"),
        (bob.id, #"[]"#, key, 400, "request_refused", nil),
        (bob.id, #"{"text":"a","clip_id":7}"#, key, 400, "request_refused", "clip_id"),
        (bob.id, #"{"text":"a","clip_id":"../x"}"#, key, 400, "invalid_parameter", "clip_id"),
        (bob.id, #"{"text":"a","clip_id":"none"}"#, key, 404, "clip_not_found", nil),
        (bob.id, #"{"text":"a","text":"b"}"#, key, 400, "request_refused", "text"),
        (bob.id, #"{"text":"a"}"#, [:], 400, "invalid_idempotency_key", "Idempotency-Key"),
        (ada.id, #"{"text":"a"}"#, key, 422, "message_oneself", nil),
        ("nobody", #"{"text":"a"}"#, key, 404, "author_not_found", nil),
      ] as [(String, String, [String: String], Int, String, String?)] {
        let answer = try await ada.transport.answer("POST", Route.messages.path(target), body, headers)
        #expect(answer.status == status && answer.code == code, "\(body): \(answer.code ?? "")")
        #expect(try WireCoding.decode(Problem.self, from: answer.response.body).field == field, "\(body)")
      }
      for body in [#"{"up_to":"none"}"#, #"{"up_to":""}"#, #"{"up_to":"é"}"#, "{}"] {
        let answer = try await ada.transport.answer("PUT", Route.messagesRead.path(bob.id), body)
        #expect((400..<500).contains(answer.status), "\(body)")
      }
      #expect(try await bench.count("messages") == 0)
    }
  }

  @Test func tenThousandAtOnceAreHeldUpAndNoneIsKeptTwice() async throws {
    try await bench.servingAccounts(clock) { [self] socket async throws in
      let (ada, bob) = (try await join("ada", socket), try await join("bob", socket))
      let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
        for lane in 0..<20 {
          group.addTask {
            var statuses: [Int] = []
            for number in 0..<500 {
              let answer = try await ada.transport.answer(
                "POST", Route.messages.path(bob.id), #"{"text":"\#(lane) \#(number)"}"#,
                ["idempotency-key": "key-of-\(lane)-\(number)"])
              statuses.append(answer.status)
            }
            return statuses
          }
        }
        return try await group.reduce(into: [Int: Int]()) { for one in $1 { $0[one, default: 0] += 1 } }
      }
      // The clock stands still: the burst, and not one more.
      let burst = Int(Operation.RateClass.messages.burst)
      #expect(statuses == [201: burst, 429: 10_000 - burst])
      #expect(try await bench.count("messages") == Int64(burst))
      #expect(try await bob.client.unreadMessages().unread == burst)
    }
  }

  @Test func whatIsWrittenAndReactedIsHeardByWhomItConcernsAndNobodyElse() async throws {
    try await bench.servingAccounts(clock) { [self] socket async throws in
      let (ada, bob) = (try await join("ada", socket), try await join("bob", socket))
      let clip = try await bench.publishBare("bob's", by: bob.id)
      let message = try await ada.client.send("hello", to: bob.id, clip: clip, idempotencyKey: "a-key-of-ada")
      for _ in 0..<2 {
        _ = try await ada.client.react(to: clip, .fire, idempotencyKey: "one-tap-of-ada")
      }
      _ = try await bob.client.react(to: clip, .clap)
      let guest = CookieJar(socket)
      #expect(
        try await guest.answer(
          "POST", Route.messages.path(bob.id), #"{"text":"me too"}"#,
          [
            "idempotency-key": "a-key-of-a-guest"
          ]
        ).status == 201)
      let heard = try await bench.instance.liveLog.events(of: bob.id, from: .at(0), limit: 9)
      #expect(heard.map(\.kind) == ["message", "reaction", "message"])
      #expect(heard[0].messageId == message.id && heard[0].clipId == clip && heard[0].actor?.handle == "ada")
      #expect(heard[1].reaction == "fire" && heard[1].clipId == clip && heard[1].actor?.handle == "ada")
      // By that id a guest can be answered.
      let who = try #require(heard[2].actor)
      #expect(who.handle == "guest" && heard[2].reaction == nil)
      #expect(try await bob.client.messages(with: who.id).items.map(\.text) == ["me too"])
      #expect(try await bench.instance.liveLog.events(of: ada.id, from: .at(0), limit: 9) == [])
    }
  }

  @Test func reactionsComeWithTheClipInThePageAndAlone() async throws {
    try await bench.servingAccounts(clock) { [self] socket async throws in
      let ada = try await join("ada", socket)
      let clip = try await bench.publishBare("clip")
      #expect(try await ada.client.clip(clip).counts.reactions == [:])
      for reaction in [Reaction.fire, .cry, .fire] { _ = try await ada.client.react(to: clip, reaction) }
      let told = ["fire": 2, "cry": 1]
      #expect(try await ada.client.clip(clip).counts.reactions == told)
      // Not added up yet, and added up.
      for _ in 0..<2 {
        for client in [ada.client, Client(transport: socket)] {
          let page = try await client.transport.send(
            WireRequest("GET", Route.feed.path(), headers: ["cache-control": "no-cache"]))
          #expect(
            try WireCoding.decode(FeedPage.self, from: page.body).items.map(\.counts.reactions) == [told])
        }
        try await bench.instance.foldCounts()
      }
      #expect(try await ada.client.react(to: clip, .fire).count == 3)
    }
  }
}
