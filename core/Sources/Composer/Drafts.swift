import CoreTypes

/// What is known of the texts that the host keeps, by clip: never the text itself. Clips without
/// text have no entry.
struct Drafts: Sendable {
  struct Draft: Sendable {
    let item: ItemID
    var characters: Int32
    var isBlank: Bool
    /// Lines that the whole text needs, as last measured.
    var lines: Int32 = 1
    /// The message that carried exactly this text; `nil` once the text was changed.
    var message: MessageID?
    var delivery = Composer.Delivery.idle
    /// Since when storage is behind the field.
    var unstoredSince: Instant?
    /// Storage may hold a text of this clip.
    var mayBeStored = false
  }

  /// The one touched last is last.
  private(set) var all: [Draft] = []

  subscript(item: ItemID?) -> Draft? {
    guard let index = index(of: item) else { return nil }
    return all[index]
  }

  func carried(by message: MessageID) -> Draft? { all.first { $0.message == message } }

  mutating func update(_ item: ItemID?, _ change: (inout Draft) -> Void) {
    guard let index = index(of: item) else { return }
    change(&all[index])
  }

  /// Adds or replaces; the one touched longest ago makes room, except those that must stay.
  /// Returns the clip whose text was given up for it.
  mutating func touch(_ draft: Draft, limit: Int, mustStay: (ItemID) -> Bool) -> ItemID? {
    remove(draft.item)
    all.append(draft)
    guard all.count > limit, let oldest = all.firstIndex(where: { !mustStay($0.item) })
    else { return nil }
    return all.remove(at: oldest).item
  }

  mutating func remove(_ item: ItemID) {
    if let index = index(of: item) { all.remove(at: index) }
  }

  private func index(of item: ItemID?) -> Int? {
    guard let item else { return nil }
    return all.firstIndex { $0.item == item }
  }
}
