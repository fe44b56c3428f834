internal import Contract
public import Foundation
public import Observation
public import Persistence

/// What somebody wants of captions, for the screen that plays and for the settings alike. It is kept at once.
///
/// Which captions of a clip that makes is `CaptionChoice`'s to say.
@MainActor @Observable public final class CaptionPreferences {
  /// Whether captions are shown.
  public enum Showing: String, CaseIterable, Hashable, Sendable {
    /// Nobody has chosen: where whoever watches reads their language.
    case whereRead
    case always
    case never
  }

  /// More languages are not offered, however many clips have.
  private static let mostLanguages = 40
  /// Of a language's name on the wire, in bytes (RFC 5646, 4.4.1).
  private static let longestTag = 35

  public private(set) var choice: CaptionChoice
  /// Is told of each change.
  @ObservationIgnored public var onChanged: (() -> Void)?
  /// The device's languages, the best first.
  @ObservationIgnored public var ofDevice: () -> [String] = { Locale.preferredLanguages }
  /// Of clips that were on the screen.
  private var met: [String] = []
  @ObservationIgnored private let file: StoredFile<CaptionChoice>

  public init(file: StoredFile<CaptionChoice>) {
    self.file = file
    choice = file.load() ?? CaptionChoice()
  }

  public var showing: Showing {
    get { choice.isOn.map { $0 ? .always : .never } ?? .whereRead }
    set { change { $0.isOn = newValue == .whereRead ? nil : newValue == .always } }
  }

  /// The one that comes first where a clip has it; `nil`: those of the device.
  public var language: String? {
    get { choice.language }
    set { change { $0.language = newValue } }
  }

  /// What can be chosen: the device's languages, then those that clips had so far, each once.
  public var languages: [String] {
    var languages: [String] = []
    var known: Set<String> = []
    for language in [choice.language].compactMap({ $0 }) + ofDevice().map(Self.withoutRegion) + met
    where known.insert(language.lowercased()).inserted { languages.append(language) }
    return Array(languages.prefix(Self.mostLanguages))
  }

  /// As people call it, in the language of `locale`.
  public func name(of language: String, in locale: Locale = .autoupdatingCurrent) -> String {
    Self.name(of: language, in: locale)
  }

  static func name(of language: String, in locale: Locale) -> String {
    guard let name = locale.localizedString(forIdentifier: language), !name.isEmpty else { return language }
    // A word of a list begins with a capital letter, in whichever language it is.
    return name.prefix(1).uppercased(with: locale) + name.dropFirst()
  }

  /// A clip with these is on the screen.
  func meet(_ tracks: [CaptionTrack]) {
    for track in tracks where track.language.utf8.count <= Self.longestTag && !track.language.isEmpty {
      guard met.count < Self.mostLanguages, !met.contains(track.language) else { continue }
      met.append(track.language)
    }
  }

  func shown(of tracks: [CaptionTrack]) -> String? { choice.shown(of: tracks, languages: ofDevice()) }

  /// By the button, or a language of the menu; `nil` switches them off.
  func choose(_ language: String?) { change { $0.choose(language) } }

  func toggle(of tracks: [CaptionTrack]) {
    let languages = ofDevice()
    change { $0.toggle(of: tracks, languages: languages) }
  }

  private func change(_ act: (inout CaptionChoice) -> Void) {
    var changed = choice
    act(&changed)
    guard changed != choice else { return }
    choice = changed
    file.save(changed)
    onChanged?()
  }

  /// "de-AT" is "de" to whoever reads; "zh-Hant-TW" is "zh-Hant".
  static func withoutRegion(_ language: String) -> String {
    let parts = language.split { $0 == "-" || $0 == "_" }
    return parts.prefix(parts.count > 1 && parts[1].count == 4 ? 2 : 1).joined(separator: "-")
  }
}
