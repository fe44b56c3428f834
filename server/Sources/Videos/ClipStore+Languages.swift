public import Platform

/// The language that is spoken or written in a clip, as far as it is known. It says before whom a clip that
/// rises is put first, and is shown to nobody but its owner.
extension ClipStore {
  public static let languageMigrations = [
    Migration(
      "0073_languages_of_clips",
      [
        // As the first part of a tag of BCP 47 in lower case. Nil: it is not known, and counts as any.
        "ALTER TABLE clips ADD COLUMN language TEXT"
      ])
  ]

  /// Tags for what is in no language, in several, or in one that nobody can name.
  private static let general: Set<String> = ["zxx", "mul", "und", "mis"]

  /// What is kept of a tag of BCP 47. Nil for what is none, or names no one language.
  static func language(of tag: String?) -> String? {
    guard let tag = tag.flatMap({ LanguageTag($0) }), !general.contains(tag.primary) else { return nil }
    return tag.primary
  }

  /// Says in which language a clip is, by a tag of BCP 47; one such as `zxx` says that it is in no particular
  /// one. Nothing for a clip that is gone.
  public func setLanguage(_ tag: String, of clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    let language = Self.language(of: tag)
    try changes.execute(
      "UPDATE clips SET language = ?, changed_at_ms = ? WHERE id = ? AND language IS DISTINCT FROM ?",
      [SQLValue(language), .integer(time.nowMs), .text(clipID), SQLValue(language)], in: transaction)
  }
}
