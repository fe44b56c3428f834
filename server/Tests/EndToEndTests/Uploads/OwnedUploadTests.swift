import Accounts
import Contract
import Foundation
import Platform
import Testing
import Uploads
import Videos

@testable import Composition
@testable import ServerTesting

/// What an account began is the account's: who merely has the id may look, and do nothing with it.
@Suite(.everyEngine) struct OwnedUploadTests {
  private let bench: TestInstance
  private static let file = UploadRequests.file(5000)

  init() async throws { bench = try await TestInstance() }

  private static func upload(_ id: String) -> [(name: String, request: WireRequest)] {
    let details = ["content-type": "application/merge-patch+json"]
    let piece = ["content-type": "application/offset+octet-stream", "upload-offset": "0"]
    let tus = ["tus-resumable": "1.0.0"]
    let draft = ["upload-draft-interop-version": "6", "upload-complete": "?0"]
    let captions = Route.captionsOfLanguage.path(id, "en")
    return [
      (
        "details",
        WireRequest(
          "PATCH", Route.upload.path(id), headers: details, body: Data(#"{"caption":"theirs"}"#.utf8))
      ),
      ("piece", WireRequest("PATCH", Route.upload.path(id), headers: piece, body: file.prefix(10))),
      (
        "piece by tus",
        WireRequest("PATCH", Route.upload.path(id), headers: piece.merging(tus) { $1 }, body: file.prefix(10))
      ),
      (
        "piece by the draft",
        WireRequest(
          "PATCH", Route.upload.path(id), headers: piece.merging(draft) { $1 }, body: file.prefix(10))
      ),
      ("offset", WireRequest("HEAD", Route.upload.path(id))),
      ("commit", WireRequest("POST", Route.uploadCommit.path(id))),
      (
        "captions",
        WireRequest("PUT", captions, headers: ["content-type": "text/vtt"], body: Data("WEBVTT".utf8))
      ),
      ("no captions", WireRequest("DELETE", captions)),
      ("end", WireRequest("DELETE", Route.upload.path(id))),
    ]
  }

  @Test func theIdOfAnAccountsUploadOpensItToNobodyElse() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      func bearer(_ handle: String) async throws -> Bearer {
        let session = try await Client(transport: socket).signUp(NewAccount(handle))
        return Bearer(inner: socket, token: try #require(session.accessToken))
      }
      let (owner, other) = (try await bearer("owner1"), try await bearer("other"))
      let made = try await owner.send(try UploadRequests.creation(Self.file))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      let strangers: [(transport: any Transport, status: Int, code: String)] = [
        (socket, 401, "sign_in_needed"), (other, 404, "upload_not_found"),
      ]
      for stranger in strangers {
        for (name, request) in Self.upload(id) {
          let answer = try await stranger.transport.send(request)
          #expect(answer.status == stranger.status, "\(name)")
          let problem = try? WireCoding.decode(Problem.self, from: answer.body)
          #expect(request.method == "HEAD" || problem?.code == stranger.code, "\(name)")
          if request.headers["tus-resumable"] != nil { #expect(answer.headers["tus-resumable"] == "1.0.0") }
        }
        // Looking goes on.
        #expect(try await stranger.transport.answer("GET", Route.upload.path(id)).status == 200)
      }
      // The owner goes on as if nobody had tried.
      let state = try await owner.answer("GET", Route.upload.path(id)).response
      let before = try WireCoding.decode(UploadStatus.self, from: state.body)
      #expect(before.offset == 0 && before.details.caption == "At the #Pier")
      #expect(try await owner.send(UploadRequests.piece(id, Self.file, at: 0)).status == 204)
      #expect(try await owner.send(WireRequest("HEAD", Route.upload.path(id))).status == 204)
      #expect(try await owner.answer("POST", Route.uploadCommit.path(id)).status == 200)
    }
  }

  @Test func aSuspendedAccountChangesNothingWithItsTokenOrWithoutIt() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("owner1"))
      let owner = Bearer(inner: socket, token: try #require(session.accessToken))
      let made = try await owner.send(try UploadRequests.creation(Self.file))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      try await accounts.setSuspended(true, handle: "owner1")
      for (name, request) in Self.upload(id) where request.method != "HEAD" {
        let without = try await socket.send(request)
        #expect(without.status == 401, "\(name)")
        let with = try await owner.send(request)
        // An access token of before the suspension is over.
        #expect([401, 403].contains(with.status), "\(name)")
      }
      let after = try await bench.instance.uploads(UploadRules()).upload(id)
      #expect(after.offset == 0 && after.details.caption == "At the #Pier")
    }
  }

