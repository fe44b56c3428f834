import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Generation
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting

/// Clips from words on the wire.
@Suite struct GenerationRequestTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func serving(
    _ body: @escaping @Sendable (_ mara: Bearer, _ paul: Bearer, SocketTransport) async throws -> Void
  ) async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      func bearer(_ handle: String) async throws -> Bearer {
        let session = try await Client(transport: socket).signUp(NewAccount(handle))
        return Bearer(inner: socket, token: try #require(session.accessToken))
      }
      try await body(try await bearer("mara"), try await bearer("paul"), socket)
    }
  }

  @Test func whereNobodyMakesVideosNothingIsOffered() async throws {
    try await serving { mara, _, socket async throws in
      let offer = try await Client(transport: mara).generationOffer()
      #expect(offer.lengths.isEmpty && offer.aspects.isEmpty && !offer.startsFromClips)
      let answer = try await mara.answer(
        "POST", Route.generations.path(), #"{"prompt":"a fox","seconds":5}"#,
        ["idempotency-key": "the-first-one"])
      #expect(answer.status == 403 && answer.code == "generation_unavailable")
      #expect(try await socket.answer("GET", Route.generations.path()).code == "sign_in_needed")
      #expect(try await Client(transport: mara).generations().items.isEmpty)
    }
  }

  @Test func oneIsAskedForWatchedRefinedAndCancelled() async throws {
    bench.instance.makers.take([ScriptedVideos { _, _ in .never }])
    try await serving { [bench] mara, paul, socket async throws in
      let client = Client(transport: mara)
      let offer = try await client.generationOffer()
      #expect(offer.lengths.map(\.seconds) == [5, 10, 15] && offer.lengths.map(\.credits) == [5, 10, 15])
      #expect(offer.aspects == [.portrait, .landscape] && offer.creditsLeft == 60 && offer.mostUnderWay == 3)
      let new = NewGeneration(prompt: " A fox ", seconds: 10, style: .cinematic, aspect: .landscape)
      let asked = try await client.generate(new, idempotencyKey: "the-first-one")
      #expect(asked.state == .reserved && asked.prompt == "A fox" && asked.style == .cinematic)
      #expect(try await client.generate(new, idempotencyKey: "the-first-one").id == asked.id)
      let other = try await mara.answer(
        "POST", Route.generations.path(), #"{"prompt":"a dog","seconds":10}"#,
        ["idempotency-key": "the-first-one"])
      #expect(other.status == 409 && other.code == "idempotency_key_reused")
      #expect(try await client.generationOffer().creditsLeft == 50)
      // Nobody else's.
      for (method, target, body) in [
        ("GET", Route.generation.path(asked.id), nil), ("DELETE", Route.generation.path(asked.id), nil),
        ("PUT", Route.generationPublication.path(asked.id), "{}"),
      ] as [(String, String, String?)] {
        #expect(try await paul.answer(method, target, body).code == "generation_not_found", "\(method)")
        #expect(try await socket.answer(method, target, body).code == "sign_in_needed", "\(method)")
      }
      #expect(
        try await mara.answer("PUT", Route.generationPublication.path(asked.id), "{}").code
          == "clip_not_ready")
      let refined = try await client.refine(asked.id, prompt: "a red fox", idempotencyKey: "the-second-one")
      #expect(refined.refinesId == asked.id && refined.seconds == 10 && refined.aspect == .landscape)
      let page = try await client.generations(limit: 1)
      #expect(page.items.map(\.id) == [refined.id])
      #expect(try await client.generations(cursor: page.nextCursor).items.map(\.id) == [asked.id])
      // As many as one may have under way.
      _ = try await client.generate(
        NewGeneration(prompt: "three", seconds: 5), idempotencyKey: "the-third-one")
      let fourth = try await mara.answer(
        "POST", Route.generations.path(), #"{"prompt":"four","seconds":5}"#,
        ["idempotency-key": "the-fourth-one"])
      #expect(fourth.status == 409 && fourth.code == "generations_under_way")
      try await client.endGeneration(asked.id)
      #expect(try await client.generation(asked.id).state == .cancelled)
      try await client.endGeneration(asked.id)
      #expect(try await mara.answer("GET", Route.generation.path(asked.id)).code == "generation_not_found")
      #expect(try await bench.count("generations") == 3)
    }
  }

  @Test(arguments: [
    (#"{"prompt":"","seconds":5}"#, 422, "prompt_empty"),
    (#"{"prompt":" \u0007 ","seconds":5}"#, 422, "prompt_empty"),
    (#"{"prompt":"a fox","seconds":7}"#, 422, "generation_not_possible"),
    (#"{"prompt":"a fox","seconds":-9223372036854775808}"#, 422, "generation_not_possible"),
    (#"{"prompt":"a fox","seconds":5,"aspect":"1:1"}"#, 422, "generation_not_possible"),
    (#"{"prompt":"a fox","seconds":5,"from_clip_id":"none"}"#, 422, "generation_not_possible"),
    (#"{"prompt":"a f0rbidden thing","seconds":5}"#, 422, "content_policy"),
    (#"{"prompt":"a fox","seconds":"5"}"#, 400, "request_refused"),
    (#"{"seconds":5}"#, 400, "request_refused"),
  ])
  func whatCannotBeMadeIsRefused(_ body: String, _ status: Int, _ code: String) async throws {
    bench.instance.makers.take([ScriptedVideos()])
    bench.instance.siteRules.apply(WordLists(refusing: ["forbidden thing"]))
    try await serving { mara, _, _ async throws in
      let answer = try await mara.answer(
        "POST", Route.generations.path(), body, ["idempotency-key": "the-first-one"])
      #expect(answer.status == status && answer.code == code, "\(answer.status) \(answer.code ?? "")")
      #expect(try await Client(transport: mara).generationOffer().creditsLeft == 60)
    }
  }

  @Test func aPromptOfTooManyCharactersIsRefused() async throws {
    bench.instance.makers.take([ScriptedVideos()])
    try await serving { mara, _, _ async throws in
      let long = String(repeating: "a", count: 33_000)
      let answer = try await mara.answer(
        "POST", Route.generations.path(), #"{"prompt":"\#(long)","seconds":5}"#,
        ["idempotency-key": "the-first-one"])
      #expect(answer.status == 422 && answer.code == "prompt_too_long")
    }
  }
}
