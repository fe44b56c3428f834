internal import Platform

/// A device in few words, of what a client calls itself (`User-Agent`).
///
/// The words are ours alone, never the client's: a stranger who guesses at a password would otherwise write
/// into its owner's mail, in our name.
enum DeviceName {
  /// Bytes of what is looked at.
  private static let bytes = 512

  // The first that is in it: every browser also says that it is others.
  private static let browsers: [(words: [String], name: String)] = [
    (["Edg/", "EdgA/", "EdgiOS/"], "Edge"), (["OPR/"], "Opera"), (["SamsungBrowser/"], "Samsung Internet"),
    (["Firefox/", "FxiOS/"], "Firefox"), (["Chrome/", "CriOS/"], "Chrome"), (["Safari/"], "Safari"),
  ]
  private static let systems: [(words: [String], name: String)] = [
    (["iPhone"], "iPhone"), (["iPad"], "iPad"), (["Android"], "Android"), (["Windows"], "Windows"),
    (["CrOS"], "ChromeOS"), (["Mac OS X", "Macintosh"], "Mac"), (["Linux"], "Linux"),
  ]

  /// "Firefox on Android", or what is known of it; nil if that is nothing.
  static func of(_ client: String) -> String? {
    let text = BoundedText.cut(client, toBytes: bytes)
    let found = [browsers, systems].compactMap { table in
      table.first { $0.words.contains { text.split(atText: $0).count > 1 } }?.name
    }
    return found.isEmpty ? nil : found.joined(separator: " on ")
  }
}
