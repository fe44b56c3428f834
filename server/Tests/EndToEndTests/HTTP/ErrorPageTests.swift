import Contract
import Foundation
import Testing

@testable import Composition
@testable import ServerTesting

/// What stands at an address that leads nowhere: a page for people, problem details for programs.
@Suite struct ErrorPageTests {
  private static let browser = [
    "accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
  ]

  @Test func aPersonGetsAPageAndAProgramAProblem() async throws {
    let bench = try await TestInstance()
    try await bench.serving { socket async throws in
      for target in ["/@nobody", "/search", "/%00", Route.media.path("x.mp4")] {
        let page = try await socket.send(WireRequest("GET", target, headers: Self.browser))
        let problem = try await socket.send(WireRequest("GET", target, headers: ["accept": "*/*"]))
        #expect(page.status == problem.status && page.status >= 400, "\(target)")
        #expect(page.headers["content-type"] == "text/html; charset=utf-8", "\(target)")
        #expect(page.headers["vary"]?.contains("Accept") == true)
        #expect(page.headers["content-security-policy"]?.contains("style-src 'self'") == true)
        let text = String(decoding: page.body, as: UTF8.self)
        #expect(text.contains(#"<a href="/">"#) && text.contains(page.headers["x-request-id"] ?? "?"))
        #expect(problem.headers["content-type"] == Problem.contentType, "\(target)")
      }
      // The API speaks as ever, whoever asks, and so does whatever is no question.
      for (method, target) in [
        ("GET", Route.clip.path("none")), ("GET", "/api/v1/none"), ("POST", "/@nobody"),
      ] {
        let answer = try await socket.send(WireRequest(method, target, headers: Self.browser))
        #expect(answer.headers["content-type"] == Problem.contentType, "\(method) \(target)")
      }
    }
  }

  @Test func aPageSaysNothingOfWhatWasAskedFor() async throws {
    let bench = try await TestInstance()
    try await bench.serving { socket async throws in
      let page = try await socket.send(
        WireRequest("GET", "/%3Cscript%3Ealert(1)%3C/script%3E", headers: Self.browser))
      #expect(page.status == 404 && !String(decoding: page.body, as: UTF8.self).contains("script"))
    }
  }
}
