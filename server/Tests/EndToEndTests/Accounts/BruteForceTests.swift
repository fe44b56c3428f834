import Contract
import Foundation
import Platform
import Testing

@testable import PlatformTesting
@testable import ServerTesting

/// What strangers learn by trying: passwords, and who has an account.
@Suite(.everyEngine) struct BruteForceTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  @Test func guessesAreCountedByAccountWhereverTheyComeFrom() async throws {
    try await bench.servingAccounts(clock, proxies: 1) { socket async throws in
      _ = try await Client(transport: socket).signUp(NewAccount("mara"))
      func guess(_ handle: String, _ password: String, from address: Int) async throws -> (Int, String?) {
        let answer = try await socket.answer(
          "POST", "/api/v1/sessions",
          #"{"handle":"\#(handle)","password":"\#(password)","transport":"token"}"#,
          ["x-forwarded-for": "10.0.\(address / 250).\(address % 250)"])
        if answer.status == 429 { #expect(answer.response.headers["retry-after"] != nil) }
        return (answer.status, answer.code)
      }
      for handle in ["mara", "nobody"] {
        var refused = 0
        for number in 0..<25 where try await guess(handle, "wrong horse", from: number).0 == 429 {
          refused += 1
        }
        #expect(refused == 5, "\(handle)")
      }
      // Another account from the same addresses is not held up.
      #expect(try await guess("other", "wrong horse", from: 1).0 == 401)
      #expect(try await guess("MARA ", "correct horse", from: 400).0 == 429)
    }
  }

  @Test func aRightPasswordForgivesTheWrongOnes() async throws {
    try await bench.servingAccounts(clock, proxies: 1) { socket async throws in
      _ = try await Client(transport: socket).signUp(NewAccount("mara"))
      for number in 0..<60 {
        let password = number % 15 == 14 ? "correct horse" : "wrong horse"
        let answer = try await socket.answer(
          "POST", "/api/v1/sessions", #"{"handle":"mara","password":"\#(password)","transport":"token"}"#,
          ["x-forwarded-for": "10.0.0.\(number)"])
        #expect(answer.status == (number % 15 == 14 ? 200 : 401))
      }
    }
  }

  @Test func whoSignedInHereBeforeIsNotKeptOutByStrangersWhoGuess() async throws {
    try await bench.servingAccounts(clock, proxies: 1) { socket async throws in
      func guess(
        _ jar: any Transport, _ handle: String, _ password: String, _ address: Int
      ) async throws -> Int {
        try await jar.answer(
          "POST", "/api/v1/sessions",
          #"{"handle":"\#(handle)","password":"\#(password)","transport":"cookie"}"#,
          ["x-forwarded-for": "10.0.1.\(address)"]
        ).status
      }
      let (own, family, stranger) = (CookieJar(socket), CookieJar(socket), CookieJar(socket))
      _ = try await Client(transport: own).signUp(NewAccount("mara", .cookie))
      for (handle, jar) in [("stranger", stranger), ("father", family)] {
        _ = try await Client(transport: jar).signUp(NewAccount(handle, .cookie))
      }
      // Two people of one browser.
      #expect(try await guess(family, "mara", "correct horse", 3) == 200)
      for jar in [own, family] { try await Client(transport: jar).endSession() }
      for number in 0..<20 { #expect(try await guess(stranger, "mara", "wrong horse", number) == 401) }
      #expect(try await guess(stranger, "mara", "correct horse", 40) == 429)
      #expect(try await guess(CookieJar(socket), "mara", "correct horse", 41) == 429)
      #expect(try await guess(own, "mara", "correct horse", 42) == 200)
      #expect(try await guess(family, "father", "correct horse", 43) == 200)
      #expect(try await guess(family, "mara", "correct horse", 44) == 200)
      // What was touched is no device's, and a device has no more guesses than a stranger.
      let forged = own.copied()
      forged["clipfeed_device"] = (forged["clipfeed_device"] ?? "").replacing(/[0-9a-f]$/, with: "g")
      #expect(try await guess(forged, "mara", "correct horse", 45) == 429)
      for number in 50..<70 { #expect(try await guess(own, "mara", "wrong horse", number) == 401) }
      #expect(try await guess(own, "mara", "correct horse", 71) == 429)
      #expect(try await guess(family, "mara", "correct horse", 72) == 200)
    }
  }

  @Test func anAddressMayNotTryEveryAccount() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      var refused = 0
      for number in 0..<35 {
        let answer = try await socket.answer(
          "POST", "/api/v1/sessions",
          #"{"handle":"h\#(number)","password":"wrong horse","transport":"token"}"#)
        if answer.status == 429 { refused += 1 }
      }
      #expect(refused == 5)
    }
  }

  @Test func nobodyLearnsWhoHasAnAccount() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      _ = try await Client(transport: socket).signUp(
        NewAccount(handle: "mara", password: "correct horse", email: "m@b.example", transport: .token))
      func wire(_ method: String, _ target: String, _ body: String) async throws -> String {
        let response = try await socket.answer(method, target, body).response
        // What is read to the end of the connection here ends where this says elsewhere.
        #expect(response.headers["content-length"] == "\(response.body.count)")
        var headers = response.headers
        for name in ["date", "x-request-id"] { headers[name] = nil }
        let text = String(decoding: response.body, as: UTF8.self).replacing(/"request_id":"[^"]*"/, with: "")
        return "\(response.status) \(headers.sorted { $0.key < $1.key }) \(text)"
      }
      let known = try await wire(
        "POST", "/api/v1/sessions", #"{"handle":"mara","password":"wrong horse","transport":"token"}"#)
      let unknown = try await wire(
        "POST", "/api/v1/sessions", #"{"handle":"nobody","password":"wrong horse","transport":"token"}"#)
      #expect(known == unknown && known.contains("credentials_wrong"))
      let resets = try await ["mara", "nobody", "m@b.example", "x@y.example", ""].map { name in
        #"{"handle":"\#(name)"}"#
      }.asyncMap { try await wire("POST", "/api/v1/password-resets", $0) }
      #expect(Set(resets).count == 1 && resets[0].hasPrefix("202"))
      func signUp(_ handle: String, _ email: String) async throws -> Account {
        try await Client(transport: socket).signUp(
          NewAccount(handle: handle, password: "correct horse", email: email, transport: .token)
        ).account
      }
      var (taken, free) = (try await signUp("aa", "m@b.example"), try await signUp("bb", "n@b.example"))
      (taken.id, taken.handle, taken.name, taken.pendingEmail) = ("", "", "", "")
      (free.id, free.handle, free.name, free.pendingEmail) = ("", "", "", "")
      #expect(taken == free)
    }
  }
}

extension Sequence {
  func asyncMap<Value>(_ work: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await work(element)) }
    return values
  }
}
