import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Notices on the wire, and by what a device is known there.
@Suite(.everyEngine) struct NoticeRequestTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  private static func signIn(_ jar: any Transport) async throws -> Session {
    try await Client(transport: jar).signIn(
      NewSession(handle: "mara", password: "correct horse", transport: .cookie))
  }

  @Test func aBrowserIsNewOnceAndAnAppWithoutCookiesEachTime() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let (own, other) = (
        CookieJar(socket), CookieJar(socket, headers: ["user-agent": "Firefox/1 (Windows)"])
      )
      let client = Client(transport: own)
      _ = try await client.signUp(NewAccount("mara", .cookie))
      try await client.endSession()
      _ = try await Self.signIn(own)
      #expect(try await client.notices() == NoticePage(items: [], nextCursor: nil))
      for _ in 0..<3 { _ = try await Self.signIn(other) }
      let told = try await client.notices().items
      #expect(told.map(\.kind) == ["new_device"] && told[0].device == "Firefox on Windows")
      // What was touched is no device's.
      other["clipfeed_device"] = (other["clipfeed_device"] ?? "").replacing(/[0-9a-f]$/, with: "g")
      _ = try await Self.signIn(other)
      #expect(try await client.notices().items.count == 2)
      for _ in 0..<2 { _ = try await Self.signIn(socket) }
      #expect(try await client.notices().items.count == 4)
      let first = try await client.notices(limit: 3)
      let second = try await client.notices(cursor: first.nextCursor, limit: 3)
      #expect(first.items.count == 3 && second.items.count == 1 && second.nextCursor == nil)
    }
  }

  @Test func nobodyElseReadsThem() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let (mara, other) = (CookieJar(socket), CookieJar(socket))
      _ = try await Client(transport: mara).signUp(NewAccount("mara", .cookie))
      _ = try await Client(transport: other).signUp(NewAccount("other", .cookie))
      for _ in 0..<3 { _ = try await Self.signIn(socket) }
      let cursor = try #require(try await Client(transport: mara).notices(limit: 1).nextCursor)
      let path = Route.notices.path()
      #expect(try await socket.answer("GET", path).code == "sign_in_needed")
      #expect(try await other.answer("GET", path + "?cursor=\(cursor)").code == "invalid_cursor")
      #expect(try await Client(transport: other).notices().items.isEmpty)
      #expect(try await mara.answer("GET", path + "?limit=0").status == 400)
      #expect(try await mara.answer("HEAD", path).status == 200)
      #expect(try await mara.answer("DELETE", path).status == 405)
      #expect(
        try await mara.answer("GET", path).response.headers["cache-control"]?.contains("no-store") == true)
    }
  }

  @Test func aDeviceIsKnownWhereProvidersLetPeopleInToo() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let answer = try await socket.answer(
        "POST", "/api/v1/accounts", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#)
      let paths = (answer.response.headers["set-cookie"] ?? "").split(separator: "\n")
        .filter { $0.hasPrefix("clipfeed_device=") }
        .compactMap { $0.firstMatch(of: /Path=([^;]+)/).map { String($0.1) } }
      #expect(Set(paths) == ["/api/v1/sessions", "/api/v1/sign-ins"])
    }
  }

  /// The program itself, with a mail program that writes down what it is given.
  @Test func whatHappensIsWrittenToTheAddressByTheServer() async throws {
    let letters = bench.folder.appendingPathComponent("letters")
    let program = bench.folder.appendingPathComponent("mail.sh")
    try Data("#!/bin/sh\ncat >> \(letters.path)\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let server = try bench.program([
      "serve", "--port", "0", "--workers", "0", "--mail-command", program.path, "--mail-from", "c@b.example",
      "--origin", "https://clips.example",
    ])
    let socket = SocketTransport(port: try server.port())
    let session = try await Client(transport: socket).signUp(NewAccount("mara"))
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE accounts SET email = 'm@b.example', email_key = 'm@b.example' WHERE id = ?",
        [.text(session.account.id)])
    }
    let hostile = CookieJar(socket, headers: ["user-agent": "Firefox/1 \u{D4E}<b>Bcc: eve@evil.example"])
    _ = try await Self.signIn(hostile)
    func text() -> String { (try? String(contentsOf: letters, encoding: .utf8)) ?? "" }
    try await eventually("the message") { text().contains("#account/security") }
    #expect(text().contains("To: m@b.example\nSubject: A new device for @mara\n"))
    #expect(text().contains("Device: Firefox\n") && !text().contains("evil"))
    kill(server.process.processIdentifier, SIGTERM)
    #expect(server.end().status == 0)
  }
}
