import Contract
import Foundation
import Persistence
import Testing

@testable import AppModel

@MainActor @Suite struct CaptionPreferencesTests {
  private func preferences(_ folder: URL, _ languages: [String] = ["de-AT", "en-GB"]) -> CaptionPreferences {
    let preferences = CaptionPreferences(file: StoredFile(folder.appending(path: "captions")))
    preferences.ofDevice = { languages }
    return preferences
  }

  private func track(_ language: String) -> CaptionTrack {
    CaptionTrack(language: language, label: language, url: "/\(language).vtt", automatic: false)
  }

  @Test func theSettingAndTheButtonAreOne() async throws {
    try await withFolder { folder in
      let preferences = preferences(folder)
      var changes = 0
      preferences.onChanged = { changes += 1 }
      #expect(preferences.showing == .whereRead)
      preferences.toggle(of: [track("de")])
      #expect(preferences.showing == .never)
      preferences.showing = .always
      #expect(preferences.shown(of: [track("fr")]) == "fr")
      preferences.showing = .always
      #expect(changes == 2)
      // The next run has it.
      #expect(self.preferences(folder).showing == .always)
      preferences.showing = .whereRead
      #expect(preferences.shown(of: [track("fr")]) == nil)
      #expect(preferences.shown(of: [track("fr"), track("en")]) == "en")
    }
  }

  @Test func aLanguageComesFirstAndSwitchesNothingOn() async throws {
    try await withFolder { folder in
      let preferences = preferences(folder)
      preferences.language = "fr"
      #expect(preferences.showing == .whereRead)
      #expect(preferences.shown(of: [track("de"), track("fr")]) == "fr")
      preferences.showing = .never
      preferences.language = nil
      #expect(preferences.showing == .never)
      #expect(preferences.shown(of: [track("de")]) == nil)
    }
  }

  @Test func offersTheDevicesLanguagesAndThoseOfClipsOnce() async throws {
    try await withFolder { folder in
      let preferences = preferences(folder, ["de-AT", "zh-Hant-TW", "de-DE"])
      #expect(preferences.languages == ["de", "zh-Hant"])
      preferences.meet([track("pt-BR"), track("DE"), track("pt-BR")])
      #expect(preferences.languages == ["de", "zh-Hant", "pt-BR"])
      preferences.language = "fr"
      #expect(preferences.languages.first == "fr")
      #expect(preferences.name(of: "pt-BR", in: Locale(identifier: "en_US")) == "Portuguese (Brazil)")
      #expect(preferences.name(of: "fr", in: Locale(identifier: "fr_FR")) == "Français")
    }
  }

  @Test func aHostileServersLanguagesAreBounded() async throws {
    try await withFolder { folder in
      let preferences = preferences(folder, ["en"])
      preferences.meet(
        (0..<1_000).map { track("x-\($0)") } + [track(""), track(String(repeating: "a", count: 5_000))])
      #expect(preferences.languages.count == 40)
      #expect(preferences.languages.allSatisfy { !$0.isEmpty && $0.utf8.count <= 35 })
    }
  }
}
