import Contract
import Foundation
import Platform
import Testing

@testable import Captions
@testable import PlatformTesting

/// Files of captions as people have them, and as nobody should.
@Suite struct CaptionReadingTests {
  private func read(_ text: String, durationMs: Int? = 60_000) throws -> [Cue] {
    try CaptionReader.read(Array(text.utf8), durationMs: durationMs)
  }

  /// "0.5-2 Hello|there" per cue.
  private func shown(_ text: String, durationMs: Int? = 60_000) throws -> [String] {
    try read(text, durationMs: durationMs).map { cue in
      let times = [cue.startMs, cue.endMs].map { String(format: "%g", Double($0) / 1000) }
      return "\(times[0])-\(times[1]) " + WebVTT.markup(cue.text).replacing("\n", with: "|")
    }
  }

  private func refusal(_ bytes: [UInt8]) -> AppError? {
    do {
      _ = try CaptionReader.read(bytes, durationMs: 60_000)
      return nil
    } catch { return error as? AppError }
  }

  @Test(arguments: [
    // SubRip as it should be, and without what people forget.
    (
      "1\n00:00:00,500 --> 00:00:02,000\nHello\nthere\n\n2\n00:00:02,000 --> 00:00:03,250\nYou\n",
      ["0.5-2 Hello|there", "2-3.25 You"]
    ),
    (
      "00:00:00,500 --> 00:00:02,000\r\nHello\r\n\r\n00:00:02,000 --> 00:00:03,000\r\nYou\r\n",
      ["0.5-2 Hello", "2-3 You"]
    ),
    ("1\r00:00:00,500 --> 00:00:02,000\rOld Mac\r", ["0.5-2 Old Mac"]),
    (
      "1\n00:00:00,500 --> 00:00:02,000\nNo blank\n2\n00:00:02,000 --> 00:00:03,000\nline\n",
      ["0.5-2 No blank", "2-3 line"]
    ),
    // A countdown without counters keeps its numbers.
    (
      "00:00:00,000 --> 00:00:01,000\n3\n\n00:00:01,000 --> 00:00:02,000\n2\n\n00:00:02,000 --> 00:00:03,000\n1\n",
      ["0-1 3", "1-2 2", "2-3 1"]
    ),
    (
      "1\n00:00:00,000 --> 00:00:01,000\nA blank\n\nline inside\n\n2\n00:00:01,000 --> 00:00:02,000\nNext\n",
      ["0-1 A blank|line inside", "1-2 Next"]
    ),
    (
      "1\n0:0:1 --> 00:00:02.5 X1:40 X2:600 Y1:20 Y2:50\n{\\an8}Up\\Nhere <font color=\"#fff\">white</font>\n",
      ["1-2.5 Up|here white"]
    ),
    ("1\n100:00:00,000 --> 100:00:01,000\nFar\n\n2\n00:00:01,000 --> 00:00:02,000\nNear\n", ["1-2 Near"]),
    (
      "2\n00:00:05,000 --> 00:00:06,000\nLater\n\n1\n00:00:01,000 --> 00:00:09,000\nEarlier\n",
      ["1-9 Earlier", "5-6 Later"]
    ),
    (
      "1\n-00:00:01,000 --> 00:00:02,000\nEarly\n\n2\n00:00:03,000 --> 00:00:02,000\nBackward\n\n3\n00:00:04,000 --> 00:00:04,000\nNever\n",
      ["0-2 Early"]
    ),
    (
      "1\n00:00:59,000 --> 00:02:00,000\nOver the end\n\n2\n00:01:00,000 --> 00:01:01,000\nBehind it\n\n3\n00:00:01,000 --> 00:00:02,000\n\n",
      ["59-60 Over the end"]
    ),
    // WebVTT, with all that it can hold.
    (
      "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\nNOTE a --> b\nc\n\nan id\n00:00.500 --> 00:02.000 line:0 align:start\n<v.loud Mary O&amp;M>Hi <c.red>you</c></v>\n\n00:00:02.000 --> 00:00:03.000\n<i>well</i> <00:02.500>so &lt;3 &nbsp;&#x41;\n",
      ["0.5-2 <v Mary O&amp;M>Hi you</v>", "2-3 <i>well</i> so &lt;3 \u{A0}A"]
    ),
    (
      "\u{FEFF}WEBVTT\n00:00.000 --> 00:01.000\nRight behind\n00:01.000 --> 00:02.000\nthe header\n",
      ["0-1 Right behind", "1-2 the header"]
    ),
    (
      "WEBVTT\t\n\n00:00.000-->00:01.000\n<ruby>漢<rt>kan</rt></ruby>字 <b><i>both</i></b>\n",
      ["0-1 漢字 <b><i>both</i></b>"]
    ),
  ])
  func cuesComeOutInOneForm(_ file: String, _ cues: [String]) throws {
    #expect(try shown(file) == cues)
  }

