import Contract
import Foundation
import Platform
import Testing

@testable import Exports
@testable import PlatformTesting

/// What is taken of an archive, in which order, and what is said of the rest.
@Suite struct ArchiveImportTests {
  /// Writes down what it is asked for, and refuses what a test says.
  private final class Taker: ArchiveTaking {
    let log = Shared<[String]>([])
    let refused: Set<String>
    let home: Bool

    init(refusing refused: Set<String> = [], home: Bool = false) {
      self.refused = refused
      self.home = home
    }

    private func note(_ words: String) throws {
      log.with { $0.append(words) }
      if refused.contains(words) { throw AppError(.requestRefused) }
    }

    func isHome(_ manifest: ArchiveManifest) async throws -> Bool { home }
    func takeProfile(name: String?, bio: String?, links: [String]?, likesPublic: Bool?) async throws {
      if let likesPublic { return try note("profile likes \(likesPublic)") }
      try note("profile \(name ?? "-") \(bio ?? "-") \(links?.joined(separator: ",") ?? "-")")
    }
    func takePicture(_ file: [UInt8]) async throws { try note("picture \(file.count)") }
    func follow(handle: String) async throws { try note("follow \(handle)") }
    func block(handle: String) async throws { try note("block \(handle)") }
    func known(_ clip: String) async throws -> String? { clip == "known" ? "known" : nil }
    func takeClip(_ file: URL, _ clip: ArchivedClip, key: String) async throws -> String {
      try note("clip \(clip.id) \(try Data(contentsOf: file).count) \(clip.visibility)")
      return "upload of \(clip.id)"
    }
    func clip(ofUpload upload: String) async throws -> String {
      try note("wait for \(upload)")
      return "new \(upload.split(separator: " ").last ?? "")"
    }
    func takeCaptions(_ file: [UInt8], language: String, label: String?, ofUpload upload: String) async throws
    {
      try note("captions \(language) \(file.count) of \(upload)")
    }
    func comment(_ text: String, on clip: String, replyTo: String?, key: String) async throws -> String {
      try note("comment \(text) on \(clip) to \(replyTo ?? "-")")
      return "new \(text)"
    }
    func like(_ clip: String) async throws { try note("like \(clip)") }
    func bookmark(_ clip: String) async throws { try note("bookmark \(clip)") }
    func dismiss(kind: String, subject: String) async throws { try note("dismiss \(kind) \(subject)") }
    func personalise(_ isOn: Bool) async throws { try note("personalise \(isOn)") }
    func takeSwitches(_ switches: String) async throws { try note("switches \(switches)") }
    func takeFilters(words: [String], holdLinks: Bool, followersOnly: Bool) async throws {
      try note("filters \(words.joined(separator: ",")) \(holdLinks) \(followersOnly)")
    }
  }

  private static func clip(_ id: String, _ more: String = "") -> String {
    #"{"id":"\#(id)","caption":"c","tags":"sea pier","visibility":"unlisted","state":"ready"\#(more)}"#
  }

  private static func video(_ clip: String, bytes: Int = 10) -> Tape.Content {
    Tape.Content(path: "media/\(clip)/video.mp4", text: String(repeating: "v", count: bytes)) {
      ($0.clip, $0.role) = (clip, "video")
    }
  }

  private static func captions(_ clip: String, _ language: String, automatic: Bool = false) -> Tape.Content {
    Tape.Content(path: "media/\(clip)/captions.\(language).vtt", text: "WEBVTT") {
      ($0.clip, $0.role, $0.language, $0.automatic) = (clip, "captions", language, automatic)
    }
  }

