import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// What a stranger wrote, in what others read.
@Suite struct HostileOutputTests {
  @Test func aCaptionBecomesNoMarkupOnAnyPage() async throws {
    let bench = try await TestInstance()
    try Data("<head><title>Clipfeed</title></head>".utf8).write(
      to: bench.folder.appendingPathComponent("index.html"))
    let id = try await bench.publishBare(
      "0;url=https://evil.example/\u{D4E}\" http-equiv=refresh \u{D4E}>\u{D4E}<img src=x onerror=alert(1) \"\u{301} <\u{301}i> #tide"
    )
    try await bench.setSound("tide", of: [id])
    let origin = "https://clips.example.org"
    try await bench.serving(origin: origin) { transport async throws in
      for path in [
        Route.clipPage.path(id), Route.embed.path(id), Route.tagPage.path("tide"),
        Route.soundPage.path("tide"),
      ] {
        let page = try await transport.send(WireRequest("GET", path))
        #expect(page.status == 200)
        let bytes = String(decoding: page.body, as: UTF8.self).unicodeScalars
        for text in [
          "<img src=x", "< i", "\" http-equiv", "\u{D4E}\"", "\u{D4E}<", "\u{D4E}>", "\"\u{301}", "<\u{301}",
        ] {
          #expect(bytes.firstRange(of: text.unicodeScalars) == nil, "\(text.debugDescription) in \(path)")
        }
      }
      let url = Route.encoded(origin + Route.clipPage.path(id))
      let told = try await transport.send(WireRequest("GET", Route.oembed.path() + "?url=\(url)"))
      let html = try WireCoding.decode(Embed.self, from: told.body).html
      #expect(html.unicodeScalars.filter { $0 == "<" }.count == 2, "\(html)")
      #expect(html.unicodeScalars.filter { $0 == "\"" }.count == 12, "\(html)")
    }
  }
}
