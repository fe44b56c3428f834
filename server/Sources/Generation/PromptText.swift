internal import Contract
internal import Platform

/// What somebody wants to see, in words.
enum PromptText {
  /// Plain lines, as all that people write. Throws `prompt_empty` and `prompt_too_long`. Whether it is taken
  /// is for `PromptRefusal`.
  static func checked(_ text: String) throws -> String {
    let most = Limits.promptScalars.upperBound
    guard text.unicodeScalars.count <= most else { throw AppError(.promptTooLong, field: "prompt") }
    let clean = PlainText.lines(text)
    guard !clean.isEmpty else { throw AppError(.promptEmpty, field: "prompt") }
    // NB: some signs of one scalar are several in their normal form.
    guard clean.unicodeScalars.count <= most else { throw AppError(.promptTooLong, field: "prompt") }
    return clean
  }

  /// As providers get it: they know no styles.
  static func styled(_ prompt: String, _ style: GenerationStyle) -> String {
    switch style {
    case .none: prompt
    case .cinematic: "\(prompt)\n\nStyle: cinematic, film look, dramatic light, shallow depth of field."
    case .animation: "\(prompt)\n\nStyle: animation, drawn, vivid colours."
    case .realistic: "\(prompt)\n\nStyle: realistic, natural light, as a camera sees it."
    }
  }
}
