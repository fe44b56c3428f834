internal import AppModel
internal import Foundation

extension Sentence {
  /// In the language of this device.
  var words: String { text { Bundle.main.localizedString(forKey: $0, value: nil, table: nil) } }
}
