import Contract
import Foundation
import Platform
import Testing

@testable import Accounts
@testable import MailProgram
@testable import PlatformTesting

/// What stands in a message, whatever a client calls itself.
@Suite struct NoticeTextTests {
  private static let hostile =
    [
      "x\r\nBcc: eve@evil.example\r\n\r\nYour account is locked", "\u{0}\u{1B}[31mFirefox\u{7F}",
      "\u{202E}txet",
      "Call +1 900 555 now: https://evil.example", String(repeating: "A", count: 100_000), HostileText.marks,
    ] + ["<", "\n", "\"", "/"].flatMap { HostileText.around($0) }

  @Test(arguments: [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
    (
      "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36",
      "Chrome on Android"
    ),
    ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605 Version/17 Safari/605", "Safari on Mac"),
    ("Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
    ("Clipfeed/3 (iPhone)", "iPhone"), ("curl/8.5", nil), ("", nil),
  ])
  func aDeviceIsToldInFewWords(_ client: String, _ name: String?) { #expect(DeviceName.of(client) == name) }

  @Test func aDeviceIsToldInOurWordsAlone() {
    for text in Self.hostile {
      #expect([nil, "Firefox"].contains(DeviceName.of(text)))
      #expect(
        DeviceName.of("Mozilla (iPad) \(BoundedText.cut(text, toBytes: 100)) Safari/1")?.hasSuffix("iPad")
          == true)
      // A letter beside a word does not hide it, as it does from a search by characters.
      #expect(DeviceName.of("\(BoundedText.cut(text, toBytes: 100))Firefox/\u{301}") == "Firefox")
    }
  }

  @Test func noMessageHasAHeaderOrALineThatAStrangerWrote() throws {
    let program = try MailProgram(command: ["/bin/cat"], from: "clips@example.org")
    for kind in AccountNotice.Kind.allCases {
      let plain = NoticeMail.made(
        .init(kind: kind), atMs: 0, handle: "mara", address: "m@b.example", origin: "https://clips.example")
      #expect(plain.subject.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && plain.subject.contains("@mara"))
      // What moderators decide was done on no device of the owner's.
      let isDecision = [.decided, .decisionReviewed].contains(kind)
      let place = isDecision ? "decisions" : kind == .exportReady ? "data" : "security"
      #expect(plain.text.contains("https://clips.example/#account/\(place)"))
      #expect(plain.text.contains("When: 1970-01-01 00:00:00Z\n"))
      #expect(plain.text.contains("Device: none that we know\n") == (place == "security"))
      let headers = program.message(plain).components(separatedBy: "\n\n")[0]
      for text in Self.hostile {
        let mail = NoticeMail.made(
          .init(kind: kind, device: DeviceName.of(text), provider: text), atMs: 0, handle: "mara",
          address: "m@b.example", origin: "https://clips.example")
        let message = program.message(mail)
        #expect(
          message.utf8.filter { $0 == 0x0A }.count == program.message(plain).utf8.filter { $0 == 0x0A }.count)
        #expect(mail.subject == plain.subject)
        #expect(!message.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F })
        #expect(!mail.text.contains("\u{202E}"))
        let theirs = message.components(separatedBy: "\n\n")[0]
        #expect(theirs.split(separator: "\n").count == headers.split(separator: "\n").count)
        #expect(!theirs.contains("evil"))
        #expect(mail.text.utf8.split(separator: 0x0A).allSatisfy { $0.count < 998 }, "RFC 5322, 2.1.1")
      }
    }
  }
}
