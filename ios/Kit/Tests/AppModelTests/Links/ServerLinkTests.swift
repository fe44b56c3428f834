import AppModel
import Foundation
import Testing

@Suite struct ServerLinkTests {
  private let server = URL(string: "https://clips.example.org/")!

  private func link(_ text: String) throws(ClipLink.Refusal) -> ServerLink {
    guard let url = URL(string: text) else { throw .unknown }
    return try ServerLink(url, server: server)
  }

  @Test func aClipIsAClipWhateverStandsBehindIt() throws {
    for text in ["https://clips.example.org/c/abc#reset=x", "clipfeed://c/abc"] {
      guard case .clip(let clip) = try link(text) else { return #expect(Bool(false), "\(text)") }
      #expect(clip.clip == "abc")
    }
  }

  @Test(arguments: [
    "https://clips.example.org/", "https://clips.example.org", "https://CLIPS.example.org:443/",
  ])
  func messagesOfTheServerHaveATokenBehindTheHash(root: String) throws {
    #expect(try link("\(root)#reset=abc-_=1") == .reset(token: "abc-_=1"))
    #expect(try link("\(root)?from=mail#confirm=abc") == .confirm(token: "abc"))
  }

  @Test(arguments: [
    "https://clips.example.org/#reset=", "https://clips.example.org/#reset", "https://clips.example.org/",
    "https://clips.example.org/#elsewhere=x", "https://clips.example.org/e/x#reset=abc",
    "https://clips.example.org//#reset=abc", "https://clips.example.org/reset=abc", "clipfeed:///#reset=abc",
    "clipfeed://#confirm=abc", "file:///#reset=abc", "https://clips.example.org/t/",
    "https://clips.example.org/t/a/b", "https://clips.example.org/t/%FF",
    "https://clips.example.org/t/" + String(repeating: "x", count: 51),
    "https://clips.example.org/#confirm=" + String(repeating: "x", count: 5000),
  ])
  func whatNamesNothingOpensNothing(text: String) {
    #expect(throws: ClipLink.Refusal.unknown) { try link(text) }
  }

  @Test(arguments: ["https://evil.example.org/#reset=abc", "https://clips.example.org@evil.org/#confirm=abc"])
  func aTokenOfAnotherServerIsNotTaken(text: String) {
    #expect(throws: ClipLink.Refusal.otherServer) { try link(text) }
  }

  @Test func aTagIsTakenOutOfItsPage() throws {
    #expect(try link("https://clips.example.org/t/f%C3%BCchse") == .tag("füchse"))
    #expect(throws: ClipLink.Refusal.unknown) { try link("clipfeed://t/pier") }
  }
}
