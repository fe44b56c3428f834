internal import Contract
internal import Logging
internal import Platform

/// Which prompts are taken: by the operator's words, then by their expressions, then by whoever moderates.
/// Each decision is in the log, without the prompt; what was refused is in a table for the operator.
extension Generations {
  /// Throws `content_policy`, and `unavailable` where nobody can look at it now.
  func requireTaken(
    _ prompt: String, startingFrom start: VideoStart?, as aspect: GenerationAspect, by account: String
  ) async throws {
    guard let refusal = try await refusal(of: prompt, startingFrom: start, as: aspect, by: account) else {
      logger.info(
        "a prompt was taken", metadata: ["account": "\(account)", "picture": "\(looked(at: start))"])
      return
    }
    logger.notice(
      "a prompt was refused",
      metadata: [
        "account": "\(account)", "kind": "\(refusal.kind.rawValue)", "rule": "\(refusal.rule)",
        "picture": "\(looked(at: start))", "field": "\(refusal.field)",
      ])
    try await keep(refusal, of: prompt, by: account)
    throw AppError(.contentPolicy, refusal.detail, field: refusal.field)
  }

  /// For the log: whether somebody looks at pictures.
  private func looked(at start: VideoStart?) -> String {
    guard start != nil else { return "none" }
    return review.moderator?.moderation.takesPictures == true ? "moderated" : "not moderated"
  }

  private func refusal(
    of prompt: String, startingFrom start: VideoStart?, as aspect: GenerationAspect, by account: String
  ) async throws -> PromptRefusal? {
    if let refusal = PromptRefusal(word: prompt, of: siteRules) { return refusal }
    if let pattern = try await self.pattern(in: prompt) { return PromptRefusal(pattern: pattern) }
    guard let moderator = review.moderator else { return nil }
    var shown: [UInt8]?
    if let start, moderator.moderation.takesPictures { shown = try await bytes(of: start, as: aspect) }
    do {
      return PromptRefusal(try await moderator.moderation.judge(prompt, picture: shown), startingFrom: start)
    } catch let failure as ProviderFailure {
      logger.error(
        "prompts cannot be moderated now",
        metadata: [
          "account": "\(account)", "code": "\(failure.code.rawValue)", "detail": "\(failure.detail)",
          "taken": "\(moderator.letsThrough)",
        ])
      guard !moderator.letsThrough else { return nil }
      throw AppError(.unavailable, PromptSentence.unchecked)
    }
  }

  /// The operator's expression that is found in it.
  private func pattern(in prompt: String) async throws -> String? {
    let rules = try await promptRules()
    guard !rules.isEmpty else { return nil }
    let text = PromptPattern.Text(prompt)
    let compiled = try patterns.all(of: rules.map { ($0.id, $0.pattern) })
    for (rule, expression) in zip(rules, compiled) {
      if expression.matches(text) { return rule.pattern }
      // Others have their turn, however many there are.
      await Task.yield()
    }
    return nil
  }

  private func keep(_ refusal: PromptRefusal, of prompt: String, by account: String) async throws {
    try await database.write { transaction in
      try transaction.execute(
        "INSERT INTO refused_prompts (id, viewer_id, prompt, kind, rule, at_ms) VALUES (?, ?, ?, ?, ?, ?)",
        [
          .text(Identifier.make(at: time)), .text(account),
          .text(BoundedText.cut(prompt, toScalars: PromptRule.keptScalars)), .text(refusal.kind.rawValue),
          .text(refusal.rule), .integer(time.nowMs),
        ])
      try transaction.execute(
        """
        DELETE FROM refused_prompts WHERE viewer_id = ? AND id <= (
            SELECT id FROM refused_prompts WHERE viewer_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)
        """, [.text(account), .text(account), SQLValue(PromptRule.mostRefusedOfOne)])
    }
  }

  // MARK: For the operator

  /// All, the oldest first.
  public func promptRules() async throws -> [PromptRule] {
    try await database.read {
      // NB: behind nothing, so that every engine goes by the key.
      try $0.query(
        "SELECT id, pattern, created_at_ms FROM prompt_patterns WHERE id > ? ORDER BY id LIMIT ?",
        [.text(""), SQLValue(PromptRule.most)]
      ).map(PromptRule.init)
    }
  }

  /// From the next prompt on, in every process. The same again is the one that there is. Throws
  /// `invalid_parameter`, with what is wrong with it.
  public func addPromptRule(_ pattern: String) async throws -> PromptRule {
    do {
      _ = try PromptPattern(pattern)
    } catch let fault as PromptPattern.Fault {
      throw AppError(.invalidParameter, fault.description)
    }
    return try await database.write { transaction in
      try transaction.lock("prompt patterns")
      let known = "SELECT id, pattern, created_at_ms FROM prompt_patterns WHERE pattern = ?"
      if let row = try transaction.query(known, [.text(pattern)]).first { return try PromptRule(row) }
      let count = try transaction.query("SELECT COUNT(*) AS n FROM prompt_patterns")[0].integer("n")
      guard count < PromptRule.most else {
        throw AppError(.invalidParameter, "There are \(PromptRule.most) rules already; remove one first.")
      }
      try transaction.execute(
        "INSERT INTO prompt_patterns (id, pattern, created_at_ms) VALUES (?, ?, ?)",
        [.text(Identifier.make(at: time)), .text(pattern), .integer(time.nowMs)])
      return try PromptRule(transaction.query(known, [.text(pattern)])[0])
    }
  }

  /// False: there is no such rule.
  public func removePromptRule(_ id: String) async throws -> Bool {
    try await database.write {
      try $0.execute("DELETE FROM prompt_patterns WHERE id = ?", [.text(id)]) == 1
    }
  }

  /// Of the last 30 days, the newest first.
  public func refusedPrompts(_ limit: Int) async throws -> [RefusedPrompt] {
    try await database.read {
      try $0.query("SELECT * FROM refused_prompts ORDER BY id DESC LIMIT ?", [SQLValue(limit)])
        .map(RefusedPrompt.init)
    }
  }
}
