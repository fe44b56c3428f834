/// What a person reads of whose prompt nothing is made: one sentence for each kind of rule, which clients
/// have in their own languages. None of them shows an expression of the operator's: whoever reads one knows
/// how to get round it.
public enum PromptSentence {
  /// What moderation found.
  public enum Finding: String, CaseIterable, Sendable {
    case sexual =
      "The check of prompts found that this is sexual. Change what it describes and send it again."
    case selfHarm =
      "The check of prompts found that this is about hurting oneself. Change what it describes and send it again."
    case violence =
      "The check of prompts found that this is violent. Change what it describes and send it again."
    case hate =
      "The check of prompts found that this is hateful. Change what it describes and send it again."
    case harassment =
      "The check of prompts found that this attacks somebody. Change what it describes and send it again."
    case illicit =
      "The check of prompts found that this is about something illegal. Change what it describes and send it again."
    case other =
      "The check of prompts found that this is against the rules here. Change what it describes and send it again."
  }

  /// An expression of the operator's found something.
  public static let pattern =
    "A rule of this site for prompts does not take this. Change what it describes and send it again."
  /// What moderation found is in the picture alone.
  public static let picture =
    "The check of pictures found that this one is against the rules here. Choose another one."
  /// Whoever moderates does not answer.
  public static let unchecked = "Prompts cannot be checked now; try again in a moment."

  public static let all = [pattern, picture, unchecked] + Finding.allCases.map(\.rawValue)
}
