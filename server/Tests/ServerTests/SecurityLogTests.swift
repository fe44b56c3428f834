import Accounts
import Contract
import Foundation
import Logging
import Platform
import Synchronization
import Testing

@testable import Composition
@testable import Measuring
@testable import Platform

/// Lines of a log, as the operator has them.
final class WrittenLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func log(by time: any TimeSource = SystemTime()) -> SecurityLog {
    let logger = Logger(label: SecurityLog.label) { [self] label in
      LogLines(label, format: .json, level: SecurityLog.level) { line in
        self.lines.withLock { $0.append(line) }
      }
    }
    return SecurityLog(time: time, logger: logger)
  }

  /// A field of each event.
  func fields(_ name: String) throws -> [String?] {
    try all.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])[name]
    }
  }
}

@Suite struct SecurityTallyTests {
  private func guess(from address: String) -> SecurityLog.Event {
    SecurityLog.Event("sign-in", outcome: "credentials_wrong", account: UUID().uuidString, address: address)
  }

  @Test func aFloodHasFewLinesAndItsSumIsRight() {
    var tally = SecurityTally()
    let taken = (0..<10_000).map { _ in tally.take(guess(from: "192.0.2.1"), atMs: 1000) }
    #expect(taken.count { $0.isShown } == SecurityTally.ofOne && taken.count { $0.firstHeldOf != nil } == 1)
    #expect(tally.take(guess(from: "192.0.2.2"), atMs: 2000).isShown, "others have lines of their own")
    let next = tally.take(guess(from: "192.0.2.1"), atMs: 1000 + SecurityTally.spanMs)
    #expect(next.isShown)
    #expect(next.held.map(\.count) == [10_000 - SecurityTally.ofOne])
    #expect(next.held.map(\.event.account) == [nil], "many accounts are one flood")
  }

  @Test func aFloodFromManyAddressesIsBoundedToo() {
    var tally = SecurityTally()
    let taken = (0..<50_000).map { tally.take(guess(from: "2001:db8::\(String($0, radix: 16))"), atMs: 5) }
    #expect(taken.count { $0.isShown } == SecurityTally.mostCounted + SecurityTally.ofOne)
    let held = tally.end()
    #expect(held.count <= SecurityTally.mostCounted + 1)
    #expect(held.reduce(0) { $0 + $1.count } + taken.count { $0.isShown } == 50_000)
    #expect(held.first?.event.address == "others")
    #expect(tally.end().isEmpty)
  }

  @Test func noFloodOfFailuresHidesWhatCameToPass() {
    var tally = SecurityTally()
    for number in 0..<5000 {
      let address = "2001:db8::\(String(number, radix: 16))"
      _ = tally.take(
        SecurityLog.Event(
          "sign-in", outcome: "credentials_wrong", account: nil, address: address, network: "2001:db8"),
        atMs: 5)
    }
    let owner = SecurityLog.Event("sign-in", account: "mara", address: "192.0.2.9")
    #expect(tally.take(owner, atMs: 6).isShown)
    let thief = SecurityLog.Event(
      "refresh", outcome: "refresh_token_reused", account: "m", address: "192.0.2.8")
    #expect(tally.take(thief, atMs: 6).isShown)
    // All of one network are one.
    #expect(tally.end(of: 4).isEmpty && tally.end(of: 5).map(\.count) == [5000 - SecurityTally.ofOne])
  }

  @Test func aClockThatIsSetBackBeginsAnotherMinute() {
    var tally = SecurityTally()
    for _ in 0..<20 { _ = tally.take(guess(from: "192.0.2.1"), atMs: 1_000_000) }
    #expect(tally.take(guess(from: "192.0.2.1"), atMs: 5).held.map(\.count) == [10])
  }

  @Test func whatWasHeldBackIsToldThoughNothingComesAnyMore() throws {
    let lines = WrittenLines()
    let log = lines.log(by: TestTime(ms: 0))
    for _ in 0..<30 { log.write(guess(from: "192.0.2.1")) }
    log.end()
    #expect(lines.all.count == SecurityTally.ofOne + 1)
    #expect(try lines.fields("repeated").last == "20")
  }
}

@Suite struct SecurityEventTests {
  private func request(
    _ method: String, _ target: String, _ body: String? = nil, headers: [String: String] = [:]
  ) -> WireRequest {
    WireRequest(
      method, target, headers: headers.merging(["content-type": "application/json"]) { $1 },
      body: body.map { Data($0.utf8) })
  }

  @Test func whatPeopleDoToGetInIsWrittenDownWithoutSecrets() async throws {
    let (bench, lines) = (try await TestInstance(), WrittenLines())
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(proxies: 1, accounts: accounts, security: lines.log()) { transport async throws in
      let from = ["x-forwarded-for": "2001:db8::7"]
      let made = try await transport.send(
        request(
          "POST", "/api/v1/accounts",
          #"{"handle":"mara.s3","name":"Mara","password":"s3cret of mine","email":"s3@clips.example","transport":"token"}"#,
          headers: from))
      #expect(made.status == 201)
      let wrong = #"{"handle":"mara.s3","password":"s3cret of others","transport":"token"}"#
      #expect(
        try await transport.send(request("POST", "/api/v1/sessions", wrong, headers: from)).status == 401)
      let nobody = #"{"handle":"nobody.s3","password":"s3cret of others","transport":"token"}"#
      #expect(
        try await transport.send(request("POST", "/api/v1/sessions", nobody, headers: from)).status == 401)
      _ = try await transport.send(
        request(
          "POST", "/api/v1/events", "{}", headers: from.merging(["sec-fetch-site": "cross-site"]) { $1 }))
      _ = try await transport.send(
        request("GET", "/api/v1/account", headers: from.merging(["authorization": "Bearer s3.s3.s3"]) { $1 }))
      // A body that has no end that can be believed is a failure too, and a browser's question is nothing.
      let broken = try OpenSocket(port: transport.port)
      try broken.send(
        "POST /api/v1/sessions HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8::7\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      )
      #expect(try await broken.readToEnd().hasPrefix("HTTP/1.1 400"))
      _ = try await transport.send(request("OPTIONS", "/api/v1/uploads", headers: from))
      // What everybody does all day is no event.
      _ = try await transport.send(request("GET", "/api/v1/feed", headers: from))
    }
    #expect(
      try lines.fields("event") == [
        "sign-up", "sign-in", "sign-in", "cross-site-request", "token", "sign-in",
      ])
    #expect(
      try lines.fields("outcome") == [
        "ok", "credentials_wrong", "credentials_wrong", "cross_site_refused", "access_token_invalid",
        "request_refused",
      ])
    #expect(try lines.fields("address").allSatisfy { $0 == "2001:db8::7" })
    let known = try lines.fields("account")
    #expect(known[0] != nil && known[0] == known[1] && known[2] == nil)
    #expect(lines.all.allSatisfy { !$0.contains("s3") && $0.contains(SecurityLog.label) }, "\(lines.all)")
  }

  @Test func theOperatorsOwnCommandsAreWrittenDown() async throws {
    let bench = try await TestInstance()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    _ = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "phone")
    let program = try Program(["accounts", "suspend", "mara", "--data", bench.instance.folder.path])
    let (status, output) = program.end()
    #expect(status == 0)
    #expect(
      output.contains("notice \(SecurityLog.label): ") && output.contains("event=suspension"), "\(output)")
  }
}
