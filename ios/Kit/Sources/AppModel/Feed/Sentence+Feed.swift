/// What is said over the feed.
extension Sentence {
  static let clipSkipped: Sentence = "A clip could not be played and was skipped."
  static let likeFailed: Sentence = "The like was not saved."
  static let bookmarkFailed: Sentence = "The bookmark was not saved."
  static let followFailed: Sentence = "Following was not saved."
  static let bookmarked: Sentence = "Added to your bookmarks."
  static let bookmarkRemoved: Sentence = "Removed from your bookmarks."
  static let linkCopied: Sentence = "The link is copied."
  static let secretCopied: Sentence = "The link is copied. Whoever has it sees the clip."
  static let clipPrivate: Sentence = "Only you can see this clip."
  static let clipGone: Sentence = "This clip is gone."
  static let clipUnreachable: Sentence = "The clip could not be loaded. Try again."
  static let tabUnreachable: Sentence = "This could not be loaded. Check the connection and try again."
  static let noWindow: Sentence = "This clip cannot be shown in a window yet. Try again in a moment."
  static func blocked(_ name: String) -> Sentence { Sentence("%@ is blocked.", name) }
  static func notBlocked(_ name: String) -> Sentence { Sentence("%@ was not blocked.", name) }
}
