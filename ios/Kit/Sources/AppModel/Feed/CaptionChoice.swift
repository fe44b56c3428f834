public import Contract

/// Which captions somebody sees: the languages that they read, what they chose before, and whether they want
/// any.
public struct CaptionChoice: Codable, Equatable, Sendable {
  /// `nil`: nobody has chosen. Then a clip shows them where whoever watches reads their language.
  public var isOn: Bool?
  /// The language that was chosen last.
  public var language: String?

  public init(isOn: Bool? = nil, language: String? = nil) {
    self.isOn = isOn
    self.language = language
  }

  /// The language to show, `nil` for none. `languages`: those of the device, the best first.
  public func shown(of tracks: [CaptionTrack], languages: [String]) -> String? {
    let (track, isRead) = best(of: tracks, languages: languages)
    guard let track else { return nil }
    return isOn ?? isRead ? track.language : nil
  }

  /// By the button, or a language of the menu; `nil` switches them off.
  public mutating func choose(_ language: String?) {
    isOn = language != nil
    if let language { self.language = language }
  }

  /// Switches them on or off; the language is the one that suits best.
  public mutating func toggle(of tracks: [CaptionTrack], languages: [String]) {
    isOn = shown(of: tracks, languages: languages) == nil
  }

  /// Where several are as good, a person's comes before a program's.
  private func best(of tracks: [CaptionTrack], languages: [String]) -> (CaptionTrack?, isRead: Bool) {
    let sorted = tracks.filter { !$0.automatic } + tracks.filter(\.automatic)
    for wanted in ([language].compactMap { $0 } + languages).map({ $0.lowercased() }) {
      let exact = sorted.first { $0.language.lowercased() == wanted }
      if let track = exact ?? sorted.first(where: { Self.primary($0.language) == Self.primary(wanted) }) {
        return (track, true)
      }
    }
    return (sorted.first, false)
  }

  private static func primary(_ language: String) -> String {
    String(language.lowercased().prefix { $0 != "-" && $0 != "_" })
  }
}
