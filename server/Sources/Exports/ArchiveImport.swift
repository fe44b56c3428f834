internal import Contract
public import Foundation
internal import Platform

/// Where what an archive holds is taken. Each may throw what the feature throws; an `AppError` ends that one
/// thing and is reported, and whatever else is thrown ends the import. Once more of the same changes nothing.
public protocol ArchiveTaking: Sendable {
  /// Whether the archive is of this account, and was made here.
  func isHome(_ manifest: ArchiveManifest) async throws -> Bool
  /// Nil stays as it is.
  func takeProfile(name: String?, bio: String?, links: [String]?, likesPublic: Bool?) async throws
  /// A file with the picture of the account.
  func takePicture(_ file: [UInt8]) async throws
  /// Throws `author_not_found` where nobody has the handle.
  func follow(handle: String) async throws
  func block(handle: String) async throws
  /// The clip that an archived one is here already: the same instance, and the same account's. Nil: none.
  func known(_ clip: String) async throws -> String?
  /// Takes a file in as an upload of the account; the same key is the same upload. Answers the upload.
  func takeClip(_ file: URL, _ clip: ArchivedClip, key: String) async throws -> String
  /// Waits until the upload is a clip that can be watched. Throws why it never will be.
  func clip(ofUpload upload: String) async throws -> String
  func takeCaptions(_ file: [UInt8], language: String, label: String?, ofUpload upload: String) async throws
  func comment(_ text: String, on clip: String, replyTo: String?, key: String) async throws -> String
  func like(_ clip: String) async throws
  func bookmark(_ clip: String) async throws
  func dismiss(kind: String, subject: String) async throws
  func personalise(_ isOn: Bool) async throws
  func takeSwitches(_ switches: String) async throws
  /// In the place of those that the account has.
  func takeFilters(words: [String], holdLinks: Bool, followersOnly: Bool) async throws
}

/// What an archive says of a clip.
public struct ArchivedClip: Sendable, Equatable, Decodable {
  public var id: String
  public var caption: String
  public var tags: String
  public var visibility: String
  public var state: String?
  public var coverMs: Int?
  /// 1: it is for adults alone, whoever said so.
  public var forAdults: Int?
  /// The first part of a tag of BCP 47; nil: it is not known.
  public var language: String?
  var removed: Int?
}

/// Takes what can be taken of an archive into an account, and tells what cannot.
///
/// In order: what stands on the page and in the settings, people, clips, and, once those can be watched, what
/// was done to clips. Everything is done as if the account did it now, by the same rules: no time is taken
/// over, nobody is told of what is old, and what is refused to the account is refused to its archive.
public struct ArchiveImport: Sendable {
  /// What came of it: how many of each kind, and what was not taken, and why.
  public struct Report: Sendable, Equatable {
    public var taken: [String: Int] = [:]
    public var left: [String] = []
    /// More than anybody reads.
    static let lines = 1000

    mutating func took(_ kind: String) { taken[kind, default: 0] += 1 }

    mutating func left(_ what: String, _ why: String) {
      if left.count < Self.lines { left.append("\(what): \(why)") }
    }
  }

  /// Lists of which nothing is taken, and why.
  private static let notTaken = [
    "messages": "messages are of two, and the other one has not brought them",
    "followers": "others follow by themselves", "decisions": "they were made there",
    "reports": "they were made there",
    "comment_likes": "the comments of others are not here",
    "shown_clips": "it tells of that instance", "ranking_events": "it tells of that instance",
    "watch_events": "it tells of that instance", "seen": "it tells of that instance",
    "notifications": "it tells of that instance",
    "restricted_mode": "whoever is an adult says so here",
  ]

  /// Lines of a list that are looked at: more than anybody has marked, in some tens of megabytes.
  private static let lines = 200_000

  private let reader: ArchiveReader
  private let taking: any ArchiveTaking
  private let folder: URL

  /// `folder`: where files lie on their way.
  public init(_ reader: ArchiveReader, into taking: any ArchiveTaking, folder: URL) {
    self.reader = reader
    self.taking = taking
    self.folder = folder
  }

  public func run() async throws -> Report {
    var report = Report()
    try await takePage(&report)
    try await takePicture(&report)
    try await takePeople(&report)
    let clips = try await takeClips(&report)
    try await takeMarks(on: clips, &report)
    try await takeComments(on: clips, &report)
    for file in reader.manifest.files {
      guard let count = file.records, count > 0,
        let name = file.path.split(atText: "/").last?.split(atText: ".").first.map(String.init),
        let why = Self.notTaken[name]
      else { continue }
      report.left("\(count) of \(name)", why)
    }
    return report
  }

  // MARK: Lines