  @Test func aGuestsUploadGoesOnFromWhereverItsIdIs() async throws {
    try await bench.serving { socket async throws in
      let phone = CookieJar(socket)
      let made = try await phone.send(try UploadRequests.creation(Self.file))
      let id = try WireCoding.decode(UploadStatus.self, from: made.body).id
      // The same guest on another network, without the cookie, and as an account since.
      #expect(
        try await socket.send(UploadRequests.piece(id, Self.file.prefix(1000), at: 0)).status == 204)
      _ = try await Client(transport: phone).signUp(NewAccount("mara", .cookie))
      let rest = UploadRequests.piece(id, Self.file.dropFirst(1000), at: 1000)
      #expect(try await phone.send(rest).status == 204)
      #expect(try await phone.answer("POST", Route.uploadCommit.path(id)).status == 200)
    }
  }

  @Test func aKeyIsThatOfWhoMadeItAndOpensNothingToOthers() async throws {
    try await bench.serving { socket async throws in
      // As a client that takes the hash for its key, which whoever has the file knows.
      let creation = try UploadRequests.creation(Self.file, key: ContentHash.of(Self.file))
      func create(_ transport: any Transport) async throws -> String {
        let made = try await transport.send(creation)
        #expect(made.status == 201)
        return try WireCoding.decode(UploadStatus.self, from: made.body).id
      }
      let (one, two) = (CookieJar(socket), CookieJar(socket))
      let ofOne = try await create(one)
      #expect(try await create(one) == ofOne)
      let ofTwo = try await create(two)
      #expect(ofTwo != ofOne)
      #expect(try await create(two) == ofTwo)
      // Nobody yet is each time another guest.
      #expect(try await create(socket) != create(socket))
      // The guest who becomes an account keeps the key, and an account has its own.
      _ = try await Client(transport: one).signUp(NewAccount("mara", .cookie))
      #expect(try await create(one) == ofOne)
    }
  }

  // MARK: Content that was refused

  @Test func whoBringsWhatWasRefusedBeforeIsTheAuthorOfTheirOwnClip() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let mara = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "").account.id
    let clips = bench.instance.clips
    var first = ClipStore.Draft(
      sourceHash: ContentHash.of(Self.file), caption: "first", authorHandle: "guest", authorName: "Guest")
    first.account = "guest:somewhere"
    let refused = try await clips.register(first).clip.clipID
    try await bench.instance.database.write { try clips.refuse(refused, in: $0) }
    var second = first
    (second.caption, second.account, second.authorID) = ("second #two", "account:\(mara)", mara)
    let made = try await clips.register(second)
    #expect(made.isNew && made.clip.clipID != refused)
    func row(_ id: String) async throws -> [String] {
      try await bench.instance.database.read {
        let row = try $0.query("SELECT author_id, caption, tags, state FROM clips WHERE id = ?", [.text(id)])[
          0]
        return [
          try row.text("author_id"), try row.text("caption"), try row.text("tags"), try row.text("state"),
        ]
      }
    }
    #expect(try await row(made.clip.clipID) == [mara, "second #two", "two", "processing"])
    #expect(try await row(refused)[1...] == ["first", "", "refused"])
    // Whoever was first has nothing to say about it; whoever is it again says it anew.
    try await bench.instance.database.write { try clips.refuse(made.clip.clipID, in: $0) }
    second.caption = "third"
    #expect(try await clips.register(second).clip.clipID == made.clip.clipID)
    #expect(try await row(made.clip.clipID) == [mara, "third", "", "processing"])
  }
}
