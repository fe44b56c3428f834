internal import Contract
internal import Platform

/// Why nothing is made of a prompt, without a clock, a database or a service.
struct PromptRefusal: Sendable, Equatable {
  enum Kind: String, Sendable {
    /// Of the operator's list.
    case word
    /// An expression of the operator's.
    case pattern
    /// Whoever moderates.
    case moderation
  }

  let kind: Kind
  /// For the operator: the word, the expression, or the categories.
  let rule: String
  /// For whoever wrote it: which kind of rule it was, and what to do.
  let detail: String
  /// Which part of the request it is about.
  private(set) var field = "prompt"

  init?(word prompt: String, of rules: SiteRules) {
    guard let word = rules.refusedWord(in: prompt) else { return nil }
    (kind, rule, detail) = (.word, word, SiteRules.sentence(refusing: word))
  }

  init(pattern: String) {
    (kind, rule) = (.pattern, pattern)
    detail = PromptSentence.pattern
  }

  /// Nil: it was found to be good.
  init?(_ judgement: PromptJudgement, startingFrom start: VideoStart? = nil) {
    guard judgement.isFlagged else { return nil }
    (kind, rule) = (.moderation, judgement.categories.joined(separator: " "))
    detail = judgement.isOfPicture ? PromptSentence.picture : Self.finding(judgement.categories).rawValue
    if judgement.isOfPicture, let start { field = start.field }
  }

  /// In words, what weighs most. The names are those of OpenAI's categories, of which some have parts
  /// (`hate/threatening`); whoever speaks its dialect may have others.
  private static func finding(_ categories: [String]) -> PromptSentence.Finding {
    let found = Set(
      categories.map { name in
        String(Substring(name.utf8.prefix { $0 != UInt8(ascii: "/") }))
          .replacing(byte: UInt8(ascii: "_"), with: "-")
      })
    let names: [(String, PromptSentence.Finding)] = [
      ("sexual", .sexual), ("self-harm", .selfHarm), ("violence", .violence), ("hate", .hate),
      ("harassment", .harassment), ("illicit", .illicit),
    ]
    return names.first { found.contains($0.0) }?.1 ?? .other
  }
}
