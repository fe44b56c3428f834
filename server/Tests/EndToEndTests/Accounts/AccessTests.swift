import Accounts
import Contract
import Foundation
import OpenAPI
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import ServerTesting

/// Every route and method for everybody who may ask.
@Suite struct AccessTests {
  private let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private enum Asker: String, CaseIterable {
    case nobody, guest, member, suspended, moderator, admin

    var viewer: Viewer? {
      switch self {
      case .nobody: nil
      case .guest: Viewer(id: "g", standing: .guest)
      case .member: Viewer(id: "a", standing: .account(session: "s", role: .member))
      case .suspended: Viewer(id: "a", standing: .account(session: "s", role: .member), isSuspended: true)
      case .moderator: Viewer(id: "a", standing: .account(session: "s", role: .moderator))
      case .admin: Viewer(id: "a", standing: .account(session: "s", role: .admin))
      }
    }
  }

  private static let everybody = Set(Asker.allCases)
  private static let unlessSuspended = everybody.subtracting([.suspended])
  private static let accounts = everybody.subtracting([.nobody, .guest])

  /// The matrix: who may. A route or a method that is not in it fails the test, as does one that is there no
  /// more.
  private static let matrix: [String: Set<Asker>] = [
    "GET /api/v1/feed": everybody, "GET /api/v1/clips/{id}": everybody,
    "GET /api/v1/clips/{id}/comments": everybody, "POST /api/v1/clips/{id}/comments": unlessSuspended,
    "POST /api/v1/clips/{id}/reactions": unlessSuspended,
    "POST /api/v1/uploads": unlessSuspended, "GET /api/v1/uploads/{id}": everybody,
    "PATCH /api/v1/uploads/{id}": unlessSuspended, "DELETE /api/v1/uploads/{id}": unlessSuspended,
    "POST /api/v1/uploads/{id}/commit": unlessSuspended, "GET /api/v1/uploads/{id}/clip": everybody,
    "PUT /api/v1/uploads/{id}/clip": unlessSuspended, "DELETE /api/v1/uploads/{id}/clip": unlessSuspended,
    "GET /api/v1/uploads/{id}/captions": everybody,
    "PUT /api/v1/uploads/{id}/captions/{language}": unlessSuspended,
    "DELETE /api/v1/uploads/{id}/captions/{language}": unlessSuspended,
    "POST /api/v1/accounts": everybody, "GET /api/v1/sessions": accounts, "POST /api/v1/sessions": everybody,
    "POST /api/v1/sessions/refresh": everybody, "DELETE /api/v1/sessions/{id}": everybody,
    "DELETE /api/v1/sessions": accounts,
    "GET /api/v1/account/notices": accounts, "GET /api/v1/account": accounts,
    "PATCH /api/v1/account": accounts.subtracting([.suspended]),
    "POST /api/v1/account/deletion": accounts, "PUT /api/v1/account/password": accounts,
    "POST /api/v1/password-resets": everybody, "PUT /api/v1/password-resets/{token}": everybody,
    "PUT /api/v1/email-confirmations/{token}": everybody,
    "PUT /api/v1/clips/{id}/like": unlessSuspended, "DELETE /api/v1/clips/{id}/like": unlessSuspended,
    "PUT /api/v1/clips/{id}/bookmark": unlessSuspended, "DELETE /api/v1/clips/{id}/bookmark": unlessSuspended,
    "PUT /api/v1/authors/{id}/follow": unlessSuspended, "DELETE /api/v1/authors/{id}/follow": unlessSuspended,
    "PUT /api/v1/authors/{id}/block": unlessSuspended, "DELETE /api/v1/authors/{id}/block": unlessSuspended,
    "GET /api/v1/account/blocks": everybody,
    "GET /api/v1/conversations": everybody, "GET /api/v1/conversations/{id}/messages": everybody,
    "POST /api/v1/conversations/{id}/messages": unlessSuspended,
    "PUT /api/v1/conversations/{id}/read": everybody.subtracting([.nobody]),
    "GET /api/v1/unread-messages": everybody,
    "POST /api/v1/clips/{id}/shares": unlessSuspended, "POST /api/v1/events": everybody,
    "GET /api/v1/account/likes": everybody, "GET /api/v1/account/bookmarks": everybody,
    "GET /api/v1/account/clips": everybody,
    "GET /api/v1/account/following": everybody, "GET /openapi.json": everybody,
    "GET /api/v1/live": everybody.subtracting([.nobody]),
    "GET /media/{name}": everybody, "GET /sealed/{id}/{seal}/{name}": everybody, "GET /c/{id}": everybody,
    "GET /oembed": everybody, "GET /e/{id}": everybody, "GET /t/{tag}": everybody,
    "GET /api/v1/sign-in-providers": everybody, "POST /api/v1/sign-ins": everybody,
    "POST /api/v1/sign-ins/answer": everybody, "POST /api/v1/sign-ins/accounts": everybody,
    "POST /api/v1/account/sign-ins": accounts, "POST /api/v1/account/sign-ins/answer": accounts,
    "GET /api/v1/account/identities": accounts, "POST /api/v1/account/identities": accounts,
    "DELETE /api/v1/account/identities/{id}": accounts, "GET /sign-in/{provider}": everybody,
    "POST /sign-in/{provider}": everybody,
    "GET /api/v1/account/devices": everybody, "POST /api/v1/account/devices": unlessSuspended,
    "DELETE /api/v1/account/devices/{id}": everybody.subtracting([.nobody]),
    "GET /.well-known/apple-app-site-association": everybody,
    "GET /healthz": everybody, "GET /readyz": everybody,
  ]

