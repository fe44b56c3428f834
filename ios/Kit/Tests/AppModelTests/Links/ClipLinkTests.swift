import AppModel
import Foundation
import Testing

@Suite struct ClipLinkTests {
  private let server = URL(string: "https://clips.example.org/")!

  private func link(_ text: String) throws(ClipLink.Refusal) -> ClipLink {
    guard let url = URL(string: text) else { throw .unknown }
    return try ClipLink(url, server: server)
  }

  @Test(arguments: [
    "https://clips.example.org/c/abc-1_D", "https://CLIPS.example.org/c/abc-1_D/",
    "https://clips.example.org:443/c/abc-1_D?from=mail#top", "clipfeed://c/abc-1_D", "CLIPFEED://C/abc-1_D",
    "clipfeed:///c/abc-1_D",
  ])
  func opensAClip(text: String) throws {
    let link = try link(text)
    #expect(link.clip == "abc-1_D")
    #expect(link.upload == nil)
  }

  @Test func aPrivateClipHasItsUploadBehindTheHash() throws {
    let secret = String(repeating: "0a", count: 16)
    #expect(try link("https://clips.example.org/c/abc#\(secret)").upload == secret)
    #expect(try link("https://clips.example.org/c/abc#\(secret)0").upload == nil)
    #expect(try link("https://clips.example.org/c/abc#../../\(secret)").upload == nil)
  }

  @Test func aCommentIsNamedBehindTheClip() throws {
    #expect(try link("https://clips.example.org/c/abc?from=mail&comment=c-1_D#x").comment == "c-1_D")
    #expect(try link("clipfeed://c/abc?comment=c1").comment == "c1")
    for wrong in ["", "=", "=a%2Fb", "=..", "=" + String(repeating: "a", count: 65)] {
      let link = try link("https://clips.example.org/c/abc?comment\(wrong)")
      #expect(link.clip == "abc" && link.comment == nil, "\(wrong)")
    }
  }

  @Test(arguments: [
    "https://evil.example.org/c/abc", "https://clips.example.org.evil.org/c/abc",
    "https://clips.example.org@evil.org/c/abc", "https://clips.example.org:8443/c/abc",
    "http://clips.example.org/c/abc", "https:///c/abc",
  ])
  func anotherServersClipIsNotOpened(text: String) {
    #expect(throws: ClipLink.Refusal.otherServer) { try link(text) }
  }

  @Test(arguments: [
    "https://clips.example.org/", "https://clips.example.org/c/", "https://clips.example.org/c",
    "https://clips.example.org/c/a/b", "https://clips.example.org/e/abc", "https://clips.example.org/c/..",
    "https://clips.example.org/c/a%2F..%2Faccount", "https://clips.example.org/c/%00", "clipfeed://c",
    "https://clips.example.org//c/abc", "clipfeed://account/abc", "clipfeed:c/abc", "file:///c/abc",
    "https://clips.example.org/c/ab%C3%A9", "javascript:alert(1)", "mailto:a@b.c",
    "https://clips.example.org/c/" + String(repeating: "a", count: 65),
  ])
  func whatIsNoClipIsNotOpened(text: String) {
    #expect(throws: ClipLink.Refusal.unknown) { try link(text) }
  }

  @Test func aServerOnAPortOfItsOwnHasLinksThere() throws {
    let local = URL(string: "http://192.168.1.4:8080/")!
    #expect(try ClipLink(URL(string: "http://192.168.1.4:8080/c/abc")!, server: local).clip == "abc")
    #expect(throws: ClipLink.Refusal.otherServer) {
      try ClipLink(URL(string: "http://192.168.1.4/c/abc")!, server: local)
    }
  }
}
