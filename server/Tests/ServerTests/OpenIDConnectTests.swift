import Accounts
import ArgumentParser
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Configured
@testable import OpenIDConnect
@testable import Options

/// What `test_sign_in.py` cannot reach: a clock, and settings before a server starts.
@Suite struct OpenIDConnectTests {
  private let clock = TestTime()

  @Test func anIssuerThatTakesConnectionsAndSaysNothingIsGivenUp() async throws {
    let silent = try SilentServer()
    let provider = try OpenIDProvider(
      OpenIDSettings(id: "slow", name: "Slow", issuer: silent.address, client: "c", secret: .none),
      time: clock, patience: .seconds(2))
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
    #expect(try await remembered.renewed() == nil)
    clock.advance(ms: 30_000)
    #expect(try await remembered.renewed() == 3)
    #expect(try await remembered.value() == 3)
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

  // MARK: Settings

  private func fault(_ environment: [String: String]) -> String? {
    let told = Dictionary(uniqueKeysWithValues: environment.map { ("CLIPFEED_\($0.key)", $0.value) })
    do {
      try Configured.$current.withValue(Configured(environment: told)) { _ = try ServeOptions.parse([]) }
      return nil
    } catch { return ServeOptions.message(for: error) }
  }

  @Test func whatIsWrongWithAProviderIsSaidByItsSetting() {
    var good = [
      "ORIGIN": "https://clips.example.org", "SIGN_IN": "corp",
      "SIGN_IN_CORP_ISSUER": "https://login.example.org", "SIGN_IN_CORP_CLIENT_ID": "clipfeed",
    ]
    #expect(fault(good) == nil)
    let wrong: [([String: String], String)] = [
      (["ORIGIN": ""], "CLIPFEED_SIGN_IN needs --origin"), (["SIGN_IN": "corp Corp"], "a to z and digits"),
      (["SIGN_IN": "corp, corp"], "twice"), (["SIGN_IN_CORP_ISSUER": ""], "sign-in-corp-issuer"),
      (["SIGN_IN_CORP_ISSUER": "http://login.example.org"], "https://"),
      (["SIGN_IN_CORP_CLIENT_ID": ""], "sign-in-corp-client-id"),
      (["SIGN_IN_CORP_APPLE_KEY_ID": "k"], "needs sign-in-corp-apple-team"),
      (["SIGN_IN_CORP_APPLE_TEAM": "t"], "sign-in-corp-apple-key-file"),
      (
        [
          "SIGN_IN": "corp two", "SIGN_IN_TWO_ISSUER": "https://login.example.org",
          "SIGN_IN_TWO_CLIENT_ID": "x",
        ], "same issuer"
      ),
    ]
    for (change, words) in wrong {
      let said = fault(good.merging(change) { $1 })
      #expect(said?.contains(words) == true, "\(change): \(said ?? "nothing")")
    }
    good["SIGN_IN_CORP_CLIENT_SECRET"] = "hush"
    good["SIGN_IN_CORP_APPLE_TEAM"] = "t"
    let said = fault(good)
    #expect(said?.contains("not for Apple") == true && said?.contains("hush") == false)
  }

  @Test func applesKeyIsAFileWithAKeyInIt() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).p8")
    defer { try? FileManager.default.removeItem(at: file) }
    let told = [
      "CLIPFEED_SIGN_IN": "apple", "CLIPFEED_SIGN_IN_APPLE_APPLE_TEAM": "TEAM",
      "CLIPFEED_SIGN_IN_APPLE_APPLE_KEY_ID": "KEY", "CLIPFEED_SIGN_IN_APPLE_APPLE_KEY_FILE": file.path,
      "CLIPFEED_SIGN_IN_APPLE_CLIENT_ID": "org.example.web",
      "CLIPFEED_SIGN_IN_APPLE_APPS": "org.example.a, org.example.b",
      "CLIPFEED_ORIGIN": "https://clips.example.org",
    ]
    try Configured.$current.withValue(Configured(environment: told)) {
      let options = try ServeOptions.parse([]).signIn
      #expect(options.providers.map(\.settings.issuer) == ["https://appleid.apple.com"])
      #expect(options.providers.map(\.settings.apps) == [["org.example.a", "org.example.b"]])
      #expect(throws: AppError.self) { _ = try options.make() }
      try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).write(to: file)
      #expect(throws: AppError.self) { _ = try options.make() }
    }
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
}

/// Takes connections, and never says a word.
final class SilentServer {
  private let socket: Int32
  let address: String

  init() throws {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 64) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    try #require(bound)
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
  }

  /// How many have come so far.
  func connections() -> Int {
    var count = 0
    while true {
      let one = accept(socket, nil, nil)
      guard one >= 0 else { return count }
      close(one)
      count += 1
    }
  }

  deinit { close(socket) }
}
