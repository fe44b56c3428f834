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
@testable import Transcoding
@testable import Videos

/// Letters that make one `Character` of themselves and the one that means something: U+0D4E takes the next
/// for its own, U+0301 is part of the one before.
enum HostileText {
  static func around(_ scalar: Unicode.Scalar) -> [String] { ["\u{D4E}\(scalar)", "\(scalar)\u{301}"] }

  /// Sorting these into their normal order takes time quadratic in how many there are.
  static let marks =
    "a" + String(repeating: "\u{301}", count: 30_000) + String(repeating: "\u{316}", count: 30_000)
}

@Suite struct BoundedTextTests {
  @Test func textIsCutAtWholeScalars() {
    #expect(BoundedText.cut("naïve", toBytes: 3) == "na")
    #expect(BoundedText.cut("naïve", toBytes: 4) == "naï")
    #expect(BoundedText.cut("👩‍👩‍👧", toBytes: 5) == "👩")
    #expect(BoundedText.cut("👩‍👩‍👧", toBytes: 0) == "")
    #expect(BoundedText.cut("e\u{301}x", toScalars: 1) == "e")
    #expect(BoundedText.cut("abc", toCharacters: 2, scalars: 9) == "ab")
    let cut = BoundedText.cut(HostileText.marks, toCharacters: 300, scalars: 1500)
    #expect(cut.unicodeScalars.count == 1500)
  }

  @Test func marksBeyondThoseThatAnyTextHasAreLeftOut() {
    #expect(BoundedText.normalized(HostileText.marks).unicodeScalars.count <= 31)
    #expect(BoundedText.normalized("e\u{301}") == "\u{E9}")
    #expect(BoundedText.normalized("Viê\u{323}t 日本 👩‍👩‍👧") == "Việt 日本 👩‍👩‍👧")
  }

  @Test func marksThatStoodBesideSomethingInvisibleAreInARowAfterwards() {
    let tower = "a" + String(repeating: String(repeating: "\u{301}", count: 30) + "\u{200B}", count: 20)
    #expect(PlainText.line(tower).unicodeScalars.count <= 31)
    let line = PlainText.line("a\u{200B}\u{301}\u{200B}\u{323}")
    #expect(line.hasSameBytes(as: "\u{1EA1}\u{301}"), "it is NFC")
    #expect(PlainText.line(line).hasSameBytes(as: line))
  }

  @Test func aLineThatWasCutHasNoBlankAtItsEnd() {
    #expect(PlainText.line("ab cd", toCharacters: 3, scalars: 9) == "ab")
    #expect(PlainText.line("ab  cd", toCharacters: 9, scalars: 4) == "ab c")
  }

  @Test func tagsAreWordsWhateverStandsBesideTheirLetters() {
    #expect(Tags.named(in: "at the #Pier, #d\u{D4E}#\u{301}x #日本") == ["Pier", "d\u{D4E}", "\u{301}x", "日本"])
    #expect(
      Tags.clean(["Pi!er", "a!\u{301}", "\u{301}x\u{200D}", "می\u{200C}خواهم", "!", "pier"]) == [
        "pier", "\u{E1}", "x", "می\u{200C}خواهم",
      ])
  }

  @Test func linesAreOneLineWhateverStandsBesideTheirBlanks() {
    #expect(PlainText.line(" a \u{301} b\r\n c ").unicodeScalars.filter { $0 == "\r" || $0 == "\n" }.isEmpty)
    #expect(PlainText.lines("a\r\nb\r\rc\n\n\nd\n\u{301}") == "a\nb\n\nc\n\nd\n\u{301}")
  }

  @Test func partsAreThoseThatTheBytesHave() {
    let comma = UInt8(ascii: ",")
    #expect("a\u{D4E},b,\u{301}c,,".split(atByte: comma) == ["a\u{D4E}", "b", "\u{301}c"])
    #expect("a,,b".split(atByte: comma, maxSplits: 1, omittingEmpty: false) == ["a", ",b"])
    #expect("name=\u{301}x".rest(behind: "name=").map(String.init) == "\u{301}x")
    #expect(" \tx\u{301} ".withoutBlanks == "x\u{301}")
  }
}

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
