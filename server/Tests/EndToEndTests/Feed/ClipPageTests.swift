import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import ServerTesting

/// The page at a clip's own address, as those see it who run no code.
@Suite(.everyEngine) struct ClipPageTests {
  private static let html =
    "<!doctype html><head><title>Clipfeed</title><link rel=\"x\"></head><body>\(String(repeating: "<p>", count: 800))"

  private func page(
    _ caption: String, proxies: Int = 0, origin: String? = nil, secure: Bool = false
  ) async throws -> WireResponse {
    let bench = try await TestInstance()
    try Data(Self.html.utf8).write(to: bench.folder.appendingPathComponent("index.html"))
    let id = try await bench.publishBare(caption)
    return try await bench.serving(proxies: proxies, origin: origin) { transport async throws in
      let headers = secure ? ["x-forwarded-proto": "https"] : [:]
      return try await transport.send(WireRequest("GET", Route.clipPage.path(id), headers: headers))
    }
  }

  @Test func aClipIsShownByItsTitlePictureAndAddress() async throws {
    let page = try await page("Tide", origin: "https://clips.example.org")
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(page.status == 200)
    #expect(page.headers["content-security-policy"]?.contains("script-src 'self'") == true)
    for part in [
      "<title>Tide · Clipfeed</title>", #"property="og:title" content="Tide""#,
      #"property="og:description" content="Me (@me) on Clipfeed""#,
      #"property="og:image" content="https://clips.example.org/media/x.jpg""#,
      #"property="og:url" content="https://clips.example.org/c/"#, #"name="twitter:card""#,
      #"<link rel="x">"#,
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("noindex"))
  }

  @Test func aLongCaptionIsShortAsATitleAndWholeAsWhatThePictureShows() async throws {
    let caption = String(repeating: "The tide comes in. ", count: 12) + "End"
    let text = String(
      decoding: try await page(caption, origin: "https://clips.example.org").body, as: UTF8.self)
    let short = caption.prefix(69) + "…"
    #expect(text.contains("<title>\(short) · Clipfeed</title>"))
    #expect(text.contains(#"property="og:title" content="\#(short)""#))
    #expect(text.contains(#"name="twitter:title" content="\#(short)""#))
    #expect(text.contains(#"property="og:image:alt" content="\#(caption)""#))
  }

  @Test func aCaptionCannotLeaveItsPlace() async throws {
    let text = String(
      decoding: try await page(#"</title><script>alert(1)</script>" onload='x' &amp;"#).body, as: UTF8.self)
    #expect(!text.contains("<script") && !text.contains("\" onload"))
    #expect(
      text.contains("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39; &amp;amp;"))
    #expect(text.firstRange(of: "</title>") != nil && text.matches(of: /<\/title>/).count == 1)
  }

  @Test func anUnknownClipIsAPageAllTheSame() async throws {
    let bench = try await TestInstance()
    try Data(Self.html.utf8).write(to: bench.folder.appendingPathComponent("index.html"))
    try await bench.serving { transport async throws in
      for id in ["none", "%3Cscript%3E", String(repeating: "x", count: 3000)] {
        let page = try await transport.send(WireRequest("GET", "/c/\(id)"))
        #expect(page.status == 404)
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains("noindex") && !text.contains("og:") && !text.contains("<script"))
      }
      let packed = try await transport.send(
        WireRequest("GET", "/c/none", headers: ["accept-encoding": "gzip"]))
      #expect(packed.headers["content-encoding"] == "gzip" && packed.body.count < Self.html.utf8.count / 2)
      #expect(try await transport.send(WireRequest("POST", "/c/none")).status == 405)
    }
  }

  @Test func withoutAWebClientThereIsNoPage() async throws {
    let bench = try await TestInstance()
    try await bench.serving { transport async throws in
      #expect(try await transport.send(WireRequest("GET", "/c/none")).status == 404)
    }
  }

  @Test func onlyAProxyOfOnesOwnSaysThatAnAddressIsSecure() async throws {
    let alone = try await page("Tide", secure: true)
    #expect(String(decoding: alone.body, as: UTF8.self).contains("content=\"http://127.0.0.1/media/x.jpg\""))
    let behind = try await page("Tide", proxies: 1, secure: true)
    #expect(
      String(decoding: behind.body, as: UTF8.self).contains("content=\"https://127.0.0.1/media/x.jpg\""))
  }
}