  @Test func everyRouteIsForThoseInTheMatrixAndForNobodyElse() {
    var met: Set<String> = []
    for route in Route.all {
      for method in route.methods where !["HEAD", "OPTIONS"].contains(method) {
        let name = "\(method) \(route.template)"
        met.insert(name)
        let rule = Operation.Access.rule(for: route, Operation.of(route, method))
        guard let rule, let allowed = Self.matrix[name] else {
          Issue.record("nobody has said who may \(name)")
          continue
        }
        let admitted = Set(Asker.allCases.filter { (try? rule.admit($0.viewer)) != nil })
        #expect(admitted == allowed, "\(name)")
        // Looking without the body is looking.
        if method == "GET" {
          let ofHead = Operation.Access.rule(for: route, Operation.of(route, "HEAD"))
          #expect(ofHead == rule || !route.methods.contains("HEAD"), "HEAD \(route.template)")
        }
      }
    }
    #expect(met == Set(Self.matrix.keys))
  }

  @Test func theMatrixHoldsOnTheWire() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { [bench] socket async throws in
      var askers: [Asker: any Transport] = [.nobody: socket]
      let guests = GuestTokens(keys: try await bench.instance.keys(.guests).tokenKeys())
      askers[.guest] = Bearer(inner: socket, token: guests.make(at: SystemTime()).token)
      for asker in Self.accounts {
        let client = Client(transport: socket)
        let handle = "the_\(asker.rawValue)"
        let first = try await client.signUp(NewAccount(handle))
        if asker == .suspended { try await accounts.setSuspended(true, handle: handle) }
        if asker == .moderator { try await accounts.setRole(.moderator, handle: handle) }
        if asker == .admin { try await accounts.setRole(.admin, handle: handle) }
        // What was made in the millisecond of the change does not count.
        var session = first
        repeat {
          session = try await client.refresh(session.refreshToken)
        } while (try? await accounts.account(of: session)) == nil
        askers[asker] = Bearer(inner: socket, token: try #require(session.accessToken))
      }
      // A session is ended below; a stream of events that is let in does not end (LiveTests).
      let elsewhere = ["DELETE /api/v1/sessions/{id}", "DELETE /api/v1/sessions", "GET /api/v1/live"]
      for (name, allowed) in Self.matrix where !elsewhere.contains(name) {
        let words = name.split(separator: " ").map(String.init)
        for (asker, transport) in askers {
          // A body that nobody takes: who may not is refused before it is looked at.
          let target = words[1].replacing(/\{[a-z]+\}/, with: "none")
          let answer = try await transport.answer(words[0], target, words[0] == "GET" ? nil : "[]")
          let isRefused = ["sign_in_needed", "account_suspended", "not_allowed"].contains(answer.code)
          #expect(
            isRefused != allowed.contains(asker), "\(asker) \(name): \(answer.status) \(answer.code ?? "")")
          #expect(answer.status < 500 || answer.status == 503, "\(asker) \(name)")
        }
      }
    }
  }

  @Test func anotherAccountsSessionIsNotThere() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    try await bench.serving(accounts: accounts) { socket async throws in
      let client = Client(transport: socket)
      let owner = try await client.signUp(NewAccount("owner1"))
      let other = try await client.signUp(NewAccount("other"))
      let strangers: [any Transport] = [
        socket, Bearer(inner: socket, token: try #require(other.accessToken)),
      ]
      for (stranger, code) in zip(strangers, ["sign_in_needed", "session_not_found"]) {
        #expect(try await stranger.answer("DELETE", Route.session.path(owner.id)).code == code)
      }
      let own = Client(transport: Bearer(inner: socket, token: try #require(owner.accessToken)))
      #expect(try await own.sessions().items.map(\.id) == [owner.id])
      // Who is not known yet signs nobody out.
      #expect(try await socket.answer("DELETE", "/api/v1/sessions/current").status == 204)
      _ = try await own.account()
    }
  }
}

extension Accounts {
  fileprivate func account(of session: Session) async throws -> Viewer {
    try await Identities(guests: GuestTokens(secret: ""), accounts: self, time: SystemTime()).account(
      ofAccessToken: session.accessToken ?? "")
  }
}
