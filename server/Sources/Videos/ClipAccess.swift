public import Contract
internal import Foundation
public import Platform

/// Who may have which of the blobs that clips are made of.
///
/// A blob that is written down as a public clip's is everybody's; `ClipBlobs` keeps what was replaced a
/// moment ago too. So are the pictures of people (`AuthorStore+Pictures`). What only other clips need is had
/// under a seal of such a clip, which is handed out with the clip. What nobody needs is nobody's: it may be
/// what a clip left behind that was not public, and lie in the store until the sweep.
public final class ClipAccess: Sendable {
  /// How long an answer counts, in milliseconds, so that a clip that many watch costs no question to the
  /// database for each of their requests. Another process's change of a clip's visibility is seen after this
  /// long; this one's at once.
  static let lifeMs: Int64 = 2000
  /// Answers that are remembered: some hundred kilobytes.
  static let remembered = 4096

  private struct Part: Hashable {
    let clipID: String
    let name: BlobName
  }

  private let database: any Database
  private let time: any TimeSource
  private let keys: SealKeys
  private let open: TTLCache<BlobName, Bool>
  /// Of the clip, if the blob is one of its; else nil.
  private let visibilities: TTLCache<Part, Visibility?>

  public init(database: any Database, time: any TimeSource, keys: SealKeys) {
    self.database = database
    self.time = time
    self.keys = keys
    open = TTLCache(lifeMs: Self.lifeMs, limit: Self.remembered, time: time)
    visibilities = TTLCache(lifeMs: Self.lifeMs, limit: Self.remembered, time: time)
  }

  /// Whether a public clip needs the blob, or somebody shows it as their picture.
  public func isOpen(_ name: BlobName) async throws -> Bool {
    try await open.value(name) { [database] in
      try await database.read { transaction in
        let clips = try transaction.query(
          """
          SELECT 1 AS n FROM clip_blobs b JOIN clips c ON c.id = b.clip_id
          WHERE b.name = ? AND c.visibility = 'public' LIMIT 1
          """, [.text(name.description)])
        guard clips.isEmpty else { return true }
        return try AuthorStore.isOpenPicture(name, in: transaction)
      }
    }
  }

  /// For how many seconds yet the seal opens the blob. Throws `media_not_found` for a seal that was not
  /// handed out for this clip, or not to those who may watch it now, and for a blob that is none of the
  /// clip's; `media_address_expired`.
  public func admit(_ name: BlobName, of clipID: String, by seal: String) async throws -> Int {
    guard let seal = try await keys.read(seal, clip: clipID) else { throw AppError(.mediaNotFound) }
    let left = seal.expires - time.nowMs / 1000
    guard left > 0 else { throw AppError(.mediaAddressExpired) }
    let visibility = try await visibilities.value(Part(clipID: clipID, name: name)) { [database] in
      let row = try await database.read {
        try $0.query(
          """
          SELECT c.visibility FROM clip_blobs b JOIN clips c ON c.id = b.clip_id
          WHERE b.clip_id = ? AND b.name = ?
          """, [.text(clipID), .text(name.description)]
        ).first
      }
      return try row.map { Visibility(rawValue: try $0.text("visibility")) ?? .private }
    }
    guard let visibility, seal.reader == .owner || visibility != .private else {
      throw AppError(.mediaNotFound)
    }
    return Int(left)
  }

  /// A clip as it is told to others: if it is not public, with every address of its media under a seal.
  public func sealed(_ clip: Clip, forOwner isOwner: Bool) async throws -> Clip {
    guard let visibility = clip.visibility, visibility != .public else { return clip }
    // What people wrote is left out of it: only our own words are addresses.
    var bare = clip
    (bare.caption, bare.tags) = ("", [])
    // A face is everybody's, and none of the clip's media.
    bare.author.picture = nil
    var sealed = try await sealed(bare, of: clip.id, for: isOwner ? .owner : .holder)
    (sealed.caption, sealed.tags) = (clip.caption, clip.tags)
    sealed.author.picture = clip.author.picture
    return sealed
  }

  /// The same of what stands in its owner's list. One that was removed is open to nobody else, whatever it
  /// was.
  public func sealed(_ clip: OwnClip) async throws -> OwnClip {
    guard let id = clip.clipId, let picture = clip.picture,
      clip.visibility != .public || clip.state == .removed
    else { return clip }
    var sealed = clip
    sealed.picture = try await self.sealed(picture, of: id, for: .owner)
    return sealed
  }

  private func sealed<Value: Codable>(
    _ value: Value, of clipID: String, for reader: MediaSeal.Reader
  ) async throws -> Value {
    let seal = try await keys.make(
      clip: clipID, reader: reader, expires: MediaSeal.expiry(atMs: time.nowMs))
    let text = String(decoding: try WireCoding.encode(value), as: UTF8.self)
    return try WireCoding.decode(
      Value.self, from: Data(Self.sealing(text, at: Route.sealedMedia.path(clipID, seal, "")).utf8))
  }

  /// Clips may have another visibility than a moment ago, or be gone.
  public func visibilityChanged() {
    open.forget()
    visibilities.forget()
  }

  /// JSON in which every string that is the address of a blob lies in that folder. It knows no field by name,
  /// so that one that is added to a clip cannot be forgotten here.
  static func sealing(_ json: String, at folder: String) -> String {
    let start = "\"" + Route.media.path("")
    let parts = json.split(atText: start)
    return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
      // A quotation mark in the middle of a string has a backslash before it.
      let isWhole = text.utf8.last.map(":,[".utf8.contains) == true
      let isAddress =
        isWhole && BlobName(String(Substring(part.utf8.prefix { $0 != UInt8(ascii: "\"") }))) != nil
      text += (isAddress ? "\"" + folder : start) + part
    }
  }
}
