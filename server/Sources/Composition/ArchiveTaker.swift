internal import Accounts
internal import Captions
internal import Comments
internal import Contract
public import Exports
public import Foundation
internal import Notifications
internal import Platform
internal import Profiles
internal import Recommendations
internal import Social
internal import Uploads
internal import Videos

extension Instance {
  /// Takes what can be taken of an archive into the account of this handle. It waits until clips can be
  /// watched: somebody's workers have to convert them meanwhile. Throws `ArchiveFailure` for what is no whole
  /// archive, and `account_not_found`.
  public func takeArchive(
    _ url: URL, into handle: String, keepingRoomBytes reserve: Int? = nil
  ) async throws -> ArchiveImport.Report {
    let accounts = try await accounts()
    let account = try await accounts.account(handle: handle).id
    // Before anything is taken: nothing is taken of half an archive.
    let reader = try await Offload.run { try ArchiveReader(url) }
    let folder = workFolder.appendingPathComponent("intake-archive-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var rules = UploadRules()
    // The operator brings them, and not a stranger.
    (rules.openPerAccount, rules.bytesPerAccountPerDay, rules.openBytes) = (.max, .max, .max)
    if let reserve { rules.reserveBytes = reserve }
    let taker = ArchiveTaker(
      instance: self, account: account, accounts: accounts, context: FeatureContext(self, rules: rules))
    return try await ArchiveImport(reader, into: taker, folder: folder).run()
  }
}

/// What an archive holds, where it is kept here. Nobody is told of anything, and nothing is learned from it.
struct ArchiveTaker: ArchiveTaking {
  let instance: Instance
  let account: String
  let accounts: Accounts
  let context: FeatureContext

  func isHome(_ manifest: ArchiveManifest) async throws -> Bool {
    let name = try await instance.settings.value("instance_name", orCreate: Instance.makeName)
    return manifest.instance.hasSameBytes(as: name) && manifest.account.id.hasSameBytes(as: account)
  }

  // MARK: The account

  func takeProfile(name: String?, bio: String?, links: [String]?, likesPublic: Bool?) async throws {
    if let name { _ = try await accounts.change(account, AccountChange(name: name)) }
    guard bio != nil || links != nil || likesPublic != nil else { return }
    _ = try await context.profiles.change(
      ProfileChange(bio: bio, links: links, likesPublic: likesPublic), of: account)
  }

  func takePicture(_ file: [UInt8]) async throws {
    let current = try await instance.database.read { [account] in
      try AuthorStore.picture(of: account, in: $0)
    }
    // Drawn once more it would be another one, and no better.
    guard current?.hash != ContentHash.of(file) else { return }
    _ = try await context.portraits.put(file, of: account)
  }

  func takeSwitches(_ switches: String) async throws {
    try await context.notifications.take(switches, of: account)
  }

  func takeFilters(words: [String], holdLinks: Bool, followersOnly: Bool) async throws {
    _ = try await context.comments.change(
      CommentFilters(words: words, holdLinks: holdLinks, followersOnly: followersOnly), of: account)
  }

  func personalise(_ isOn: Bool) async throws {
    let store = instance.recommendations(on: instance.database)
    // Off forgets what was learned: not again and again.
    guard try await store.isPersonalised(account) != isOn else { return }
    _ = try await store.personalise(isOn, account)
  }

  func dismiss(kind: String, subject: String) async throws {
    guard let kind = Dismissal.Kind(rawValue: kind),
      kind != .tag || Tags.clean([subject]) == [subject]
    else { throw AppError(.invalidParameter) }
    _ = try await instance.recommendations(on: instance.database).dismiss(
      Dismissal(kind, subject), by: account)
  }

  // MARK: People

  func follow(handle: String) async throws {
    _ = try await context.social.follow(try await person(handle), by: account, isLearned: false)
  }

  func block(handle: String) async throws {
    _ = try await context.social.block(try await person(handle), by: account)
  }

  private func person(_ handle: String) async throws -> String {
    let people = PersonReading(follows: ViewerMarks(), blocking: Blocks())
    guard !handle.utf8.contains(0),
      let id = try await instance.database.read({ try people.id(ofHandle: handle, in: $0) })
    else { throw AppError(.authorNotFound) }
    return id
  }

  // MARK: Clips

  func known(_ clip: String) async throws -> String? {
    guard !clip.utf8.contains(0) else { return nil }
    return try await instance.database.read { [instance, account] transaction in
      guard try instance.clips.author(of: clip, in: transaction) == account,
        try instance.clips.visibility(ofRemoved: clip, in: transaction) == nil
      else { return nil }
      return clip
    }
  }

  func takeClip(_ file: URL, _ clip: ArchivedClip, key: String) async throws -> String {
    try await context.uploads.take(
      file, Self.details(clip), key: IdempotencyKey(key, of: account), by: account
    ).id
  }

  /// As people say it: what is longer than it may be is cut.
  private static func details(_ clip: ArchivedClip) -> ClipDetails {
    let cover = clip.coverMs.flatMap { Limits.coverMs.contains($0) ? $0 : nil }
    return ClipDetails(
      caption: clip.caption,
      tags: clip.tags.split(atByte: UInt8(ascii: " ")).prefix(Limits.tagsSent).map(String.init),
      // What cannot be read is for nobody else.
      visibility: Visibility(rawValue: clip.visibility) ?? .private, coverMs: cover,
      forAdults: clip.forAdults == 1, language: clip.language.flatMap { LanguageTag($0)?.description })
  }

  func clip(ofUpload upload: String) async throws -> String {
    while true {
      let status = try await context.uploads.upload(upload)
      switch status.state {
      case .published:
        guard let clip = status.clip?.id else { throw AppError(.clipNotFound) }
        return clip
      case .refused:
        let code = status.problem.flatMap { ErrorCode(rawValue: $0.code) } ?? .transcodingFailed
        throw AppError(code, status.problem?.detail)
      case .receiving, .processing: try await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  func takeCaptions(
    _ file: [UInt8], language: String, label: String?, ofUpload upload: String
  ) async throws {
    let clip = try await context.uploads.captionedClip(of: upload)
    _ = try await instance.captions.put(file, to: clip, language: language, label: label)
  }

  // MARK: What was done to clips

  func comment(_ text: String, on clip: String, replyTo: String?, key: String) async throws -> String {
    try await context.comments.add(
      text, to: clip, replyTo: replyTo, by: account, idempotencyKey: key, isLearned: false
    ).id
  }

  func like(_ clip: String) async throws {
    try Self.require(clip)
    _ = try await context.social.like(clip, by: account, isLearned: false)
  }

  func bookmark(_ clip: String) async throws {
    try Self.require(clip)
    _ = try await context.social.bookmark(clip, by: account, isLearned: false)
  }

  /// No database is asked for such a text.
  private static func require(_ clip: String) throws {
    if clip.utf8.contains(0) { throw AppError(.clipNotFound) }
  }
}
