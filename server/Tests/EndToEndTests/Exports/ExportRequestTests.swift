import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Exports
@testable import PlatformTesting
@testable import ServerTesting

/// Archives on the wire: a broken download goes on, and nobody else has one.
@Suite struct ExportRequestTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  @Test func anArchiveIsAskedForWatchedDownloadedInPiecesAndDeleted() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { [bench] socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("mara"))
      let mara = Bearer(inner: socket, token: try #require(session.accessToken))
      let client = Client(transport: mara)
      let asked = try await client.requestExport(idempotencyKey: "first-export")
      #expect(asked.state == .waiting)
      #expect(try await client.requestExport(idempotencyKey: "first-export").id == asked.id)
      let second = try await mara.answer(
        "POST", Route.exports.path(), nil, ["idempotency-key": "second-export"])
      #expect(second.status == 409 && second.code == "export_under_way")
      #expect(try await mara.answer("POST", Route.exports.path()).code == "invalid_idempotency_key")
      while try await bench.instance.exportWorker().runNext() {}
      let made = try #require(try await client.exports().items.first)
      let (url, size) = (try #require(made.url), try #require(made.sizeBytes))
      // The address is enough, as a browser's download has it.
      let whole = try await socket.answer("GET", url).response
      #expect(whole.status == 200 && whole.body.count == size)
      #expect(ContentHash.of(Array(whole.body)) == made.sha256)
      #expect(whole.headers["content-type"] == "application/x-tar")
      #expect(whole.headers["content-disposition"]?.hasPrefix("attachment; filename=\"clipfeed-") == true)
      #expect(whole.headers["cache-control"]?.hasPrefix("private") == true)
      #expect(whole.headers["access-control-allow-origin"] == nil)
      #expect(whole.headers["accept-ranges"] == "bytes")
      let head = try await socket.answer("HEAD", url).response
      #expect(head.status == 200 && head.headers["content-length"] == String(size) && head.body.isEmpty)
      // What broke off goes on, as long as it is the same.
      let tag = try #require(whole.headers["etag"])
      let half = size / 2
      let first = try await socket.answer("GET", url, nil, ["range": "bytes=0-\(half - 1)"]).response
      let rest = try await socket.answer("GET", url, nil, ["range": "bytes=\(half)-", "if-range": tag])
        .response
      #expect(first.status == 206 && rest.status == 206)
      #expect(first.body + rest.body == whole.body)
      #expect(
        try await socket.answer("GET", url, nil, ["range": "bytes=\(half)-", "if-range": "\"x\""]).status
          == 200)
      #expect(try await socket.answer("GET", url, nil, ["range": "bytes=\(size)-"]).status == 416)
      // By its name alone nobody has it, nor as media.
      #expect(try await socket.answer("GET", "/media/\(made.sha256 ?? "").tar").status == 404)
      let other = try await Client(transport: socket).signUp(NewAccount("paul"))
      let paul = Bearer(inner: socket, token: try #require(other.accessToken))
      #expect(try await Client(transport: paul).exports().items == [])
      #expect(try await paul.answer("DELETE", Route.export.path(made.id)).code == "export_not_found")
      #expect(try await socket.answer("GET", Route.exports.path()).code == "sign_in_needed")
      try await client.deleteExport(made.id)
      #expect(try await socket.answer("GET", url).code == "export_not_found")
      #expect(try await client.exports().items == [])
      #expect(try await bench.storedArchives() == [])
    }
  }

  @Test func whoeverIsSuspendedTakesTheirDataAlong() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      let client = Client(transport: socket)
      let first = try await client.signUp(NewAccount("mara"))
      try await accounts.setSuspended(true, handle: "mara")
      // What was made in the millisecond of the change does not count.
      var (session, mara) = (first, client)
      repeat {
        session = try await client.refresh(session.refreshToken)
        mara = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      } while (try? await mara.account())?.suspended != true
      #expect(try await mara.requestExport(idempotencyKey: "first-export").state == .waiting)
    }
  }
}
