public import Contract
internal import Platform

extension SearchStore {
  /// A sound whose first clip the viewer may not see is left out: it is found by that clip's words, and
  /// another clip in its place would say so. Throws `invalid_cursor`.
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
      guard let clip = firsts[first] else { return }
      sounds[id] = FoundSound(
        id: id, clips: Int(clamping: try row.integer("clips")), author: clip.author, caption: clip.caption,
        poster: clip.poster)
    }
  }
}
