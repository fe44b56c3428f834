internal import Contract
internal import Platform

/// What an account wants to hear of, and where. Kept as what differs from what everybody has, so that a new
/// kind needs no change of rows.
struct Switches: Sendable, Equatable {
  enum Place: String, Sendable { case list, push }

  /// By place and kind, `push.like`.
  private var values: [String: Bool] = [:]

  /// `push.like=0 list.follow=1`; a word that is none is passed over.
  init(stored: String) {
    for word in stored.split(atByte: UInt8(ascii: " ")) {
      let parts = word.split(atByte: UInt8(ascii: "=")).map(String.init)
      guard parts.count == 2, ["0", "1"].contains(parts[1]) else { continue }
      values[parts[0]] = parts[1] == "1"
    }
  }

  var stored: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ? 1 : 0)" }.joined(separator: " ")
  }

  func isOn(_ place: Place, _ kind: String) -> Bool {
    values["\(place.rawValue).\(kind)"] ?? Self.standard(place, kind)
  }

  mutating func set(_ place: Place, _ kind: String, to isOn: Bool) {
    values["\(place.rawValue).\(kind)"] = isOn == Self.standard(place, kind) ? nil : isOn
  }

  /// Everything but likes of comments and clips of those who are followed, which are many and ask for
  /// nothing, on devices.
  private static func standard(_ place: Place, _ kind: String) -> Bool {
    !(place == .push && [NotificationKind.commentLike, NotificationKind.newClip].contains(kind))
  }

  /// All kinds in their order.
  var settings: NotificationSettings {
    NotificationSettings(
      items: NotificationKind.all.map { kind in
        NotificationSetting(
          kind: kind, list: NotificationKind.listed.contains(kind) ? isOn(.list, kind) : nil,
          push: NotificationKind.pushed.contains(kind) ? isOn(.push, kind) : nil)
      })
  }

  mutating func change(_ change: NotificationSettingsChange) {
    for item in change.items where NotificationKind.all.contains(item.kind) {
      if let list = item.list, NotificationKind.listed.contains(item.kind) { set(.list, item.kind, to: list) }
      if let push = item.push, NotificationKind.pushed.contains(item.kind) { set(.push, item.kind, to: push) }
    }
  }
}
