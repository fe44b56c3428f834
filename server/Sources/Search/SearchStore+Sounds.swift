public import Contract
internal import Platform

extension SearchStore {
  /// Clips of one sound that are looked at for one that the viewer may see.
  private static let mostLooked = 128

  /// A sound whose first clip the viewer may not see is shown with the first that they may; without one it is
  /// left out. Throws `invalid_cursor`.
  public func sounds(
    _ text: String, cursor: String?, limit: Int, for viewer: String?
  ) async throws -> FoundSoundPage {
    try await page(of: text, .sound, cursor, limit) { try sounds($0, for: viewer, in: $1) }
  }

  private func sounds(
    _ ids: [String], for viewer: String?, in transaction: any Transaction
  ) throws -> [String: FoundSound] {
    guard !ids.isEmpty else { return [:] }
    let list = SQLList(ids)
    let rows = try transaction.query(
      "SELECT sound_id, clips, first_clip FROM search_sounds WHERE sound_id IN \(list.marks)", list.values)
    let firsts = try telling.clips(
      rows.map { try $0.text("first_clip") }, for: viewer, in: transaction)
    return try rows.reduce(into: [:]) { sounds, row in
      let (id, first) = (try row.text("sound_id"), try row.text("first_clip"))
      let clip = try firsts[first] ?? nextClip(ofSound: id, behind: first, for: viewer, in: transaction)
      guard let clip else { return }
      sounds[id] = FoundSound(
        id: id, clips: Int(clamping: try row.integer("clips")), author: clip.author, caption: clip.caption,
        poster: clip.poster)
    }
  }

  /// The next clip of a sound that the viewer may see.
  private func nextClip(
    ofSound id: String, behind first: String, for viewer: String?, in transaction: any Transaction
  ) throws -> Clip? {
    var (place, looked, width) = (first, 0, 8)
    while looked < Self.mostLooked {
      let ids = try index.clips(ofSound: id, behind: place, limit: width, in: transaction)
      let shown = try telling.clips(ids, for: viewer, in: transaction)
      if let next = ids.first(where: { shown[$0] != nil }) { return shown[next] }
      guard ids.count == width, let last = ids.last else { return nil }
      (place, looked, width) = (last, looked + width, min(width * 2, 64))
    }
    return nil
  }
}
