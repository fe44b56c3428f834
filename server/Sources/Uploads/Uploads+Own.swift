public import Contract
internal import Foundation
public import Platform

/// The list of one's own clips, and deleting them. Who may is for the caller to say, as for everything by an
/// upload's id.
extension Uploads {
  /// For how long a clip that was deleted can be had back, in milliseconds.
  static let regretMs: Int64 = 86_400_000

  /// What an account or a guest has uploaded, newest first. Throws `invalid_cursor`.
  public func ownClips(of viewer: String, cursor: String?, limit: Int) async throws -> OwnClipPage {
    let codec = CursorCodec(keys: cursorKeys, list: "own clips/\(viewer)")
    let start = try cursor.map { try Self.place(try codec.place(of: $0)) } ?? .newest
    let rows = try await database.read {
      try store.own(of: viewer, below: start, limit: limit + 1, in: $0)
    }
    let shown = Array(rows.prefix(limit))
    let next = rows.count > limit ? shown.last.map { codec.token("\($0.createdAtMs)/\($0.id)") } : nil
    return OwnClipPage(items: try await describe(shown), nextCursor: next)
  }

  /// Whether the clip stands in the list of an account or a guest, and was not deleted.
  public func owns(_ clipID: String, _ viewer: String, in transaction: any Transaction) throws -> Bool {
    try store.owns(clipID, viewer, in: transaction)
  }

  private static func place(_ place: CursorCodec.Place) throws -> UploadStore.Place {
    guard case .words(let words) = place else { throw AppError(.invalidCursor) }
    let parts = words.split(atByte: UInt8(ascii: "/"))
    guard parts.count == 2, let createdAtMs = SafeInteger.read(parts[0]) else {
      throw AppError(.invalidCursor)
    }
    return UploadStore.Place(createdAtMs: Int64(createdAtMs), id: String(parts[1]))
  }

  /// Deletes the clip of an upload: nobody sees it from now on, and for a day it can be had back. Once more
  /// changes nothing. `forGood`: nobody has it back, also if it was deleted before. Throws
  /// `upload_not_found`, `upload_expired`, `clip_not_ready` while bytes are taken, and `clip_not_yours` if
  /// the same content was a clip before.
  public func removeClip(of id: String, forGood: Bool = false) async throws -> OwnClip {
    try await change(id) { row, transaction in
      guard forGood || row.state != .removed else { return }
      // What could be had back until a moment ago is gone, and swept.
      let until = forGood ? time.nowMs - 1 : time.nowMs + Self.regretMs
      try store.remove(row, until: until, in: transaction)
      if let clip = row.clipID { try clips.remove(clip, in: transaction) }
    }
  }

  /// Takes `removeClip` back. Where nothing was deleted nothing changes. Throws as that does.
  public func restoreClip(of id: String) async throws -> OwnClip {
    try await change(id) { row, transaction in
      guard row.state == .removed else { return }
      try store.restore(row, in: transaction)
      if let clip = row.clipID { try clips.restore(clip, in: transaction) }
    }
  }

  private func change(
    _ id: String, _ work: @escaping @Sendable (UploadStore.Row, any Transaction) throws -> Void
  ) async throws -> OwnClip {
    let row = try await database.write { transaction in
      guard let row = try store.findToChange(id, in: transaction) else { throw AppError(.uploadNotFound) }
      switch row.state {
      case .receiving: throw AppError(.clipNotReady)
      case .expired: throw AppError(.uploadExpired)
      case .ended: throw AppError(.uploadNotFound)
      case .removed where row.expiresAtMs < time.nowMs: throw AppError(.uploadNotFound)
      case .processing, .refused, .removed: break
      }
      guard row.ownsClip else { throw AppError(.clipNotYours) }
      try work(row, transaction)
      return try store.find(id, in: transaction) ?? row
    }
    return try await describe([row])[0]
  }

  /// What nobody can have back any more is deleted for good. Safe in several processes at once.
  func deleteRemoved() async throws {
    let now = time.nowMs
    for id in try await database.read({ try store.removed(beforeMs: now, in: $0) }) {
      try await database.write { transaction in
        guard let row = try store.findToChange(id, in: transaction), row.state == .removed,
          row.expiresAtMs < now
        else { return }
        if let clip = row.clipID { try clips.delete(clip, in: transaction) }
        try store.forgetRemoved(row, in: transaction)
      }
    }
  }

  // MARK: Describing

  private func describe(_ rows: [UploadStore.Row]) async throws -> [OwnClip] {
    let watchable = try await clips.watchable(rows.compactMap(\.clipID))
    let removed = rows.filter { $0.state == .removed }.compactMap(\.clipID)
    var before: [String: Visibility] = [:]
    if !removed.isEmpty {
      before = try await database.read { transaction in
        try removed.reduce(into: [:]) { $0[$1] = try clips.visibility(ofRemoved: $1, in: transaction) }
      }
    }
    var page: [OwnClip] = []
    for row in rows {
      var own = OwnClip(
        uploadId: row.id, clipId: row.clipID, state: .processing,
        createdAt: Date(timeIntervalSince1970: Double(row.createdAtMs) / 1000),
        caption: row.details.caption ?? "", tags: row.details.tags ?? [],
        visibility: row.details.visibility ?? .public,
        forAdults: row.details.forAdults == true ? true : nil)
      if let clip = row.clipID.flatMap({ watchable[$0] }) {
        own.show(clip)
      } else if let code = row.failureCode {
        own.refuse(code, row.failureDetail ?? "")
      } else if let clip = row.clipID {
        switch try await clips.state(of: clip) {
        case .processing(let report), .published(let report): own.permille = report?.permille ?? 0
        case .refused(let error): own.refuse(error.code.rawValue, error.message)
        }
      }
      if row.state == .removed {
        own.state = .removed
        own.visibility = row.clipID.flatMap { before[$0] } ?? own.visibility
        own.removedUntil = Date(timeIntervalSince1970: Double(row.expiresAtMs) / 1000)
      }
      page.append(own)
    }
    return page
  }
}

extension Uploads: ViewerMerging {
  /// What the guest uploaded stands in the account's list from now on. Whose clips they are to others does
  /// not change.
  public func merge(_ guest: String, into account: String, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE uploads SET owner = ? WHERE owner = ?", [.text(account), .text(guest)])
  }
}

extension OwnClip {
  fileprivate mutating func show(_ clip: Clip) {
    state = .published
    (caption, tags, visibility) = (clip.caption, clip.tags, clip.visibility ?? .public)
    (durationMs, counts) = (clip.playback.durationMs, clip.counts)
    picture =
      clip.cover
      ?? Cover(
        url: clip.poster.url, width: clip.poster.width, height: clip.poster.height,
        placeholder: clip.poster.placeholder)
  }

  fileprivate mutating func refuse(_ code: String, _ detail: String) {
    state = .refused
    problem = UploadProblem(code: code, detail: detail)
  }
}