  @Test(arguments: [
    ("<script>alert(1)</script>x", "x"), ("<SCRIPT src=//a>y</SCRIPT >x", "x"),
    ("a<img src=x onerror=y>b", "ab"),
    ("<b>never closed", "<b>never closed</b>"), ("closed</b> only", "closed only"),
    ("I <3 you > me", "I &lt;3 you &gt; me"),
    ("1 < 2 && 3", "1 &lt; 2 &amp;&amp; 3"), ("a --\u{200B}> b", "a --&gt; b"),
    ("&lt;b&gt; &bogus; &#0; &#x110000;", "&lt;b&gt; &amp;bogus;"),
    ("\u{202E}evil\u{2066}\u{7}\u{0}", "evil"), ("\u{627}\u{200F}!", "\u{627}\u{200F}!"),
    ("  many\t  blanks  ", "many blanks"), ("e\u{301}", "\u{E9}"), ("<u><u>twice</u></u>", "<u>twice</u>"),
    ("<v >nobody</v>", "nobody"), ("<v A>one</v><v B>two", "<v A>one</v><v B>two</v>"),
    ("<v A-- >one</v><v - >two", "<v A>one</v>two"), ("\u{E000}\u{10FFFF}ok", "ok"),
    (
      "<v \(String(repeating: "&", count: 40))>one",
      "<v \(String(repeating: "&amp;", count: 40))>one</v>"
    ),
    ("<v \(String(repeating: "a", count: 39)) b>one", "<v \(String(repeating: "a", count: 39))>one</v>"),
    ("<unfinished", "&lt;unfinished"), ("<>empty</>", "empty"), ("👩‍🚀", "👩‍🚀"),
  ])
  func onlyHarmlessMarkupIsLeft(_ text: String, _ markup: String) throws {
    let cue = try read("WEBVTT\n\n00:00.000 --> 00:01.000\n\(text)\n")
    #expect(WebVTT.markup(cue[0].text) == markup)
  }

  /// The page's reader is held to the same file (web/tests/captions.test.mjs).
  @Test func aFileOfAPersonBecomesExactlyTheOneForm() throws {
    let fixtures = Repository.file("fixtures/captions")
    let given = try Data(contentsOf: fixtures.appendingPathComponent("people.srt"))
    let form = try String(contentsOf: fixtures.appendingPathComponent("one-form.vtt"), encoding: .utf8)
    #expect(WebVTT.write(try CaptionReader.read([UInt8](given), durationMs: nil)) == form)
  }