  private func each<Line: Decodable & Sendable>(
    _ name: String, _ type: Line.Type, _ report: inout Report,
    _ take: (Line, inout Report) async throws -> Void
  ) async throws {
    var lines: [Line] = []
    var (unread, beyond) = (0, 0)
    try await reader.lines(of: name) { data in
      guard lines.count < Self.lines else { return beyond += 1 }
      if let line = try? WireCoding.decode(Line.self, from: data) { lines.append(line) } else { unread += 1 }
    }
    if beyond > 0 { report.left("\(beyond) of \(name)", "only the first \(Self.lines) are taken") }
    if unread > 0 { report.left("\(unread) of \(name)", "the lines cannot be read") }
    for line in lines {
      try await take(line, &report)
      try Task.checkCancellation()
    }
  }

  /// One thing: what is refused is told, and the rest goes on.
  private func attempt(
    _ kind: String, _ what: String, _ report: inout Report, _ work: () async throws -> Void
  ) async throws {
    do {
      try await work()
      report.took(kind)
    } catch let error as AppError {
      report.left(what.isEmpty ? kind : "\(kind) \(what)", error.message)
    }
  }

  // MARK: The account

  private struct Page: Decodable {
    var name: String?
    var bio: String?
    var links: String?
    var likesPublic: Int?
  }
  private struct Filters: Decodable {
    var words: String
    var holdsLinks: Int
    var followersOnly: Int
  }
  private struct Switches: Decodable { var switches: String }
  private struct Personalisation: Decodable { var isOn: Int }
  private struct Dismissed: Decodable {
    var kind: String
    var subject: String
  }

  private func takePage(_ report: inout Report) async throws {
    try await each("profile", Page.self, &report) { page, report in
      // Each by itself: a link that is refused here takes nothing else with it.
      if let name = page.name {
        try await attempt("name", "", &report) {
          try await taking.takeProfile(name: name, bio: nil, links: nil, likesPublic: nil)
        }
      }
      if let bio = page.bio {
        try await attempt("bio", "", &report) {
          try await taking.takeProfile(name: nil, bio: bio, links: nil, likesPublic: nil)
        }
      }
      if let links = page.links {
        let all = links.split(atByte: UInt8(ascii: "\n")).map(String.init)
        try await attempt("links", "", &report) {
          try await taking.takeProfile(name: nil, bio: nil, links: all, likesPublic: nil)
        }
      }
      if let likesPublic = page.likesPublic {
        try await attempt("likes for others", "", &report) {
          try await taking.takeProfile(name: nil, bio: nil, links: nil, likesPublic: likesPublic != 0)
        }
      }
    }
    try await each("comment_filters", Filters.self, &report) { line, report in
      try await takeFilters(line, &report)
    }
    try await each("notification_settings", Switches.self, &report) { line, report in
      try await attempt("notification settings", "", &report) { try await taking.takeSwitches(line.switches) }
    }
    try await each("personalisation", Personalisation.self, &report) { line, report in
      try await attempt("personalisation", "", &report) { try await taking.personalise(line.isOn != 0) }
    }
    try await each("dismissals", Dismissed.self, &report) { line, report in
      // Clips and authors have other ids here.
      guard line.kind == "tag" else {
        return report.left("dismissal of a \(Self.word(line.kind))", "it is of that instance")
      }
      try await attempt("dismissals", "", &report) {
        try await taking.dismiss(kind: line.kind, subject: line.subject)
      }
    }
  }

  /// Words by the limits of the API: one that is cut would be another word.
  private func takeFilters(_ filters: Filters, _ report: inout Report) async throws {
    let words = filters.words.split(atByte: UInt8(ascii: "\n")).map(String.init)
    let fit = words.filter { Limits.filterWordScalars.contains($0.unicodeScalars.count) }
      .prefix(Limits.filterWords)
    if fit.count < words.count {
      report.left("\(words.count - fit.count) of the words of comment_filters", "too long, or too many")
    }
    try await attempt("comment filters", "", &report) {
      try await taking.takeFilters(
        words: Array(fit), holdLinks: filters.holdsLinks != 0, followersOnly: filters.followersOnly != 0)
    }
  }

  private func takePicture(_ report: inout Report) async throws {
    let role = ExportedClip.Role.picture.rawValue
    guard let file = reader.manifest.files.first(where: { $0.clip == nil && $0.role == role }) else { return }
    guard let bytes = try reader.bytes(of: file.path, atMost: Limits.pictureBytes) else {
      return report.left("picture", ErrorCode.pictureTooLarge.message)
    }
    try await attempt("picture", "", &report) { try await taking.takePicture(bytes) }
  }

  private struct Person: Decodable { var handle: String? }

