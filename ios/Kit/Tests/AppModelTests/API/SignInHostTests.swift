import AppModel
import Contract
import Foundation
import Testing

@MainActor @Suite struct SignInHostTests {
  @Test func aGuestIsKnownByWhatTheFirstAnswerGave() async throws {
    let bench = SignInBench()
    async let first = bench.client.like("one")
    let parked = await bench.transport.next()
    #expect(parked.request.headers["authorization"] == nil)
    #expect(parked.request.headers["user-agent"] == "Clipfeed/1.0 (iPhone; iOS 18.0)")
    parked.answer(
      200, LikeState(liked: true, likes: 1),
      headers: [
        "set-cookie": "__Host-clipfeed_guest=g2.a.b; Path=/; Max-Age=1; HttpOnly; SameSite=Lax; Secure"
      ])
    _ = try await first
    async let second = bench.client.like("two")
    let next = await bench.transport.next()
    #expect(next.request.headers["authorization"] == "Bearer g2.a.b")
    #expect(next.request.headers["cookie"] == "__Host-clipfeed_guest=g2.a.b")
    next.answer(200, LikeState(liked: true, likes: 1))
    _ = try await second
    let again = SignInBench(store: bench.store)
    async let third = again.client.likes()
    let read = await again.transport.next()
    #expect(read.request.headers["authorization"] == "Bearer g2.a.b")
    read.answer(200, FeedPage(items: [], nextCursor: nil))
    _ = try await third
  }

  @Test func whatAGuestWritesWaitsForTheFirstAndReadingDoesNot() async throws {
    let bench = SignInBench()
    async let first = bench.client.like("one")
    let held = await bench.transport.next()
    async let second = bench.client.like("two")
    async let page = bench.client.likes()
    let reading = await bench.transport.next()
    #expect(reading.request.method == "GET")
    reading.answer(200, FeedPage(items: [], nextCursor: nil))
    _ = try await page
    #expect(bench.transport.count == 2)
    held.answer(200, LikeState(liked: true, likes: 1), headers: ["set-cookie": "clipfeed_guest=g2.a.b"])
    _ = try await first
    let next = await bench.transport.next()
    #expect(next.request.headers["authorization"] == "Bearer g2.a.b")
    next.answer(200, LikeState(liked: true, likes: 1))
    _ = try await second
  }

  @Test func aGuestWhoIsNoneAnyMoreIsNobodyAgain() async throws {
    let bench = SignInBench()
    async let first = bench.client.like("one")
    await bench.transport.next().answer(
      200, LikeState(liked: true, likes: 1), headers: ["set-cookie": "clipfeed_guest=g2.old"])
    _ = try await first
    async let second = bench.client.like("two")
    await bench.transport.next().refuse(.accessTokenInvalid)
    let again = await bench.transport.next()
    #expect(again.request.headers["authorization"] == nil)
    again.answer(200, LikeState(liked: true, likes: 1), headers: ["set-cookie": "clipfeed_guest=g2.new"])
    #expect(try await second.liked)
    #expect(await bench.host.headers()["authorization"] == "Bearer g2.new")
  }

  @Test func oneRefreshLetsAllGoThatWait() async throws {
    let bench = try await SignInBench.signedIn()
    bench.clock.advance(590_000)
    async let one = bench.client.like("one")
    async let two = bench.client.likes()
    await bench.clock.ring()
    let refresh = await bench.transport.next()
    #expect(refresh.request.target == Route.sessionRefresh.path())
    #expect(refresh.request.headers["authorization"] == nil)
    let body: SessionRefresh = try WireCoding.decode(from: refresh.request.body ?? Data())
    #expect(body.refreshToken == "refresh1")
    refresh.answer(200, sampleSession(2), headers: serverDate)
    for _ in 0..<2 {
      let parked = await bench.transport.next()
      #expect(parked.request.headers["authorization"] == "Bearer access2")
      if parked.request.method == "GET" {
        parked.answer(200, FeedPage(items: [], nextCursor: nil))
      } else {
        parked.answer(200, LikeState(liked: true, likes: 1))
      }
    }
    _ = try await (one, two)
    #expect(bench.transport.count == 4)
  }

  @Test func aTokenThatIsRefusedIsRefreshedAndTheRequestSentAgain() async throws {
    let bench = try await SignInBench.signedIn()
    async let likes = bench.client.likes()
    await bench.transport.next().refuse(.accessTokenExpired)
    await bench.clock.ring()
    await bench.transport.next().answer(200, sampleSession(2), headers: serverDate)
    let again = await bench.transport.next()
    #expect(again.request.headers["authorization"] == "Bearer access2")
    again.answer(200, FeedPage(items: [], nextCursor: nil))
    _ = try await likes
  }

