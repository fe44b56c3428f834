public import Foundation
internal import Platform

/// A regular expression of the operator's, as it is kept.
public struct PromptRule: Sendable, Equatable {
  /// With `PromptPattern.mostSteps` it bounds what all of them can cost of a prompt.
  static let most = 100
  /// Of prompts that were refused, which are for the operator to see whether rules are right.
  static let memoryMs: Int64 = 30 * 86_400_000
  /// Of one person, and scalars of a prompt: whoever tries thousands fills nothing.
  static let mostRefusedOfOne = 100
  static let keptScalars = 1000

  public let id: String
  public let pattern: String
  public let createdAt: Date

  static let tables = [
    """
    CREATE TABLE prompt_patterns (
        id TEXT PRIMARY KEY, pattern TEXT NOT NULL UNIQUE, created_at_ms BIGINT NOT NULL)
    """,
    """
    CREATE TABLE refused_prompts (
        id TEXT PRIMARY KEY, viewer_id TEXT NOT NULL, prompt TEXT NOT NULL, kind TEXT NOT NULL,
        rule TEXT NOT NULL, at_ms BIGINT NOT NULL)
    """,
    "CREATE INDEX refused_prompts_of_viewer ON refused_prompts (viewer_id, id)",
    "CREATE INDEX refused_prompts_by_time ON refused_prompts (at_ms)",
  ]

  init(_ row: Row) throws {
    id = try row.text("id")
    pattern = try row.text("pattern")
    createdAt = Date(timeIntervalSince1970: Double(try row.integer("created_at_ms")) / 1000)
  }
}

/// A prompt that was not taken, as the operator sees it.
public struct RefusedPrompt: Sendable, Equatable {
  public let id: String
  public let account: String
  /// Its beginning.
  public let prompt: String
  /// `word`, `pattern` or `moderation`.
  public let kind: String
  public let rule: String
  public let at: Date

  init(_ row: Row) throws {
    id = try row.text("id")
    account = try row.text("viewer_id")
    prompt = try row.text("prompt")
    kind = try row.text("kind")
    rule = try row.text("rule")
    at = Date(timeIntervalSince1970: Double(try row.integer("at_ms")) / 1000)
  }
}