  private func takePeople(_ report: inout Report) async throws {
    try await each("blocks", Person.self, &report) { line, report in
      guard let handle = line.handle else { return report.left("block", "somebody without a name") }
      try await attempt("blocks", "@\(Self.word(handle))", &report) { try await taking.block(handle: handle) }
    }
    try await each("follows", Person.self, &report) { line, report in
      guard let handle = line.handle else { return report.left("follow", "somebody who is gone") }
      try await attempt("follows", "@\(Self.word(handle))", &report) {
        try await taking.follow(handle: handle)
      }
    }
  }

  // MARK: Clips

  /// What the archived clips are here, of those that can be watched.
  private func takeClips(_ report: inout Report) async throws -> [String: String] {
    var files: [String: [ArchiveManifest.File]] = [:]
    for file in reader.manifest.files { if let clip = file.clip { files[clip, default: []].append(file) } }
    var clips: [String: String] = [:]
    var uploads: [(clip: ArchivedClip, upload: String)] = []
    let source = "\(reader.manifest.instance)/\(reader.manifest.account.id)"
    try await each("clips", ArchivedClip.self, &report) { clip, report in
      let name = Self.word(clip.id)
      if let known = try await taking.known(clip.id) {
        clips[clip.id] = known
        return report.took("clips that are here")
      }
      guard clip.removed != 1 else { return report.left("clip \(name)", "it was deleted there") }
      let all = files[clip.id] ?? []
      let roles = [ExportedClip.Role.source, .video].map(\.rawValue)
      guard let video = roles.compactMap({ role in all.first { $0.role == role } }).first else {
        return report.left("clip \(name)", "its video is not in the archive")
      }
      let url = folder.appendingPathComponent("clip.bin")
      defer { try? FileManager.default.removeItem(at: url) }
      guard try reader.extract(video.path, to: url, atMost: Int64(Limits.sourceBytes)) else {
        return report.left("clip \(name)", ErrorCode.fileTooLarge.message)
      }
      let key = "import-" + ContentHash.of(Array("\(source)/\(clip.id)".utf8))
      try await attempt("clips", name, &report) {
        let upload = try await taking.takeClip(url, clip, key: key)
        uploads.append((clip, upload))
      }
    }
    for (clip, upload) in uploads {
      try await attempt("clips that can be watched", Self.word(clip.id), &report) {
        clips[clip.id] = try await taking.clip(ofUpload: upload)
      }
      guard clips[clip.id] != nil else { continue }
      for file in files[clip.id] ?? [] where file.role == ExportedClip.Role.captions.rawValue {
        // Made by a program there: made anew here, where there is one.
        guard file.automatic != true, let language = file.language else { continue }
        guard let bytes = try reader.bytes(of: file.path, atMost: Limits.captionsBytes) else {
          report.left("captions of \(Self.word(clip.id))", ErrorCode.captionsTooLarge.message)
          continue
        }
        try await attempt("captions", Self.word(clip.id), &report) {
          try await taking.takeCaptions(bytes, language: language, label: file.label, ofUpload: upload)
        }
      }
    }
    return clips
  }

  // MARK: What was done to clips

  private struct Mark: Decodable { var clipId: String }

  /// Of clips that are here: one's own, or all of them on the same instance.
  private func takeMarks(on clips: [String: String], _ report: inout Report) async throws {
    for (name, take) in [
      ("likes", { try await taking.like($0) }), ("bookmarks", { try await taking.bookmark($0) }),
    ] as [(String, (String) async throws -> Void)] {
      try await each(name, Mark.self, &report) { mark, report in
        try await attempt(name, Self.word(mark.clipId), &report) {
          try await take(clips[mark.clipId] ?? mark.clipId)
        }
      }
    }
  }

  private struct Remark: Decodable {
    var id: String
    var clipId: String
    var parentId: String?
    var text: String
  }

  private func takeComments(on clips: [String: String], _ report: inout Report) async throws {
    // They stand where they stood, or were deleted there.
    guard try await !taking.isHome(reader.manifest) else { return }
    let source = "\(reader.manifest.instance)/\(reader.manifest.account.id)"
    var made: [String: String] = [:]
    // In the order in which they were written, so what is answered comes before its answer.
    try await each("comments", Remark.self, &report) { remark, report in
      guard let clip = clips[remark.clipId] else {
        return report.left("comment \(Self.word(remark.id))", "its clip is not here")
      }
      if let parent = remark.parentId, made[parent] == nil {
        return report.left("comment \(Self.word(remark.id))", "what it answers is not here")
      }
      try await attempt("comments", Self.word(remark.id), &report) {
        made[remark.id] = try await taking.comment(
          remark.text, on: clip, replyTo: remark.parentId.flatMap { made[$0] },
          key: "import-" + ContentHash.of(Array("\(source)/\(remark.id)".utf8)))
      }
    }
  }

  /// A word of a stranger's in a report: what an id or a handle may hold, and no more of it.
  private static func word(_ text: String) -> String {
    let bytes = text.utf8.prefix(64).filter {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0.isDigit
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