  @Test func aSessionThatIsOverSignsOut() async throws {
    let bench = try await SignInBench.signedIn()
    var heard: [String] = []
    bench.host.onChanged { heard.append($0?.id ?? "nobody") }
    bench.host.onOver { heard.append("over") }
    let likes = Task { try await bench.client.likes() }
    await bench.transport.next().refuse(.sessionEnded)
    let error = await #expect(throws: Problem.self) { try await likes.value }
    #expect(error?.code == "session_ended")
    #expect(heard == ["nobody", "over"])
    #expect(bench.host.signedIn == nil)
    #expect(SignInBench(store: bench.store).host.signedIn == nil)
  }

  @Test(arguments: [502, 401, 200]) func whatIsNotTheServersAnswerSignsNobodyOut(status: Int) async throws {
    let bench = try await SignInBench.signedIn()
    bench.clock.advance(590_000)
    let likes = Task { try await bench.client.likes() }
    await bench.clock.ring()
    await bench.transport.next().answer(
      status, headers: ["content-type": "text/html"], text: "<html>Sign in to this network</html>")
    await #expect(throws: (any Error).self) { try await likes.value }
    #expect(bench.host.signedIn?.id == "ada")
    // It goes on as soon as the network does.
    async let again = bench.client.likes()
    await bench.clock.ring()
    await bench.transport.next().answer(200, sampleSession(2), headers: serverDate)
    await bench.transport.next().answer(200, FeedPage(items: [], nextCursor: nil))
    _ = try await again
  }

  @Test func aPageOfTheNetworkIsNoAnswer() async throws {
    let bench = SignInBench()
    let likes = Task { try await bench.client.likes() }
    await bench.transport.next().answer(200, headers: ["content-type": "text/html"], text: "<html></html>")
    let error = await #expect(throws: APIError.self) { try await likes.value }
    #expect(error == .intercepted)
    #expect(Sentence(for: APIError.intercepted).key.contains("network"))
  }

  @Test(arguments: [-40.0, 0, 40]) func aClockThatIsWrongByYearsDoesNoHarm(years: Double) async throws {
    let now = epoch.addingTimeInterval(years * 365 * 86_400)
    let bench = try await SignInBench.signedIn(now: now)
    let likes = Task { try await bench.client.likes() }
    let parked = await bench.transport.next()
    #expect(parked.request.headers["authorization"] == "Bearer access1")
    parked.answer(200, FeedPage(items: [], nextCursor: nil))
    _ = try await likes.value
    // Started again, with the clock set right.
    let again = SignInBench(store: bench.store)
    async let page = again.client.likes()
    if years < 0 {
      await again.clock.ring()
      await again.transport.next().answer(200, sampleSession(2), headers: serverDate)
    }
    let last = await again.transport.next()
    #expect(last.request.headers["authorization"] == (years < 0 ? "Bearer access2" : "Bearer access1"))
    last.answer(200, FeedPage(items: [], nextCursor: nil))
    _ = try await page
    #expect(again.host.signedIn?.id == "ada")
  }

  @Test func aSignUpTakesTheGuestAlongAndForgetsIt() async throws {
    let bench = SignInBench()
    async let like = bench.client.like("one")
    await bench.transport.next().answer(
      200, LikeState(liked: true, likes: 1), headers: ["set-cookie": "clipfeed_guest=g2.a.b"])
    _ = try await like
    async let session = bench.client.signUp(
      NewAccount(handle: "ada", password: "correct horse", transport: .token))
    let parked = await bench.transport.next()
    #expect(parked.request.headers["authorization"] == "Bearer g2.a.b")
    let cookies =
      "clipfeed_device=d2.x; Path=/api/v1/sessions; Max-Age=34560000, clipfeed_guest=; Path=/; Max-Age=0"
    parked.answer(201, sampleSession(), headers: serverDate.merging(["set-cookie": cookies]) { $1 })
    _ = try await session
    #expect(bench.host.signedIn?.handle == "ada")
    async let out: Void = bench.client.endSession()
    await bench.transport.next().answer(204)
    try await out
    #expect(bench.host.signedIn == nil)
    async let back = bench.client.signIn(
      NewSession(handle: "ada", password: "correct horse", transport: .token))
    let again = await bench.transport.next()
    #expect(again.request.headers["authorization"] == nil)
    #expect(again.request.headers["cookie"] == "clipfeed_device=d2.x")
    again.answer(200, sampleSession(2), headers: serverDate)
    _ = try await back
  }

  @Test func mediaAndOtherOriginsSeeNoToken() async throws {
    let bench = try await SignInBench.signedIn()
    async let media = bench.client.media("https://elsewhere.example/api/x.mp4")
    let parked = await bench.transport.next()
    #expect(parked.request.headers["authorization"] == nil)
    parked.answer(200, text: "bytes")
    _ = try await media
  }

}
