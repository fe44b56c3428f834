import Contract
import Foundation
import Logging
import Platform
import Synchronization
import Testing

@testable import Captions
@testable import Comments
@testable import Composition
@testable import Gateway
@testable import Measuring
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding
@testable import Videos

/// What a stranger wrote, in what others read.
@Suite struct HostileOutputTests {
  @Test(arguments: ["<", ">", "&", "\"", "'"] as [Unicode.Scalar])
  func whatMeansSomethingInAPageIsEscapedWhateverStandsBesideIt(_ scalar: Unicode.Scalar) {
    for text in HostileText.around(scalar) {
      let escaped = ClipPage.escaped(text)
      let bare = escaped.unicodeScalars.filter { $0 == scalar }.count
      #expect(bare == (scalar == "&" ? 1 : 0), "\(escaped.debugDescription)")
      #expect(escaped.utf8.contains(UInt8(ascii: ";")))
    }
  }

  @Test func aCaptionBecomesNoMarkupOnAnyPage() async throws {
    let bench = try await TestInstance()
    try Data("<head><title>Clipfeed</title></head>".utf8).write(
      to: bench.folder.appendingPathComponent("index.html"))
    let id = try await bench.publishBare(
      "0;url=https://evil.example/\u{D4E}\" http-equiv=refresh \u{D4E}>\u{D4E}<img src=x onerror=alert(1) \"\u{301} <\u{301}i> #tide"
    )
    let origin = "https://clips.example.org"
    try await bench.serving(origin: origin) { transport async throws in
      for path in [Route.clipPage.path(id), Route.embed.path(id), Route.tagPage.path("tide")] {
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

  @Test(arguments: [LogLines.Format.text, .json])
  func aLogLineIsOneLineAndTellsATerminalNothing(_ format: LogLines.Format) {
    let held = Mutex<[String]>([])
    let logger = Logger(label: "test") { label in
      LogLines(label, format: format, level: .info) { line in held.withLock { $0.append(line) } }
    }
    let controls = (0..<32).map { Unicode.Scalar(UInt8($0)) } + ["\u{7F}", "\u{85}", "\u{9B}", "\u{2028}"]
    for control in controls {
      for text in HostileText.around(control) + ["a\r\nb"] {
        logger.warning("\(text)", metadata: ["client": "\(text)"])
      }
    }
    for line in held.withLock({ $0 }) {
      #expect(!line.unicodeScalars.contains { controls.contains($0) }, "\(line.debugDescription)")
    }
  }

  @Test func theNameOfCaptionsCannotLeaveItsPlaceInAPlaylist() throws {
    for text in HostileText.around("\"") {
      let label = Captions.cleaned(label: "a\(text),URI=x")
      #expect(!label.utf8.contains(UInt8(ascii: "\"")))
    }
    #expect(throws: (any Error).self) {
      _ = try PlaylistRules.Attributes("NAME=\"a\u{D4E}\",URI=\"x\u{301}\",X=\"\"\u{301}")
    }
    let read = try PlaylistRules.Attributes("NAME=\"a\u{D4E}\",URI=\"b\"")
    #expect(try read.text("NAME") == "a\u{D4E}" && read.text("URI") == "b")
  }

  @Test func marksHeapedOnALetterAreNoCueNoCommentAndNoCaption() throws {
    let file = "WEBVTT\n\n00:00.000 --> 00:01.000\n\(HostileText.marks)\n"
    #expect(throws: AppError(.captionsUnreadable, "Line 3: a cue has more than 16384 bytes.")) {
      try CaptionReader.read(Array(file.utf8), durationMs: 1000)
    }
    let blanks = "WEBVTT\n\n00:00.000 --> 00:01.000\n\(String(repeating: "\u{A0}", count: 5000))x\n"
    #expect(try CaptionReader.read(Array(blanks.utf8), durationMs: 1000)[0].text.runs.map(\.text) == ["x"])
    #expect(throws: AppError(.commentTooLong, field: "text")) { try commentText.checked(HostileText.marks) }
  }
}
