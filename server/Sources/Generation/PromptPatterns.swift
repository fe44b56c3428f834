internal import Synchronization

/// The operator's expressions as they are looked for, kept while they are the same. A process that has them
/// all compiles none for a prompt.
final class PromptPatterns: Sendable {
  private struct State {
    /// A rule is never changed under its id, so these say which version it is.
    var ids: [String] = []
    var patterns: [PromptPattern] = []
  }

  private let state = Mutex(State())

  /// In the order of the rules. Throws what is wrong with one that this version does not understand.
  func all(of rules: [(id: String, pattern: String)]) throws -> [PromptPattern] {
    let ids = rules.map(\.id)
    let kept = state.withLock { $0.ids == ids ? $0.patterns : nil }
    if let kept { return kept }
    let patterns = try rules.map { try PromptPattern($0.pattern) }
    // Whoever compiled an older version at the same time may be later: the next prompt has its own look.
    state.withLock { $0 = State(ids: ids, patterns: patterns) }
    return patterns
  }
}
