import Accounts
import Contract
import Foundation
import Platform
import Testing
import Uploads

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// Who is signed in, in a browser and in an app, and what there is with an account and goes with it.
@Suite(.everyEngine) struct AccountRequestTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  @Test func aBrowserIsKnownByCookiesThatNoScriptReads() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let jar = CookieJar(socket)
      let client = Client(transport: jar)
      let response = try await jar.answer(
        "POST", "/api/v1/accounts", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#)
      #expect(response.status == 201)
      let session = try WireCoding.decode(Session.self, from: response.response.body)
      #expect(session.accessToken == nil && session.refreshToken == nil)
      let cookies = try #require(response.response.headers["set-cookie"]).split(separator: "\n")
      // That of the device twice: ways in have two paths.
      #expect(cookies.count == 4)
      for cookie in cookies {
        #expect(cookie.contains("; HttpOnly; SameSite=Lax") && !cookie.contains("Secure"))
      }
      #expect(cookies.contains { $0.hasPrefix("clipfeed_access=") && $0.contains("Path=/api/;") })
      #expect(cookies.contains { $0.hasPrefix("clipfeed_refresh=") && $0.contains("Path=/api/v1/sessions;") })
      #expect(cookies.contains { $0.hasPrefix("clipfeed_device=") && $0.contains("Path=/api/v1/sessions;") })
      #expect(try await client.account() == session.account)
      #expect(try await client.sessions().items.map(\.current) == [true])
      let before = jar["clipfeed_refresh"]
      #expect(try await client.refresh().id == session.id)
      #expect(jar["clipfeed_refresh"] != before)
      try await client.endSession()
      // It is remembered that somebody was here, and that opens nothing.
      #expect(jar.names == ["clipfeed_device"])
      #expect(try await jar.answer("GET", "/api/v1/account").code == "sign_in_needed")
    }
  }

  @Test(
    arguments: [("https://clips.example", 0, [:]), (nil, 1, ["x-forwarded-proto": "https"])]
      as [(String?, Int, [String: String])])
  func cookiesAreSecureWhereTheSiteIs(_ origin: String?, _ proxies: Int, _ headers: [String: String])
    async throws
  {
    try await bench.servingAccounts(clock, origin: origin, proxies: proxies) { socket async throws in
      let answer = try await socket.answer(
        "POST", "/api/v1/accounts", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#,
        headers)
      let cookies = try #require(answer.response.headers["set-cookie"]).split(separator: "\n")
      #expect(cookies.count == 4 && cookies.allSatisfy { $0.hasSuffix("; Secure") })
    }
  }

  @Test func anAccountHasNoMoreThanAFewStrangersWrittenTo() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let client = Client(transport: socket)
      var session = try await client.signUp(NewAccount("mara"))
      func change(_ email: String) async throws -> String? {
        try await Bearer(inner: socket, token: try #require(session.accessToken)).answer(
          "PATCH", "/api/v1/account", #"{"email":"\#(email)","password":"correct horse"}"#
        ).code
      }
      for _ in 0..<5 { #expect(try await change("victim@b.example") == nil) }
      #expect(try await change("victim@b.example") == "too_many_requests")
      // To be without one writes to nobody.
      #expect(try await change("") == nil)
      clock.advance(ms: 600_000)
      session = try await client.refresh(session.refreshToken)
      #expect(try await change("mine@b.example") == nil)
    }
  }

  @Test func anAppKeepsItsTokensItself() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let client = Client(transport: socket)
      let session = try await client.signUp(NewAccount("mara"))
      let known = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      #expect(try await known.account() == session.account)
      let next = try await client.refresh(session.refreshToken)
      #expect(next.id == session.id && next.accessToken != nil)
      try await known.endSession()
      await #expect(throws: Problem.self) { try await known.account() }
      await #expect(throws: Problem.self) { try await client.refresh(next.refreshToken) }
    }
  }

  @Test func aTokenInTheHeaderCountsAlone() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let jar = CookieJar(socket)
      _ = try await Client(transport: jar).signUp(NewAccount("mara", .cookie))
      let other = try await Client(transport: socket).signUp(NewAccount("other"))
      let both = Bearer(inner: jar, token: try #require(other.accessToken))
      #expect(try await Client(transport: both).account().handle == "other")
      #expect(
        try await Bearer(inner: jar, token: "x").answer("GET", "/api/v1/account").code
          == "access_token_invalid")
    }
  }

  @Test func signingInEndsTheGuest() async throws {
    try await bench.servingAccounts(clock) { [bench] socket async throws in
      let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
      let guest = guests.make(at: SystemTime())
      let answer = try await socket.answer(
        "POST", "/api/v1/accounts", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#,
        ["cookie": "clipfeed_guest=\(guest.token)"])
      let session = try WireCoding.decode(Session.self, from: answer.response.body)
      #expect(session.account.id == guest.id)
      #expect(answer.response.headers["set-cookie"]?.contains("clipfeed_guest=; Path=/; Max-Age=0") == true)
      // The guest's token is nobody's now, so it makes no account's second face.
      let again = try await socket.answer(
        "POST", "/api/v1/accounts", #"{"handle":"second","password":"correct horse","transport":"token"}"#,
        ["authorization": "Bearer \(guest.token)"])
      #expect(again.status == 201)
      #expect(try WireCoding.decode(Session.self, from: again.response.body).account.id != guest.id)
    }
  }

  // MARK: What is over

  @Test func whoseTokenIsOverStillSeesTheFeedButWritesNothing() async throws {
    try await bench.servingAccounts(clock) { [clock] socket async throws in
      let jar = CookieJar(socket)
      let client = Client(transport: jar)
      _ = try await client.signUp(NewAccount("mara", .cookie))
      clock.advance(ms: Accounts.accessLifeMs)
      #expect(try await jar.answer("GET", "/api/v1/feed").status == 200)
      let written = try await jar.answer("POST", "/api/v1/clips/none/reactions", #"{"reaction":"heart"}"#)
      #expect(written.status == 401 && written.code == "access_token_expired")
      #expect(try await jar.answer("GET", "/api/v1/account").code == "access_token_expired")
      _ = try await client.refresh()
      #expect(
        try await jar.answer("POST", "/api/v1/clips/none/reactions", #"{"reaction":"heart"}"#).status == 404)
    }
  }

  @Test func aPageThatIsOpenedMuchLaterIsStillThePersonsOwn() async throws {
    let clip = try await bench.publishBare("clip")
    try await bench.servingAccounts(clock) { [clock] socket async throws in
      let client = Client(transport: CookieJar(socket))
      let session = try await client.signUp(NewAccount("mara", .cookie))
      _ = try await client.like(clip)
      clock.advance(ms: 24 * 3_600_000)
      #expect(try await client.feed().items.map(\.viewer?.liked) == [true])
      #expect(try await client.likes().items.map(\.id) == [clip])
      // Not once the session was ended, however long ago that was.
      let other = Client(transport: CookieJar(socket))
      _ = try await other.signIn(NewSession(handle: "mara", password: "correct horse", transport: .cookie))
      try await other.endSession(session.id)
      clock.advance(ms: 24 * 3_600_000)
      #expect(try await client.feed().items.map(\.viewer) == [nil])
      #expect(try await client.likes().items == [])
    }
  }

  @Test func aSessionThatWasEndedElsewhereDoesNotStayInTheWay() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let here = CookieJar(socket)
      let session = try await Client(transport: here).signUp(NewAccount("mara", .cookie))
      let there = Client(transport: CookieJar(socket))
      _ = try await there.signIn(NewSession(handle: "mara", password: "correct horse", transport: .cookie))
      try await there.endSession(session.id)
      let first = try await here.answer("POST", "/api/v1/clips/none/reactions", #"{"reaction":"heart"}"#)
      #expect(first.status == 401 && first.code == "session_ended")
      #expect(here.names == ["clipfeed_device"])
      #expect(
        try await here.answer("POST", "/api/v1/clips/none/reactions", #"{"reaction":"heart"}"#).status == 404)
    }
  }

  @Test func aReusedCookieEndsTheFamilyAndIsForgotten() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let owner = CookieJar(socket, headers: ["user-agent": "owner"])
      _ = try await Client(transport: owner).signUp(NewAccount("mara", .cookie))
      let thief = owner.copied(headers: ["user-agent": "thief"])
      _ = try await Client(transport: thief).refresh()
      let holder = thief.copied()
      let refused = try await owner.answer("POST", "/api/v1/sessions/refresh")
      #expect(refused.code == "refresh_token_reused")
      #expect(refused.response.headers["content-length"] == "\(refused.response.body.count)")
      #expect(owner.names == ["clipfeed_device"])
      #expect(try await thief.answer("POST", "/api/v1/sessions/refresh").code == "session_ended")
      #expect(try await holder.answer("GET", "/api/v1/account").code == "session_ended")
    }
  }

  @Test func twoWindowsThatRefreshAtOnceBothGoOn() async throws {
    try await bench.servingAccounts(clock) { socket async throws in
      let one = CookieJar(socket)
      _ = try await Client(transport: one).signUp(NewAccount("mara", .cookie))
      let other = one.copied()
      async let first = Client(transport: one).refresh()
      async let second = Client(transport: other).refresh()
      _ = try await (first, second)
      #expect(one["clipfeed_refresh"] == other["clipfeed_refresh"])
    }
  }

  @Test func signingOutWorksWhateverBecameOfTheSession() async throws {
    try await bench.servingAccounts(clock) { [clock] socket async throws in
      let jar = CookieJar(socket)
      _ = try await Client(transport: jar).signUp(NewAccount("mara", .cookie))
      let copy = jar.copied()
      clock.advance(ms: Accounts.accessLifeMs)
      try await Client(transport: jar).endSession()
      #expect(jar.names == ["clipfeed_device"])
      #expect(try await copy.answer("POST", "/api/v1/sessions/refresh").code == "session_ended")
      try await Client(transport: copy).endSession()
      try await Client(transport: CookieJar(socket)).endSession()
    }
  }

  @Test func whereGuestsMayNotAccountsMay() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let clip = try await bench.publishBare("Tide")
    var rules = UploadRules()
    rules.isOn = false
    try await bench.serving(comments: .off, uploads: rules, accounts: accounts) { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("mara"))
      let own = Bearer(inner: socket, token: try #require(session.accessToken))
      let upload = (
        Route.uploads.path(), #"{"size_bytes":1,"sha256":"\#(ContentHash.of([1]))","type":"","details":{}}"#
      )
      let comment = (Route.comments.path(clip), #"{"text":"Hi"}"#)
      let reaction = (Route.reactions.path(clip), #"{"reaction":"heart"}"#)
      for (target, body) in [upload, comment, reaction] {
        let key = ["idempotency-key": "a-key-of-this-test"]
        #expect(try await socket.answer("POST", target, body, key).status == 403, "\(target)")
        #expect(try await own.answer("POST", target, body, key).status <= 201, "\(target)")
      }
      for (transport, comments) in [(socket, Commenting.off), (own, .open)] as [(any Transport, Commenting)] {
        let client = Client(transport: transport)
        let lists = [
          try await client.feed(), try await client.foundClips("tide"), try await client.clips(of: "me"),
        ]
        for list in lists { #expect(list.items.map(\.comments) == [comments]) }
        #expect(lists[1].items == lists[0].items && lists[2].items == lists[0].items)
      }
      #expect(try await Client(transport: own).clip(clip).comments == .open)
    }
  }

  // MARK: With everything in it

  @Test func whatAnAccountWroteHasItsNameAndGoesWithIt() async throws {
    try await bench.servingAccounts(clock) { [bench] socket async throws in
      let clip = try await bench.publishBare("Tide")
      let open = Client(transport: socket)
      let session = try await open.signUp(NewAccount("mara"))
      let own = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      _ = try await open.comment(on: clip, text: "from a guest", idempotencyKey: "key-of-a-guest")
      let mine = try await own.comment(on: clip, text: "from Mara", idempotencyKey: "key-of-mara")
      #expect(mine.author == Author(id: session.account.id, handle: "mara", name: "mara"))
      _ = try await own.change(AccountChange(name: "Mara Lind"))
      #expect(try await open.comments(on: clip).items.map(\.author?.name) == ["Mara Lind", nil])
      try await own.deleteAccount(password: "correct horse")
      #expect(try await open.comments(on: clip).items.map(\.text) == ["from a guest"])
      #expect(try await open.clip(clip).counts.comments == 1)
      let left = try await bench.instance.database.read { try $0.query("SELECT text FROM comments") }
      #expect(try left.map { try $0.text("text") }.sorted() == ["", "from a guest"])
    }
  }

  @Test func aDeletedAccountTakesItsClipsAndTheirMediaAlong() async throws {
    try await bench.servingAccounts(clock) { [bench, clock] socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("mara"))
      let own = Bearer(inner: socket, token: try #require(session.accessToken))
      let source = try Data(contentsOf: try await bench.makeClip("mine.mp4"))
      let hash = ContentHash.of(Array(source))
      let made = try await own.answer(
        "POST", "/api/v1/uploads",
        #"{"size_bytes":\#(source.count),"sha256":"\#(hash)","type":"video/mp4","details":{}}"#,
        ["idempotency-key": "an-upload-of-mine"])
      #expect(made.status == 201)
      let upload = try WireCoding.decode(UploadStatus.self, from: made.response.body)
      _ = try await own.send(
        WireRequest(
          "PATCH", Route.upload.path(upload.id),
          headers: ["content-type": "application/offset+octet-stream", "upload-offset": "0"], body: source))
      _ = try await own.answer("POST", Route.uploadCommit.path(upload.id))
      while try await bench.instance.worker(tools: bench.tools).runNext() {}
      let clip = try #require(try await Client(transport: socket).feed().items.first)
      #expect(clip.author == Author(id: session.account.id, handle: "mara", name: "mara"))
      let count = try await bench.instance.media.list(after: nil, limit: 100).count
      #expect(count > 3)

      try await Client(transport: own).deleteAccount(password: "correct horse")
      #expect(try await Client(transport: socket).feed().items.isEmpty)
      #expect(try await socket.answer("GET", Route.clip.path(clip.id)).status == 404)
      #expect(try await socket.answer("GET", Route.upload.path(upload.id)).status == 404)
      let later = TestTime(ms: clock.nowMs + 2 * 3_600_000)
      _ = try await bench.instance.sweep(at: later)
      #expect(try await bench.instance.media.list(after: nil, limit: 100).isEmpty)
      #expect(try await bench.instance.sources.list(after: nil, limit: 100).isEmpty)
    }
  }
}
