/// Addresses of the web and of e-mail in texts of strangers, with a scheme or without.
public enum WrittenLinks {
  /// In time that grows with the text alone, of which no more is looked at than any text here has.
  public static func areIn(_ text: String) -> Bool {
    let line = PlainText.line(BoundedText.cut(text, toScalars: WordFilter.scalars))
    let scalars = Array(FoldedText.folded(line).unicodeScalars.prefix(2 * WordFilter.scalars))
    if hasScheme(scalars) { return true }
    var start = scalars.startIndex
    while start < scalars.endIndex {
      guard isOfName(scalars[start]) else {
        start += 1
        continue
      }
      let end = scalars[start...].firstIndex { !isOfName($0) } ?? scalars.endIndex
      let hasPath =
        end + 1 < scalars.endIndex && scalars[end] == "/" && scalars[end + 1] != " "
      if isHost(scalars[start..<end], hasPath: hasPath) { return true }
      start = end
    }
    return false
  }

  /// `scheme://` with something behind.
  private static func hasScheme(_ scalars: [Unicode.Scalar]) -> Bool {
    guard scalars.count > 4 else { return false }
    return scalars.indices.dropFirst().dropLast(3).contains { place in
      scalars[place] == ":" && scalars[place + 1] == "/" && scalars[place + 2] == "/"
        && isLetter(scalars[place - 1]) && scalars[place + 3] != " "
    }
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    isLetter(scalar) || scalar == "-" || isDot(scalar)
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    FoldedText.kind(of: scalar) != .between
  }

  /// The full stop, and what browsers take for one (UTS #46).
  private static func isDot(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "\u{3002}" }

  private static func isHost(_ scalars: ArraySlice<Unicode.Scalar>, hasPath: Bool) -> Bool {
    let labels = scalars.split(whereSeparator: isDot).map { label in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: label)
      return String(text)
    }
    guard labels.count >= 2, let last = labels.last, let first = labels.first else { return false }
    if first == "www" || last.starts(withBytesOf: "xn--") || ends.contains(last) { return true }
    let isCountry = last.utf8.count == 2 && last.utf8.allSatisfy { $0.isAlphanumeric && !$0.isDigit }
    // NB: "talk.to" and "love.it" are two words whose blank is missing, "t.me/somebody" is not.
    return isCountry && (hasPath || (labels.count >= 3 && seconds.contains(labels[labels.count - 2])))
  }

  /// By which a name is known for one of the web, without a path: those that are no words, and in use.
  private static let ends: Set<String> = [
    "com", "net", "org", "info", "biz", "edu", "gov", "int", "mil", "app", "dev", "xyz", "io", "co", "gg",
    "tv",
    "cc", "ly", "ai", "eu", "uk", "de", "fr", "es", "nl", "pl", "ru", "cz", "ch", "se", "dk", "fi", "jp",
    "cn",
    "kr", "br", "tk", "ml", "ga", "cf", "gq", "vip", "online", "shop", "site", "store", "club", "top", "link",
    "click", "page", "blog", "website", "space", "fun", "icu", "рф", "中国", "онлайн",
  ]
  /// In front of the country's letters: `co.uk`.
  private static let seconds: Set<String> = ["co", "com", "org", "net", "ac", "gov", "edu"]
}
