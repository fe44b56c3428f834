import Accounts
import HTTPTypes
import Platform
import Testing

@testable import Composition
@testable import Gateway

@Suite struct CallerTests {
  private let identities = Identities(guests: GuestTokens(secret: "one"), time: SystemTime())

  private func sent(isSecure: Bool) -> SentCookies {
    SentCookies(lines: [], isSecure: isSecure, CookiePrefixes(sinceMs: 0, time: SystemTime()))
  }

  @Test func readingMakesNoGuestAndWritingMakesOne() async throws {
    let caller = Caller(viewer: nil, sent: sent(isSecure: true), identities: identities)
    #expect(caller.cookies.isEmpty)
    let viewer = caller.writer()
    #expect(caller.writer() == viewer)
    let cookie = try #require(caller.cookies[.setCookie])
    #expect(cookie.hasSuffix("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure"))
    let token = try #require(cookie.split(separator: ";").first?.split(separator: "=").last)
    #expect(try await identities.guest(ofToken: String(token)) == viewer)
  }

  @Test func whoIsKnownStaysWhoTheyAre() {
    let known = Viewer(id: "a", standing: .account(session: "s", role: .member))
    let caller = Caller(viewer: known, sent: sent(isSecure: false), identities: identities)
    #expect(caller.writer() == known)
    #expect(caller.cookies.isEmpty)
  }
}
