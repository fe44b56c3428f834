import Accounts
import Contract
import Foundation
import Logging
import Synchronization
import Testing

@testable import Composition
@testable import Measuring
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting

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
