import Testing

@testable import Gateway

/// Which texts name a host or an origin.
@Suite struct OriginTests {
  @Test(arguments: [
    ("clips.example.org", true), ("clips.example.org:8080", true), ("127.0.0.1:1", true),
    ("[::1]:8080", true),
    ("[2001:db8::1]", true), ("localhost", true), ("", false), ("a b", false), ("a\"b", false),
    ("a/b", false),
    ("a@b", false), ("a:b", false), ("a:", false), (":80", false), ("a:0", false), ("a:99999", false),
    ("[]", false), ("[x]", false), ("a<b", false), ("::1", false),
    (String(repeating: "a", count: 300), false),
  ])
  func aHostIsANameOrAnAddress(_ host: String, _ isOne: Bool) {
    #expect(SiteOrigin.isHost(host) == isOne)
  }

  @Test(
    arguments: [
      ("https://app.example", true), ("http://localhost:3000", true), ("http://[::1]:8080", true),
      ("https://app.example:8443", true), ("https://app.example/", false), ("https://app.example:443", false),
      ("http://app.example:80", false), ("https://APP.example", false), ("*", false), ("null", false),
      ("https://*.example", false), ("app.example", false), ("ftp://app.example", false),
      ("https://user@app.example", false), ("https://app.example?x", false), ("https://app.example:0", false),
    ])
  func anOriginIsWhatBrowsersSay(_ text: String, _ isOne: Bool) {
    #expect(AllowedOrigin.isOne(text) == isOne)
  }
}
