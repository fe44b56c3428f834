import Foundation
import Logging
import Synchronization
import Testing

@testable import Measuring
@testable import Platform
@testable import PlatformTesting

@Suite struct LogTests {
  private func lines(_ format: LogLines.Format, _ say: (Logger) -> Void) -> [String] {
    let held = Mutex<[String]>([])
    say(
      Logger(label: "test") { label in
        LogLines(label, format: format, level: .info) { line in held.withLock { $0.append(line) } }
      })
    return held.withLock { $0 }
  }

  @Test func aLineOfJSONIsOneObjectWhateverIsSaid() throws {
    let wild = "a \"quote\" \\ a\nline\r\t\u{1}\u{2028}👩‍👩‍👧"
    let lines = lines(.json) { $0.warning("\(wild)", metadata: ["request": "abc-1", "time": "\(wild)"]) }
    #expect(lines.count == 1 && !lines[0].contains("\n"))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: String])
    #expect(object["message"] == wild)
    #expect(object["time_"] == wild)
    #expect(object["level"] == "warning")
    #expect(object["request"] == "abc-1")
    #expect(lines.allSatisfy { $0.contains(#""label":"test""#) })
  }

  @Test func aLineOfTextIsOneLine() {
    #expect(!lines(.text) { $0.warning("a\nb", metadata: ["x": "c\nd"]) }[0].contains("\n"))
  }

  @Test(arguments: [
    ("GET /api/v1/feed?cursor=s3cret", "GET /api/v1/feed?…"),
    ("at redis://me:s3cret@host:1/0", "at redis://…@host:1/0"),
    ("/sealed/clip/123-s3cret/x.mp4", "/sealed/…/x.mp4"),
    ("/api/v1/uploads/s3cret/commit", "/api/v1/uploads/…/commit"),
    ("/api/v1/password-resets/s3cret", "/api/v1/password-resets/…"),
    ("Authorization: Bearer s3cret", "Authorization: Bearer …"),
    ("g1.01890a5d-ac96-774b-bcce-b302099a8057.5ec3e7", "…"), ("eyJhbGciOi.eyJzdWIiOi.s3cret-s3cret", "…"),
    (#"{"password":"s3cret","a":1}"#, #"{"password":"…","a":1}"#), ("password=s3cret&x=1", "password=…&x=1"),
    ("Cookie: clipfeed_guest=s3cret; a=b", "Cookie: …"),
    ("https://bucket/x.mp4?X-Amz-Signature=s3cret", "https://bucket/x.mp4?…"),
    ("is it here? yes", "is it here? yes"),
    ("the clip 01890a5d is 12.5 MB", "the clip 01890a5d is 12.5 MB"),
  ])
  func secretsAreCut(_ said: String, _ written: String) {
    let line = lines(.json) { $0.info("said", metadata: ["x": "\(said)"]) }[0]
    #expect(Redaction.clean(said) == written)
    #expect(!line.contains("s3cret") && !line.contains("5ec3e7"))
  }

  private static let id = "01890a5d-ac96-774b-bcce-b302099a8057"
  private static let secret = String(repeating: "s3cret-", count: 6) + "_"
  private static let tokens: [(said: String, written: String)] = [
    ("a g2.\(id).5ec3e7, yes", "a …, yes"),
    ("clipfeed_guest%3Dg2.\(id).5ec3e7", "clipfeed_guest%3D…"),
    ("d1.\(id).\(id).5ec3e7 d2.\(id).\(id).5ec3e7~d2.\(id).\(id).5ec3e7", "… …~…"),
    ("r1.\(id).\(id).0.\(secret).5ec3e7", "…"),
    ("r2.\(id).\(id).7.\(secret).5ec3e7", "…"),
    ("s1.google...1735689600000.\(secret).\(secret)", "…"),
    ("s1.my-provider.connect.\(id).1735689600000.\(secret).\(secret)", "…"),
    ("k1.signIn..1735689600000.\(secret).\(secret)", "…"),
    ("k1.make.\(id).1735689600000.\(secret).\(secret)", "…"),
    (#"{"challenge":"\#(id).\#(secret)"}"#, #"{"challenge":"…"}"#),
    ("cf_\(secret)", "…"),
    ("whsec_\(secret)=", "…"),
    ("\(id).mp4 of d1.example.com, s1.2 and cf_words", "\(id).mp4 of d1.example.com, s1.2 and cf_words"),
  ]

  /// Of guests, devices, sessions, sign-ins, links and programs, wherever they stand.
  @Test func tokensAreCut() {
    for (said, written) in Self.tokens { #expect(Redaction.clean(said) == written) }
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
}
