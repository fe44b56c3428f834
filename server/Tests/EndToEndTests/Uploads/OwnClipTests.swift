import Contract
import Foundation
import Platform
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Uploads

/// One's own clips: the list of them, and deleting them so that it can be taken back.
@Suite(.everyEngine) struct OwnClipTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func file(seed: Int = 0) async throws -> Data {
    let url = try await bench.makeClip("\(seed).mp4", seconds: 0.5, size: "64x96", sound: false, seed: seed)
    return try Data(contentsOf: url)
  }

  private static func list(_ who: any Transport, _ query: String = "") async throws -> OwnClipPage {
    let answer = try await who.answer("GET", Route.ownClips.path() + query)
    return try WireCoding.decode(OwnClipPage.self, from: answer.response.body)
  }

  private static func change(_ method: String, _ upload: String, _ who: any Transport) async throws -> OwnClip
  {
    let answer = try await who.answer(method, Route.uploadClip.path(upload))
    #expect(answer.status == 200)
    return try WireCoding.decode(OwnClip.self, from: answer.response.body)
  }

  /// Two accounts with sessions of their own.
  private func serving(
    _ body: @escaping @Sendable (_ owner: Bearer, _ other: Bearer, SocketTransport) async throws -> Void
  ) async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      func bearer(_ handle: String) async throws -> Bearer {
        let session = try await Client(transport: socket).signUp(NewAccount(handle))
        return Bearer(inner: socket, token: try #require(session.accessToken))
      }
      try await body(try await bearer("owner1"), try await bearer("other"), socket)
    }
  }

  @Test func whatSomebodyUploadedIsInTheirListAndInNobodyElses() async throws {
    let files = [try await file(), try await file(seed: 1)]
    try await serving { [bench] owner, other, socket async throws in
      let open = try await UploadRequests.publish(files[0], nil, key: "key-of-one", on: bench, owner)
      let closed = try await UploadRequests.publish(files[1], .private, key: "key-of-two", on: bench, owner)
      let list = try await Self.list(owner)
      #expect(list.items.map(\.uploadId) == [closed.id, open.id] && list.nextCursor == nil)
      #expect(list.items.map(\.visibility) == [.private, .public])
      #expect(list.items.map(\.state) == [.published, .published])
      #expect(list.items[1].caption == "At the #pier" && list.items[1].tags == ["pier"])
      // The picture of a private clip is under a seal that opens it.
      let picture = try #require(list.items[0].picture?.url)
      #expect(picture.hasPrefix("/sealed/"))
      #expect(try await socket.answer("GET", picture).status == 200)
      #expect(try await Self.list(other).items.isEmpty)
      #expect(try await Self.list(socket).items.isEmpty)
      // A page at a time, each with what the one before did not have.
      let first = try await Self.list(owner, "?limit=1")
      let rest = try await Self.list(owner, "?limit=1&cursor=\(try #require(first.nextCursor))")
      #expect((first.items + rest.items).map(\.uploadId) == [closed.id, open.id] && rest.nextCursor == nil)
      let stolen = try await other.answer(
        "GET", Route.ownClips.path() + "?cursor=\(try #require(first.nextCursor))")
      #expect(stolen.code == "invalid_cursor")
    }
  }

  @Test func whatIsNotReadyAndWhatNeverWillBeStandInTheListToo() async throws {
    try await serving { owner, _, _ async throws in
      let file = UploadRequests.file(5000)
      let made = try await owner.send(try UploadRequests.creation(file))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      // While bytes come it is an upload, and no clip.
      #expect(try await Self.list(owner).items.isEmpty)
      #expect(try await owner.answer("DELETE", Route.uploadClip.path(id)).code == "clip_not_ready")
      _ = try await owner.send(UploadRequests.piece(id, file, at: 0))
      #expect(try await owner.answer("POST", Route.uploadCommit.path(id)).status == 200)
      let waiting = try await Self.list(owner).items
      #expect(waiting.map(\.state) == [.processing] && waiting[0].permille == 0)
      #expect(waiting[0].caption == "At the #Pier" && waiting[0].picture == nil)
    }
    while try await bench.instance.worker(tools: bench.tools).runNext() {}
    let uploads = bench.instance.uploads(UploadRules())
    let owner = try await bench.instance.database.read {
      try #require(try $0.query("SELECT owner FROM uploads").first?.optionalText("owner"))
    }
    let refused = try await uploads.ownClips(of: owner, cursor: nil, limit: 10).items
    #expect(refused.map(\.state) == [.refused])
    #expect(refused[0].problem?.detail.isEmpty == false)
    // Out of the list with it, and into it again.
    let removed = try await uploads.removeClip(of: refused[0].uploadId)
    #expect(removed.state == .removed)
    #expect(try await uploads.restoreClip(of: removed.uploadId).state == .refused)
  }

  @Test func aDeletedClipIsGoneAtOnceAndComesBackAsItWas() async throws {
    let file = try await file()
    try await serving { [bench] owner, other, socket async throws in
      let upload = try await UploadRequests.publish(file, nil, on: bench, owner)
      let id = try #require(upload.clip?.id)
      let shown = try await Client(transport: socket).clip(id)
      let media = try VisibilityTests.addresses(in: shown)
      // Others get what they would get if it were not there.
      #expect(try await other.answer("DELETE", Route.uploadClip.path(upload.id)).code == "upload_not_found")
      #expect(try await socket.answer("DELETE", Route.uploadClip.path(upload.id)).code == "sign_in_needed")
      #expect(try await other.answer("PUT", Route.uploadClip.path(upload.id)).code == "upload_not_found")
      #expect(try await socket.answer("GET", Route.clip.path(id)).status == 200)

      let gone = try await Self.change("DELETE", upload.id, owner)
      #expect(
        gone.state == .removed && gone.visibility == .public
          && gone.picture?.url.hasPrefix("/sealed/") == true)
      for target in [Route.clip.path(id), Route.comments.path(id), Route.uploadClip.path(upload.id)] + media {
        #expect(try await socket.answer("GET", target).status == 404, "\(target)")
      }
      #expect(try await owner.answer("GET", Route.uploadClip.path(upload.id)).status == 404)
      #expect(try await Client(transport: socket).feed().items.isEmpty)
      #expect(try await Client(transport: owner).feed().items.isEmpty)
      // Nothing else is done with it meanwhile.
      #expect(try await VisibilityTests.set(.public, of: upload.id, owner).status == 404)
      try await bench.instance.clips.setVisibility(of: id, to: .public)
      _ = try await bench.instance.clips.showAll(of: shown.author.id)
      #expect(try await socket.answer("GET", Route.clip.path(id)).status == 404)
      // Once more is once, and it can still be had back as long.
      #expect(try await Self.change("DELETE", upload.id, owner).removedUntil == gone.removedUntil)
      #expect(try await Self.list(owner).items.map(\.state) == [.removed])

      let back = try await Self.change("PUT", upload.id, owner)
      #expect(back.state == .published && back.visibility == .public && back.removedUntil == nil)
      #expect(try await Self.change("PUT", upload.id, owner) == back)
      let again = try await Client(transport: socket).clip(id)
      #expect(again == shown)
      #expect(try await Client(transport: socket).feed().items.map(\.id) == [id])
      for target in media { #expect(try await socket.answer("GET", target).status == 200, "\(target)") }
    }
  }

  @Test func afterADayNothingIsLeftOfIt() async throws {
    let file = try await file()
    try await serving { [bench] owner, other, _ async throws in
      let upload = try await UploadRequests.publish(file, nil, on: bench, owner)
      let id = try #require(upload.clip?.id)
      _ = try await Client(transport: other).comment(on: id, text: "Hi", idempotencyKey: "key-of-a-comment")
      _ = try await Self.change("DELETE", upload.id, owner)
      let instance = bench.instance
      let clock = TestTime(ms: SystemTime().nowMs + Uploads.regretMs - 60_000)
      let uploads = instance.uploads(UploadRules(), time: clock)
      try await uploads.sweep()
      #expect(try await instance.clips.find(clipID: id) != nil)
      clock.advance(ms: 120_000)
      // Too late, also before anybody has swept.
      await #expect(throws: AppError(.uploadNotFound)) { try await uploads.restoreClip(of: upload.id) }
      try await uploads.sweep()
      #expect(try await instance.clips.find(clipID: id) == nil)
      #expect(try await Self.list(owner).items.isEmpty)
      for table in ["clips", "comments", "clip_blobs"] {
        let left = try await instance.database.read { try $0.query("SELECT 1 AS n FROM \(table)").count }
        #expect(left == 0, "\(table)")
      }
      #expect(try await owner.answer("PUT", Route.uploadClip.path(upload.id)).code == "upload_not_found")
    }
  }

  @Test func whatIsDeletedWhileItIsMadeIsSeenByNobodyAndComesBackMade() async throws {
    let file = try await file()
    try await serving { [bench] owner, _, socket async throws in
      let new = try await owner.send(try UploadRequests.creation(file))
      let id = try WireCoding.decode(UploadStatus.self, from: new.body).id
      _ = try await owner.send(UploadRequests.piece(id, file, at: 0))
      #expect(try await owner.answer("POST", Route.uploadCommit.path(id)).status == 200)
      #expect(try await Self.change("DELETE", id, owner).state == .removed)
      while try await bench.instance.worker(tools: bench.tools).runNext() {}
      #expect(try await Client(transport: socket).feed().items.isEmpty)
      #expect(try await Self.change("PUT", id, owner).state == .published)
      #expect(try await Client(transport: socket).feed().items.count == 1)
    }
  }

  @Test func aGuestHasAListThatComesAlongAndGoesWithTheAccount() async throws {
    let (file, second) = (try await file(), try await file(seed: 1))
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { [bench] socket async throws in
      let phone = CookieJar(socket)
      let upload = try await UploadRequests.publish(file, .private, on: bench, phone)
      #expect(try await Self.list(phone).items.map(\.uploadId) == [upload.id])
      #expect(try await Self.list(CookieJar(socket)).items.isEmpty)
      // A guest's is that of whoever knows its id, as with everything else about the upload.
      #expect(try await Self.change("DELETE", upload.id, socket).state == .removed)
      #expect(try await Self.change("PUT", upload.id, phone).state == .published)
      _ = try await Client(transport: phone).signUp(NewAccount("mara", .cookie))
      #expect(try await Self.list(phone).items.map(\.uploadId) == [upload.id])
      // The same of a guest who signs in to an account that is there.
      let tablet = CookieJar(socket)
      let other = try await UploadRequests.publish(second, .private, key: "key-of-two", on: bench, tablet)
      _ = try await Client(transport: tablet).signIn(
        NewSession(handle: "mara", password: "correct horse", transport: .cookie))
      #expect(Set(try await Self.list(tablet).items.map(\.uploadId)) == [upload.id, other.id])
      let gone = try await tablet.answer(
        "POST", Route.accountDeletion.path(), #"{"password":"correct horse"}"#)
      #expect(gone.status == 204)
      #expect(try await bench.instance.clips.count() == 0)
      #expect(try await socket.answer("GET", Route.upload.path(upload.id)).status == 404)
    }
  }
}
