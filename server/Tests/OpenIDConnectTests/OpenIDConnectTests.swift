import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import OpenIDConnect
@testable import PlatformTesting

/// What `test_sign_in.py` cannot reach: a clock.
@Suite struct OpenIDConnectTests {
  private let clock = TestTime()

  @Test func anIssuerThatTakesConnectionsAndSaysNothingIsGivenUp() async throws {
    let silent = try SilentServer()
    let provider = try OpenIDProvider(
      OpenIDSettings(id: "slow", name: "Slow", issuer: silent.address, client: "c", secret: .none),
      time: clock, patience: .seconds(20))
    let question = SignInQuestion(
      state: "s", nonce: "n", verifier: "v", redirect: "r", isConfirming: false)
    for _ in 0..<20 {
      do {
        _ = try await provider.address(for: question)
        Issue.record("it answered")
      } catch let error as AppError { #expect(error.code == .providerUnreachable) }
    }
    // Who was not there a moment ago is not asked again for everybody who comes.
    #expect(silent.connections() == 1)
  }

  @Test func whatWasGoodIsUsedForADayWhereThereIsNothingNewer() async throws {
    let source = Source()
    let remembered = CachedDocument(time: clock) { try await source.next() }
    #expect(try await remembered.value() == 1)
    clock.advance(ms: 3_599_999)
    #expect(try await remembered.value() == 1)
    clock.advance(ms: 1)
    #expect(try await remembered.value() == 2)
    await source.end()
    clock.advance(ms: 3_600_000)
    #expect(try await remembered.value() == 2)
    clock.advance(ms: 86_400_000)
    await #expect(throws: AppError.self) { _ = try await remembered.value() }
  }

  @Test func whatIsDoubtedIsAskedForOnceInHalfAMinute() async throws {
    let source = Source()
    let remembered = CachedDocument(time: clock) { try await source.next() }
    #expect(try await remembered.value() == 1)
    #expect(try await remembered.renewed() == 2)
    // Whoever doubted what was known before that finds what came of it.
    #expect(try await remembered.renewed() == 2)
    clock.advance(ms: 29_999)
    #expect(try await remembered.renewed() == 2)
    clock.advance(ms: 1)
    #expect(try await remembered.renewed() == 3)
    #expect(try await remembered.value() == 3)
  }

  @Test func whoDoubtsWhileAnotherAsksGetsTheSameAnswer() async throws {
    let source = Source()
    let (asked, answered) = (Latch(), Latch())
    let remembered = CachedDocument(time: clock) {
      let value = try await source.next()
      if value == 2 {
        asked.open()
        await answered.opened()
      }
      return value
    }
    #expect(try await remembered.value() == 1)
    let first = Task { try await remembered.renewed() }
    await asked.opened()
    let second = Task { try await remembered.renewed() }
    answered.open()
    #expect(try await first.value == 2)
    #expect(try await second.value == 2)
  }

  @Test func aDoubtThatGotNoAnswerIsForgottenAfterAMoment() async throws {
    let source = Source()
    let remembered = CachedDocument(time: clock) { try await source.next() }
    #expect(try await remembered.value() == 1)
    await source.end()
    await #expect(throws: AppError.self) { _ = try await remembered.renewed() }
    await source.begin()
    await #expect(throws: AppError.self) { _ = try await remembered.renewed() }
    clock.advance(ms: 3000)
    #expect(try await remembered.renewed() == 2)
  }

  @Test func manyWhoWaitMakeOneRequest() async throws {
    let source = Source()
    let remembered = CachedDocument(time: clock) { try await source.next() }
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { try await remembered.value() } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(values == [1])
  }

  @Test(arguments: [
    ("https://accounts.example.org", true), ("https://accounts.example.org/realms/a?x=1", true),
    ("http://localhost:8080/x", true), ("http://127.0.0.1/x", true), ("http://[::1]:9/x", true),
    ("http://accounts.example.org", false), ("http://localhost.example.org", false),
    ("https://user:word@accounts.example.org", false), ("https://accounts.example.org/#x", false),
    ("https://", false), ("ftp://accounts.example.org", false), ("javascript:alert(1)", false),
    ("https://accounts.example.org/a b", false), ("//accounts.example.org", false), ("", false),
  ])
  func anAddressIsHttpsOrOfThisMachine(_ text: String, _ isGood: Bool) {
    #expect((ProviderAddress(text) != nil) == isGood)
  }

  @Test func aDocumentOfTheNetworkDoesNotLeadToThisMachine() throws {
    let issuer = try #require(ProviderAddress("https://accounts.example.org"))
    #expect(ProviderAddress("http://127.0.0.1:9/token", besides: issuer) == nil)
    #expect(ProviderAddress("https://localhost/token", besides: issuer) == nil)
    #expect(ProviderAddress("https://tokens.example.net/token", besides: issuer) != nil)
  }
}

private actor Source {
  private var count = 0
  private var isOver = false

  func next() throws -> Int {
    if isOver { throw AppError(.unavailable) }
    count += 1
    return count
  }

  func end() { isOver = true }

  func begin() { isOver = false }
}
