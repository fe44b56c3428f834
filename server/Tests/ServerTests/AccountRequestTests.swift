import Accounts
import Contract
import Foundation
import Platform
import SQLite
import Testing
import Uploads

@testable import Gateway
@testable import clipfeed

@Suite(.everyEngine) struct AccountRequestTests {
  private let bench: Bench
  private let clock = TestTime(ms: Int64(Date().timeIntervalSince1970 * 1000))

  init() async throws { bench = try await Bench() }

  private func serving(
    origin: String? = nil, proxies: Int = 0,
    _ body: @escaping @Sendable (SocketTransport) async throws -> Void
  ) async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    try await bench.serving(proxies: proxies, origin: origin, accounts: accounts, time: clock, body)
  }

  private static func new(_ handle: String, _ transport: TokenTransport = .cookie) -> NewAccount {
    NewAccount(handle: handle, password: "correct horse", transport: transport)
  }

  @Test func aBrowserIsKnownByCookiesThatNoScriptReads() async throws {
    try await serving { socket async throws in
      let jar = CookieJar(socket)
      let client = Client(transport: jar)
      let response = try await jar.answer(
        "POST", "/api/v1/accounts", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#)
      #expect(response.status == 201)
      let session = try WireCoding.decode(Session.self, from: response.response.body)
      #expect(session.accessToken == nil && session.refreshToken == nil)
      let cookies = try #require(response.response.headers["set-cookie"]).split(separator: "\n")
      #expect(cookies.count == 3)
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
    try await serving(origin: origin, proxies: proxies) { socket async throws in
      let answer = try await socket.answer(
        "POST", "/api/v1/accounts", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#,
        headers)
      let cookies = try #require(answer.response.headers["set-cookie"]).split(separator: "\n")
      #expect(cookies.count == 3 && cookies.allSatisfy { $0.hasSuffix("; Secure") })
    }
  }

  @Test func anAppKeepsItsTokensItself() async throws {
    try await serving { socket async throws in
      let client = Client(transport: socket)
      let session = try await client.signUp(Self.new("mara", .token))
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
    try await serving { socket async throws in
      let jar = CookieJar(socket)
      _ = try await Client(transport: jar).signUp(Self.new("mara"))
      let other = try await Client(transport: socket).signUp(Self.new("other", .token))
      let both = Bearer(inner: jar, token: try #require(other.accessToken))
      #expect(try await Client(transport: both).account().handle == "other")
      #expect(
        try await Bearer(inner: jar, token: "x").answer("GET", "/api/v1/account").code
          == "access_token_invalid")
    }
  }

  @Test func signingInEndsTheGuest() async throws {
    try await serving { [bench] socket async throws in
      let guests = GuestTokens(secret: try #require(try await bench.instance.settings.value("guest_secret")))
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
    try await serving { [clock] socket async throws in
      let jar = CookieJar(socket)
      let client = Client(transport: jar)
      _ = try await client.signUp(Self.new("mara"))
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
    try await serving { [clock] socket async throws in
      let client = Client(transport: CookieJar(socket))
      let session = try await client.signUp(Self.new("mara"))
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
    try await serving { socket async throws in
      let here = CookieJar(socket)
      let session = try await Client(transport: here).signUp(Self.new("mara"))
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
    try await serving { socket async throws in
      let owner = CookieJar(socket, headers: ["user-agent": "owner"])
      _ = try await Client(transport: owner).signUp(Self.new("mara"))
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
    try await serving { socket async throws in
      let one = CookieJar(socket)
      _ = try await Client(transport: one).signUp(Self.new("mara"))
      let other = one.copied()
      async let first = Client(transport: one).refresh()
      async let second = Client(transport: other).refresh()
      _ = try await (first, second)
      #expect(one["clipfeed_refresh"] == other["clipfeed_refresh"])
    }
  }

  @Test func signingOutWorksWhateverBecameOfTheSession() async throws {
    try await serving { [clock] socket async throws in
      let jar = CookieJar(socket)
      _ = try await Client(transport: jar).signUp(Self.new("mara"))
      let copy = jar.copied()
      clock.advance(ms: Accounts.accessLifeMs)
      try await Client(transport: jar).endSession()
      #expect(jar.names == ["clipfeed_device"])
      #expect(try await copy.answer("POST", "/api/v1/sessions/refresh").code == "session_ended")
      try await Client(transport: copy).endSession()
      try await Client(transport: CookieJar(socket)).endSession()
    }
  }

  // MARK: Guessing

  @Test func guessesAreCountedByAccountWhereverTheyComeFrom() async throws {
    try await serving(proxies: 1) { socket async throws in
      _ = try await Client(transport: socket).signUp(Self.new("mara", .token))
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
    try await serving(proxies: 1) { socket async throws in
      _ = try await Client(transport: socket).signUp(Self.new("mara", .token))
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
    try await serving(proxies: 1) { socket async throws in
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
      _ = try await Client(transport: own).signUp(Self.new("mara"))
      for (handle, jar) in [("stranger", stranger), ("father", family)] {
        _ = try await Client(transport: jar).signUp(Self.new(handle))
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

  @Test func aSignUpWhoseAnswerWasLostIsRepeatedByTheSameCallerOnly() async throws {
    try await serving { [bench] socket async throws in
      let guests = GuestTokens(secret: try #require(try await bench.instance.settings.value("guest_secret")))
      let guest = guests.make(at: SystemTime())
      func signUp(_ body: String, _ key: String?) async throws -> (Int, String?, String?) {
        var headers = ["cookie": "clipfeed_guest=\(guest.token)"]
        headers["idempotency-key"] = key
        let answer = try await socket.answer("POST", "/api/v1/accounts", body, headers)
        let session = try? WireCoding.decode(Session.self, from: answer.response.body)
        return (answer.status, answer.code ?? session?.account.id, session?.id)
      }
      let body = #"{"handle":"mara","password":"correct horse","transport":"token"}"#
      let first = try await signUp(body, "a-key-of-mara")
      let again = try await signUp(body.replacing("mara", with: "@Mara"), "a-key-of-mara")
      #expect(first.0 == 201 && again.0 == 201)
      #expect(first.1 == guest.id && again.1 == guest.id)
      #expect(first.2 != again.2)
      let other = body.replacing("correct", with: "another")
      #expect(try await signUp(other, "a-key-of-mara").1 == "idempotency_key_reused")
      for key in ["another-key", nil] { #expect(try await signUp(body, key).1 == "handle_taken") }
      #expect(try await signUp(body, "short").1 == "invalid_idempotency_key")
      // The same key for something else is something else.
      #expect(try await signUp(body.replacing("mara", with: "paul"), "a-key-of-mara").0 == 201)
      let kept = try await bench.instance.database.read {
        try $0.query("SELECT * FROM accounts WHERE handle = 'mara'").map { "\($0)" }.joined()
      }
      #expect(!kept.contains("a-key-of-mara") && !kept.contains("correct horse"))
    }
  }

  @Test func twoOfOneSignUpAtOnceAreOneAccount() async throws {
    try await serving { socket async throws in
      let sessions = try await withThrowingTaskGroup(of: Session.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await Client(transport: socket).signUp(
              Self.new("mara", .token), idempotencyKey: "a-key-of-mara")
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(sessions.map(\.account.id)).count == 1)
      #expect(Set(sessions.map(\.id)).count == 6)
    }
  }

  @Test func aSignUpIsRepeatedForADayAndNoLonger() async throws {
    try await serving { [clock] socket async throws in
      let client = Client(transport: socket)
      _ = try await client.signUp(Self.new("mara", .token), idempotencyKey: "a-key-of-mara")
      clock.advance(ms: 86_400_000)
      let error = await #expect(throws: Problem.self) {
        try await client.signUp(Self.new("mara", .token), idempotencyKey: "a-key-of-mara")
      }
      #expect(error?.code == "handle_taken")
    }
  }

  @Test func anAddressMayNotTryEveryAccount() async throws {
    try await serving { socket async throws in
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

  // MARK: Telling nothing

  @Test func nobodyLearnsWhoHasAnAccount() async throws {
    try await serving { socket async throws in
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

  // MARK: Bad input

  @Test(
    arguments: [
      (#"{}"#, 400, "handle"),
      (#"{"handle":1,"password":"correct horse","transport":"token"}"#, 400, "handle"),
      (#"{"handle":"mara","password":null,"transport":"token"}"#, 400, "password"),
      (#"{"handle":"mara","password":"correct horse","transport":"pigeon"}"#, 400, "transport"),
      (#"{"handle":"mara","password":"correct horse","transport":["token"]}"#, 400, "transport"),
      (#"{"handle":"m\u0000","password":"correct horse","transport":"token"}"#, 422, "handle"),
      (#"{"handle":"a\u202eb","password":"correct horse","transport":"token"}"#, 422, "handle"),
      (#"{"handle":"mara","name":"a\u202eb","password":"correct horse","transport":"token"}"#, 422, "name"),
      (#"{"handle":"mara","name":"","password":"correct horse","transport":"token"}"#, 422, "name"),
      (
        #"{"handle":"mara","email":"a@b.c\r\nBcc: x@y.z","password":"correct horse","transport":"token"}"#,
        422, "email"
      ),
      (#"{"handle":"mara","password":"short","transport":"token"}"#, 422, "password"),
      (#"{"handle":"mara","handle":"other","password":"correct horse","transport":"token"}"#, 400, nil),
      (#"{"handle":"mara","\u0068andle":"other","password":"correct horse","transport":"token"}"#, 400, nil),
      (#"["mara"]"#, 400, nil), (#""mara""#, 400, nil), ("null", 400, nil), ("", 400, nil), ("{", 400, nil),
      (#"{"handle":"mara"#, 400, nil),
      (#"{"handle":"\ud800","password":"correct horse","transport":"token"}"#, 400, nil),
      (#"{"a":"# + String(repeating: "[", count: 30_000), 400, nil),
      (#"{"a":"# + String(repeating: #"{"a":"#, count: 10_000), 400, nil),
      (String(repeating: " ", count: 65_537), 413, nil),
    ] as [(String, Int, String?)])
  func everyFieldThatIsWrongIsNamed(_ body: String, _ status: Int, _ field: String?) async throws {
    try await serving { socket async throws in
      let answer = try await socket.answer("POST", "/api/v1/accounts", body)
      #expect(answer.status == status)
      let problem = try WireCoding.decode(Problem.self, from: answer.response.body)
      if field != nil { #expect(problem.field == field) }
    }
  }

  @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
  func aFormOfAnotherSiteIsNoBody(_ type: String) async throws {
    try await serving { socket async throws in
      for (method, target) in [
        ("POST", "/api/v1/accounts"), ("POST", "/api/v1/sessions"), ("POST", "/api/v1/password-resets"),
        ("PUT", "/api/v1/password-resets/x"), ("POST", "/api/v1/sessions/refresh"),
      ] {
        let answer = try await socket.answer(
          method, target, #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#,
          ["content-type": type])
        #expect(answer.status == 415, "\(target)")
      }
    }
  }

  @Test(arguments: [
    ["sec-fetch-site": "cross-site"], ["origin": "https://evil.example"], ["sec-fetch-site": "same-site"],
  ])
  func anotherSiteDoesNothingWithOurCookies(_ headers: [String: String]) async throws {
    try await serving { socket async throws in
      let jar = CookieJar(socket)
      let client = Client(transport: jar)
      let account = try await client.signUp(Self.new("mara")).account
      for (method, target, body) in [
        ("DELETE", "/api/v1/sessions/current", nil), ("POST", "/api/v1/sessions/refresh", nil),
        ("PATCH", "/api/v1/account", #"{"name":"Owned"}"#),
        ("POST", "/api/v1/account/deletion", #"{"password":"correct horse"}"#),
        (
          "PUT", "/api/v1/account/password",
          #"{"current_password":"correct horse","new_password":"battery staple"}"#
        ),
        ("POST", "/api/v1/sessions", #"{"handle":"mara","password":"correct horse","transport":"cookie"}"#),
      ] as [(String, String, String?)] {
        let answer = try await jar.answer(method, target, body, headers)
        #expect(answer.status == 403 && answer.code == "cross_site_refused", "\(target)")
      }
      #expect(try await client.account() == account)
    }
  }

  @Test func whereGuestsMayNotAccountsMay() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let clip = try await bench.publishBare("Tide")
    var rules = UploadRules()
    rules.isOn = false
    try await bench.serving(comments: .off, uploads: rules, accounts: accounts) { socket async throws in
      let session = try await Client(transport: socket).signUp(Self.new("mara", .token))
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
      #expect(try await Client(transport: socket).feed().items.map(\.comments) == [.off])
      #expect(try await Client(transport: own).feed().items.map(\.comments) == [.open])
      #expect(try await Client(transport: own).clip(clip).comments == .open)
    }
  }

  // MARK: With everything in it

  @Test func whatAnAccountWroteHasItsNameAndGoesWithIt() async throws {
    try await serving { [bench] socket async throws in
      let clip = try await bench.publishBare("Tide")
      let open = Client(transport: socket)
      let session = try await open.signUp(Self.new("mara", .token))
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
    try await serving { [bench, clock] socket async throws in
      let session = try await Client(transport: socket).signUp(Self.new("mara", .token))
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

extension Sequence {
  func asyncMap<Value>(_ work: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await work(element)) }
    return values
  }
}