  @Test func utf16IsReadIfItSaysSo() throws {
    let text = "1\r\n00:00:00,500 --> 00:00:02,000\r\nGrüße 👋\r\n"
    let units = Array(text.utf16)
    let little: [UInt8] =
      [0xFF, 0xFE] + units.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] }
    let big: [UInt8] =
      [0xFE, 0xFF] + units.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 255)] }
    for bytes in [little, big] {
      #expect(try CaptionReader.read(bytes, durationMs: nil).map(\.text.plain) == ["Grüße 👋"])
    }
    #expect(refusal(Array(little.dropLast()))?.code == .captionsUnreadable)
    #expect(refusal([0xFF, 0xFE, 0x00, 0xD8])?.code == .captionsUnreadable)
  }

  @Test func whatCannotBeReadIsRefusedWithItsLine() {
    let start = Array("1\n00:00:00,500 --> 00:00:02,000\n".utf8)
    #expect(
      refusal(start + [0x47, 0xFC, 0x21])
        == AppError(
          .captionsUnreadable, "Line 3: this is not UTF-8 text; save the file as UTF-8 and send it again."))
    #expect(
      refusal(start + Array("a\n\n2\n00:00:0x,000 --> 1\nb".utf8))
        == AppError(
          .captionsUnreadable, "Line 6: “00:00:0x,000 --> 1” is no time from one instant to another."))
    let bad = [
      "00:00.000 -> 00:01.000", "{\\rtf1 nothing}", "<html>", "00:61:00,000 --> 00:62:00,000\nx",
      "00:00:01,000 --> \nx", "9999999999:00:00,000 --> 1:00\nx", "00:00:01,000 --> 00:00:02,000x\ny",
      "WEBVTTX\n\n", "00:00:01,0000000000 --> 00:00:02,000\ny",
    ]
    for text in bad { #expect(refusal(Array(text.utf8))?.code == .captionsUnreadable, "\(text)") }
    for text in [
      "", "WEBVTT", "WEBVTT\n\nNOTE nothing\n", "1\n00:00:01,000 --> 00:00:02,000\n<i> </i>\u{200B}\n",
    ] {
      #expect(refusal(Array(text.utf8))?.code == .captionsEmpty, "\(text)")
    }
  }

  @Test func noFileIsLargerThanItsLimits() throws {
    let cue = "00:00.000 --> 00:01.000\nx\n\n"
    let most = "WEBVTT\n\n" + String(repeating: cue, count: Limits.captionsCues)
    #expect(try read(most).count == Limits.captionsCues)
    #expect(refusal(Array((most + cue).utf8))?.code == .captionsUnreadable)
    let long = "WEBVTT\n\n00:00.000 --> 00:01.000\n" + String(repeating: "x", count: Limits.captionsCueLength)
    #expect(try read(long).count == 1)
    #expect(refusal(Array((long + "x").utf8))?.code == .captionsUnreadable)
    #expect(
      refusal([UInt8](repeating: 10, count: Limits.captionsBytes + 1))?.code == .captionsTooLarge)
    // The largest of everything that makes a reader slow takes no time to speak of.
    for piece in ["<", "&", "<b>", "{\\", "\n", "0", "-->", "<v ", "a\u{301}"] {
      let many = String(repeating: piece, count: 200_000 / piece.utf8.count)
      _ = refusal(Array("1\n00:00:00,000 --> 00:00:01,000\n\(many)".utf8))
    }
  }

  /// Files of pieces that mean something, and of any bytes: each is refused with a code of ours, or comes out
  /// as a file that is read as the same again, and in which nothing but text and four tags is left.
  @Test func whateverComesInGoesOutInTheOneForm() throws {
    var random = Random(state: 20_261_122)
    let pieces = [
      "WEBVTT", "\n", "\n\n", "\r\n", "\r", "NOTE", "STYLE", "1", "2", "\n\n00:00:01.000 --> 00:00:03,000\n",
      "\n00:01.000 --> 00:09.000 line:0\n", "00:02.500", "a --> b",
      "<i>", "</i>", "<b>", "</b>", "<u>", "<v Ann>", "</v>", "<v ", "<script>",
      "</script>", "<rt>", "&amp;", "&lt;", "&", "<", ">", "{\\an8}", "\\N", " ", "\t", "\u{FEFF}",
      "\u{202E}",
      "\u{0}", "é", "e\u{301}", "\u{301}", "漢字", "👩‍🚀", "\u{200F}", "\u{A0}", "\u{2028}", "text", "-", ":",
      "\u{85}",
    ]
    var cues = 0
    for round in 0..<4000 {
      let starts = ["WEBVTT\n\n00:00.000 --> 00:09.000\n", "1\n00:00:00,000 --> 00:00:04,000\n", ""]
      var bytes = Array(starts[round % 3].utf8)
      for _ in 0..<random.next(60) {
        if random.next(40) == 0 {
          bytes.append(UInt8(random.next(256)))
        } else {
          bytes += Array(pieces[random.next(pieces.count)].utf8)
        }
      }
      let found: [Cue]
      do {
        found = try CaptionReader.read(bytes, durationMs: round % 2 == 0 ? nil : 5000)
      } catch let error as AppError {
        #expect([.captionsUnreadable, .captionsEmpty].contains(error.code))
        continue
      }
      cues += found.count
      let file = WebVTT.write(found)
      #expect(try CaptionReader.read(Array(file.utf8), durationMs: nil) == found, "\(file.debugDescription)")
      for cue in found { try check(cue) }
    }
    #expect(cues > 1000)
  }

  private func check(_ cue: Cue) throws {
    #expect(cue.startMs >= 0 && cue.startMs < cue.endMs)
    let markup = WebVTT.markup(cue.text)
    #expect(!markup.contains("-->") && !markup.contains("\n\n"))
    // Letter by letter: a mark that combines would make another one of a bracket.
    var bare = String(String.UnicodeScalarView(markup.unicodeScalars.map { $0.isASCII ? $0 : "x" }))
    for tag in ["<i>", "</i>", "<b>", "</b>", "<u>", "</u>", "</v>"] { bare = bare.replacing(tag, with: "") }
    bare = bare.replacing(/<v [^<>\n]+>/, with: "")
    #expect(!bare.contains("<") && !bare.contains(">"), "\(markup)")
    let hidden = markup.unicodeScalars.filter {
      $0 != "\n" && ($0.properties.generalCategory == .control || ("\u{202A}"..."\u{202E}").contains($0))
    }
    #expect(hidden.isEmpty, "\(markup.debugDescription)")
  }

  private struct Random {
    var state: UInt64
    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  @Test func theNameOfCaptionsCannotLeaveItsPlaceInAPlaylist() {
    for text in HostileText.around("\"") {
      let label = Captions.cleaned(label: "a\(text),URI=x")
      #expect(!label.utf8.contains(UInt8(ascii: "\"")))
    }
  }

  @Test func marksHeapedOnALetterAreNoCue() throws {
    let file = "WEBVTT\n\n00:00.000 --> 00:01.000\n\(HostileText.marks)\n"
    #expect(throws: AppError(.captionsUnreadable, "Line 3: a cue has more than 16384 bytes.")) {
      try CaptionReader.read(Array(file.utf8), durationMs: 1000)
    }
    let blanks = "WEBVTT\n\n00:00.000 --> 00:01.000\n\(String(repeating: "\u{A0}", count: 5000))x\n"
    #expect(try CaptionReader.read(Array(blanks.utf8), durationMs: 1000)[0].text.runs.map(\.text) == ["x"])
  }
}
