import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import ServerTesting

/// What browsers are told to hold our answers to, of every route there is.
@Suite struct SecurityHeaderTests {
  private static let data = "default-src 'none'; frame-ancestors 'none'"

  /// A page in the folder of the web client, and what pages load.
  private func web(in bench: TestInstance) throws -> String {
    let folder = bench.folder.appendingPathComponent("web/styles/embed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let web = bench.folder.appendingPathComponent("web")
    for (name, text) in [
      ("index.html", "<title>x</title>"), ("main.js", "1"), ("styles/embed/embed.css", "a{}"),
    ] {
      try text.write(to: web.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    return web.path
  }

  @Test(arguments: [nil, "https://clips.example"]) func everyRouteSaysWhatItsAnswersAreFor(_ origin: String?)
    async throws
  {
    let bench = try await TestInstance()
    let clip = try await bench.publishBare("Tide")
    let blob = try await bench.instance.media.put(Data("x".utf8), ext: "mp4", in: bench.folder)
    try await bench.instance.put(blob, into: clip)
    try await bench.serving(web: try web(in: bench), origin: origin) { socket async throws in
      for route in Route.all {
        for method in route.methods + ["TRACE"] {
          let value = route == .media ? "\(blob)" : clip
          let answer = try await socket.send(WireRequest(method, route.path(value, value, "\(blob)")))
          hold(answer, route, origin != nil, "\(method) \(route.template)")
        }
      }
    }
  }

  private func hold(_ answer: WireResponse, _ route: Route, _ isSecure: Bool, _ what: String) {
    let headers = answer.headers
    #expect(headers["x-content-type-options"] == "nosniff", "\(what)")
    #expect(headers["strict-transport-security"] == (isSecure ? "max-age=31536000" : nil), "\(what)")
    #expect(headers["referrer-policy"] != nil, "\(what)")
    let isPage = headers["content-type"]?.hasPrefix("text/html") == true
    switch route {
    case .media, .sealedMedia:
      #expect(headers["cross-origin-resource-policy"] == "cross-origin", "\(what)")
      #expect(headers["content-security-policy"]?.hasPrefix("default-src 'none'; ") == true, "\(what)")
    case .oembed, .openAPI:
      #expect(headers["cross-origin-resource-policy"] == "cross-origin", "\(what)")
      #expect(headers["content-security-policy"] == Self.data, "\(what)")
    case .embed where isPage:
      // Other sites put it into a frame, which is what it is for.
      #expect(headers["cross-origin-resource-policy"] == "cross-origin")
      #expect(headers["content-security-policy"]?.contains("frame-ancestors") == false)
      #expect(headers["permissions-policy"]?.contains("camera=()") == true)
      #expect(headers["permissions-policy"]?.contains("fullscreen=(self)") == true)
    case _ where isPage: holdPage(headers, what)
    default:
      #expect(headers["cross-origin-resource-policy"] == "same-origin", "\(what)")
      #expect(headers["content-security-policy"] == Self.data, "\(what)")
    }
  }

  private func holdPage(_ headers: [String: String], _ what: String) {
    #expect(headers["cross-origin-opener-policy"] == "same-origin", "\(what)")
    #expect(headers["cross-origin-resource-policy"] == "same-origin", "\(what)")
    let policy = headers["content-security-policy"] ?? ""
    for part in ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"] {
      #expect(policy.contains(part), "\(what)")
    }
    let powers = headers["permissions-policy"] ?? ""
    for part in ["camera=(self)", "microphone=(self)", "geolocation=()", "payment=()", "usb=()"] {
      #expect(powers.contains(part), "\(what)")
    }
  }

  @Test func thePageAndItsFilesSayItToo() async throws {
    let bench = try await TestInstance()
    try await bench.serving(web: try web(in: bench)) { socket async throws in
      let page = try await socket.send(WireRequest("GET", "/"))
      holdPage(page.headers, "/")
      let tag = try #require(page.headers["etag"])
      let kept = try await socket.send(WireRequest("GET", "/", headers: ["if-none-match": tag]))
      #expect(kept.status == 304)
      holdPage(kept.headers, "/ again")
      let file = try await socket.send(WireRequest("GET", "/main.js")).headers
      #expect(file["x-content-type-options"] == "nosniff")
      #expect(file["cross-origin-resource-policy"] == "same-origin")
      // In a frame without an origin our own style is another site's.
      let style = try await socket.send(WireRequest("GET", "/styles/embed/embed.css")).headers
      #expect(style["cross-origin-resource-policy"] == "cross-origin")
      let missing = try await socket.send(WireRequest("GET", "/nothing.js")).headers
      #expect(missing["content-security-policy"] == Self.data)
    }
  }
}
