internal import AppModel
internal import Foundation
internal import SwiftUI

/// Whether captions are shown, and in which language where a clip has several.
struct CaptionsSection: View {
  @Bindable private var preferences: CaptionPreferences

  init(_ preferences: CaptionPreferences) { self.preferences = preferences }

  var body: some View {
    Section {
      Picker("Captions", selection: $preferences.showing) {
        ForEach(CaptionPreferences.Showing.allCases, id: \.self) { Text(Self.name($0)).tag($0) }
      }
      if preferences.showing != .never {
        Picker("Language of the captions", selection: $preferences.language) {
          Text("As on this device").tag(String?.none)
          ForEach(preferences.languages, id: \.self) { language in
            Text(verbatim: preferences.name(of: language)).tag(Optional(language))
          }
        }
      }
    } footer: {
      Text(Self.meaning(preferences.showing))
    }
  }

  private static func name(_ showing: CaptionPreferences.Showing) -> LocalizedStringKey {
    switch showing {
    case .whereRead: "Automatic"
    case .always: "On"
    case .never: "Off"
    }
  }

  private static func meaning(_ showing: CaptionPreferences.Showing) -> LocalizedStringKey {
    switch showing {
    case .whereRead: "Shown where a clip has captions in a language that you read."
    case .always: "Shown wherever a clip has captions."
    case .never: "Not shown. The button on a clip brings them back."
    }
  }
}