  private func run(_ taker: Taker, _ contents: [Tape.Content]) async throws -> ArchiveImport.Report {
    try await Tape.whole(contents).read { url in
      let folder = url.appendingPathExtension("work")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let report = try await ArchiveImport(try ArchiveReader(url), into: taker, folder: folder).run()
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path) == [], "nothing is left behind")
      return report
    }
  }

  private let everything = [
    Tape.lines(
      "profile",
      #"{"handle":"mara","name":"Mara","bio":"b","links":"https://a\nhttps://b","likes_public":1}"#),
    Tape.lines("comment_filters", #"{"words":"spam\nbad news","holds_links":1,"followers_only":0}"#),
    Tape.lines("follows", #"{"author_id":"x","handle":"paul"}"#, #"{"author_id":"y"}"#),
    Tape.lines("blocks", #"{"author_id":"z","handle":"troll"}"#),
    Tape.lines("personalisation", #"{"is_on":0}"#),
    Tape.lines("notification_settings", #"{"switches":"push.like=0","seen_ms":1}"#),
    Tape.lines(
      "dismissals", #"{"kind":"tag","subject":"pier","at_ms":1}"#, #"{"kind":"clip","subject":"x","at_ms":1}"#
    ),
    Tape.lines("clips", clip("a"), clip("known"), clip("gone", #","removed":1"#), clip("empty")),
    Tape.lines("likes", #"{"clip_id":"a"}"#, #"{"clip_id":"other"}"#),
    Tape.lines("bookmarks", #"{"clip_id":"known"}"#),
    Tape.lines(
      "comments", #"{"id":"1","clip_id":"a","text":"first"}"#,
      #"{"id":"2","clip_id":"a","parent_id":"1","text":"second"}"#,
      #"{"id":"3","clip_id":"a","parent_id":"0","text":"third"}"#,
      #"{"id":"4","clip_id":"other","text":"fourth"}"#),
    Tape.lines("messages", #"{"id":"1","own":1,"text":"m"}"#),
    video("a"), captions("a", "de"), captions("a", "en", automatic: true),
  ]

  @Test func whatCanBeTakenIsTakenInAnOrderInWhichItHolds() async throws {
    let taker = Taker()
    let report = try await run(taker, everything)
    #expect(
      taker.log.with { $0 } == [
        "profile Mara - -", "profile - b -", "profile - - https://a,https://b", "profile likes true",
        "filters spam,bad news true false", "switches push.like=0", "personalise false", "dismiss tag pier",
        "block troll", "follow paul", "clip a 10 unlisted", "wait for upload of a",
        "captions de 6 of upload of a", "like new a", "like other", "bookmark known",
        "comment first on new a to -", "comment second on new a to new first",
      ])
    #expect(report.taken["clips"] == 1 && report.taken["clips that are here"] == 1)
    #expect(report.taken["comments"] == 2 && report.taken["captions"] == 1 && report.taken["likes"] == 2)
    #expect(
      report.left == [
        "dismissal of a clip: it is of that instance", "follow: somebody who is gone",
        "clip gone: it was deleted there", "clip empty: its video is not in the archive",
        "comment 3: what it answers is not here", "comment 4: its clip is not here",
        "1 of messages: messages are of two, and the other one has not brought them",
      ])
  }

  @Test func whatIsRefusedIsSaidAndTheRestGoesOn() async throws {
    let taker = Taker(refusing: ["profile - - https://a,https://b", "follow paul", "wait for upload of a"])
    let report = try await run(taker, everything)
    let why = ErrorCode.requestRefused.message
    #expect(report.left.contains("links: \(why)") && report.left.contains("follows @paul: \(why)"))
    #expect(report.left.contains("clips that can be watched a: \(why)"))
    #expect(report.taken["clips that can be watched"] == nil && report.taken["comments"] == nil)
    #expect(report.taken["bookmarks"] == 1)
  }

  @Test func commentsAreNotWrittenTwiceWhereTheyStand() async throws {
    let taker = Taker(home: true)
    #expect(try await run(taker, everything).taken["comments"] == nil)
    #expect(!taker.log.with { $0.contains { $0.hasPrefix("comment") } })
  }

  @Test func linesThatSayNothingAreCountedAndNothingElse() async throws {
    let taker = Taker()
    let report = try await run(
      taker,
      [
        Tape.lines("likes", "", "[]", "{", #"{"clip_id":7}"#, #"{"clip_id":"a","more":{"deep":[1]}}"#),
        Tape.lines("profile", #"{"bio":null}"#, #"{"bio":["x"]}"#),
      ])
    #expect(taker.log.with { $0 } == ["like a"])
    #expect(
      report.left == [
        "1 of profile: the lines cannot be read", "3 of likes: the lines cannot be read",
      ])
  }

  @Test func wordsOfFiltersThatTheAPIWouldNotTakeAreLeft() async throws {
    let taker = Taker()
    let long = String(repeating: "a", count: Limits.filterWordScalars.upperBound + 1)
    let many = (0...Limits.filterWords).map { "w\($0)" }.joined(separator: #"\n"#)
    let report = try await run(
      taker,
      [
        Tape.lines(
          "comment_filters", #"{"words":"\#(long)\nspam","holds_links":0,"followers_only":7}"#,
          #"{"words":"\#(many)","holds_links":0,"followers_only":0}"#, #"{"words":7}"#)
      ])
    #expect(taker.log.with { $0.first } == "filters spam false true")
    #expect(taker.log.with { $0.last?.split(separator: ",").count } == Limits.filterWords)
    #expect(
      report.left == [
        "1 of comment_filters: the lines cannot be read",
        "1 of the words of comment_filters: too long, or too many",
        "1 of the words of comment_filters: too long, or too many",
      ])
  }

  @Test func aVideoThatIsTooLargeIsLeft() async throws {
    let report = try await run(
      Taker(), [Tape.lines("clips", Self.clip("a")), Self.video("a", bytes: Limits.sourceBytes + 1)])
    #expect(report.left == ["clip a: \(ErrorCode.fileTooLarge.message)"])
  }

  @Test func aReportHoldsNoWordsOfStrangers() async throws {
    let taker = Taker(refusing: ["follow \u{1B}[31mred\u{202E}"])
    let report = try await run(
      taker, [Tape.lines("follows", #"{"author_id":"x","handle":"\u001b[31mred\u202e"}"#)])
    #expect(report.left == ["follows @31mred: \(ErrorCode.requestRefused.message)"])
  }
}
