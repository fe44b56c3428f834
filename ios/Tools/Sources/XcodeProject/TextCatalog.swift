import Foundation

/// A string catalog: texts by their key, in each language.
struct TextCatalog: Sendable {
  let keys: Set<String>
  /// Keys without a text in one of the languages, plurals that are not whole, and gaps that differ.
  let faults: [String]

  /// `nil`: these bytes are no catalog.
  init?(_ data: Data, languages: [String]) {
    guard let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let strings = json["strings"] as? [String: [String: Any]]
    else { return nil }
    keys = Set(strings.keys)
    var faults: [String] = []
    for (key, entry) in strings.sorted(by: { $0.key < $1.key }) {
      let texts = entry["localizations"] as? [String: [String: Any]] ?? [:]
      for language in languages {
        let units = Self.units(of: texts[language] ?? [:])
        if units.isEmpty || units.contains(where: { $0.state != "translated" || $0.text.isEmpty }) {
          faults.append("\"\(key)\" has no \(language)")
        }
        // English and German have two forms; the one for a single thing may leave the number out.
        let forms = Set(units.compactMap(\.form))
        if !forms.isEmpty, forms != ["one", "other"] {
          faults.append("\"\(key)\" has not the plurals one and other in \(language)")
        }
        if language != languages.first, units.contains(where: { $0.text == key }),
          key.split(separator: " ").filter({ $0.count(where: \.isLetter) >= 2 }).count >= 3
        {
          faults.append("\"\(key)\" is not put into \(language)")
        }
        for unit in units where unit.form == nil || unit.form == "other" {
          if Self.gaps(in: unit.text) != Self.gaps(in: key), !Self.gaps(in: key).isEmpty || key.contains(" ")
          {
            faults.append("\"\(key)\" has other gaps in \(language)")
          }
        }
      }
    }
    self.faults = faults
  }

  private struct Unit {
    var text: String
    var state: String
    /// Of a plural: "one", "other" and so on.
    var form: String?
  }

  private static func units(of text: [String: Any]) -> [Unit] {
    if let unit = text["stringUnit"] as? [String: String] {
      return [Unit(text: unit["value"] ?? "", state: unit["state"] ?? "")]
    }
    let plural = (text["variations"] as? [String: Any])?["plural"] as? [String: [String: Any]] ?? [:]
    return plural.flatMap { form, text in
      units(of: text).map { Unit(text: $0.text, state: $0.state, form: form) }
    }
  }

  /// Sorted, and without the numbers that say in which order they are filled.
  private static func gaps(in text: String) -> [String] {
    let expression = try! NSRegularExpression(pattern: #"%(?:\d+\$)?(@|l{0,2}[diuf]|\.\d+f|%)"#)
    let whole = text as NSString
    return expression.matches(in: text, range: NSRange(location: 0, length: whole.length))
      .map { whole.substring(with: $0.range(at: 1)) }.filter { $0 != "%" }.sorted()
  }
}
