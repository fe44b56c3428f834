public import Contract
public import Observation

/// Which comments wait under one's own clips, who may write there, and those that wait. A switch shows at
/// once; what fails is taken back and said. What is typed stays until it was saved.
///
/// It refuses to know what a word matches.
@MainActor @Observable public final class FiltersModel {
  public enum Field: String, Hashable, Sendable, CaseIterable {
    /// One on each line.
    case words
  }

  public enum Rule: Hashable, Sendable, CaseIterable { case holdsLinks, followersOnly }

  public let list: PagedList<HeldComment>
  public let form = FormState<Field>(optional: [.words])
  /// They could not be loaded.
  public private(set) var failure: Sentence?
  /// How many comments wait; `Limits.heldComments` stands for as many and more.
  public private(set) var held = 0
  /// As the server has them.
  private var known: CommentFilters?
  /// What is not there yet.
  private var wanted: [Rule: Bool] = [:]
  /// Comments about which something is on its way.
  private var busy: Set<String> = []

  @ObservationIgnored private let client: Client
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  @ObservationIgnored var open: (Clip) -> Void = { _ in }
  /// The server keeps the two apart from now on.
  @ObservationIgnored var blocked: (Author) -> Void = { _ in }
  /// Answers for somebody else are none.
  @ObservationIgnored private var beginning = 0
  /// A change goes with all the rest, so one waits for the other.
  @ObservationIgnored private var last: Task<Void, any Error>?

  init(client: Client) {
    self.client = client
    let counted = Counted()
    list = PagedList { cursor, limit in
      let page = try await client.heldComments(cursor: cursor, limit: limit)
      counted.tell(page.held)
      return Page(items: page.items, nextCursor: page.nextCursor)
    }
    counted.tell = { [weak self] in self?.held = max(0, $0) }
  }

  /// What a page says beside its comments.
  @MainActor private final class Counted {
    var tell: (Int) -> Void = { _ in }
  }

  /// The filters came.
  public var isThere: Bool { known != nil }

  public func isOn(_ rule: Rule) -> Bool { wanted[rule] ?? known?[rule] ?? false }

  public func isBusy(_ item: HeldComment) -> Bool { busy.contains(item.comment.id) }

  public func load() async {
    failure = nil
    let begun = beginning
    do {
      let answer = try await client.commentFilters()
      guard begun == beginning else { return }
      let isTyped = known.map { form[.words] != Self.lines($0.words) } ?? false
      known = answer
      if !isTyped { form[.words] = Self.lines(answer.words) }
    } catch {
      guard begun == beginning, !Sentence.isSilent(error) else { return }
      if isThere { say(Sentence(for: error)) } else { failure = Sentence(for: error) }
    }
  }

  // MARK: Filters

  public func set(_ rule: Rule, _ isOn: Bool) async {
    wanted[rule] = isOn
    let begun = beginning
    do {
      try await save { $0[rule] = isOn }
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { say(Sentence(for: error)) }
    }
    // It may be turned again by now.
    if begun == beginning, wanted[rule] == isOn { wanted[rule] = nil }
  }

  public func saveWords() async {
    let words = Self.words(in: form[.words])
    guard await form.submit([.words], { try await save { $0.words = words } }) else { return }
    form[.words] = Self.lines(known?.words ?? [])
    say("The words are saved.")
  }

  private func save(_ change: @escaping @Sendable (inout CommentFilters) -> Void) async throws {
    let begun = beginning
    let before = last
    let task = Task<Void, any Error> {
      _ = await before?.result
      guard begun == beginning, var next = known else { throw CancellationError() }
      change(&next)
      let answer = try await client.change(next)
      guard begun == beginning else { throw CancellationError() }
      known = answer
    }
    last = task
    try await task.value
  }

  static func lines(_ words: [String]) -> String { words.joined(separator: "\n") }

  /// Each line that says something.
  static func words(in text: String) -> [String] {
    text.unicodeScalars.split { $0 == "\n" || $0 == "\r" || $0 == "\u{2028}" }.compactMap { line in
      guard let first = line.firstIndex(where: { !$0.properties.isWhitespace }),
        let last = line.lastIndex(where: { !$0.properties.isWhitespace })
      else { return nil }
      return String(String.UnicodeScalarView(line[first...last]))
    }
  }

  // MARK: What waits

  public func letIn(_ item: HeldComment) async {
    await decide(item, "The comment stands under your clip.") { [client] in
      _ = try await client.approveComment(item.comment.id)
    }
  }

  public func delete(_ item: HeldComment) async {
    await decide(item, "The comment is deleted.") { [client] in
      try await client.deleteComment(item.comment.id)
    }
  }

  /// What they wrote waits for nothing any more.
  public func block(_ author: Author) async {
    let begun = beginning
    do {
      _ = try await client.block(author.id)
      guard begun == beginning else { return }
      say(Sentence("%@ is blocked.", author.name))
      blocked(author)
      await list.reload()
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { say(Sentence(for: error)) }
    }
  }

  public func watch(_ item: HeldComment) async {
    do {
      open(try await client.clip(item.comment.clipId))
    } catch {
      if !Sentence.isSilent(error) { say(RequestFailure(error).sentence) }
    }
  }

  /// What is gone meanwhile leaves as well.
  private func decide(_ item: HeldComment, _ done: Sentence, _ work: () async throws -> Void) async {
    let id = item.comment.id
    guard busy.insert(id).inserted else { return }
    defer { busy.remove(id) }
    let begun = beginning
    do {
      try await work()
      guard begun == beginning else { return }
      say(done)
    } catch {
      guard begun == beginning, !Sentence.isSilent(error) else { return }
      let failure = RequestFailure(error)
      say(failure.sentence)
      guard failure.isOne(of: .commentNotFound) else { return }
    }
    let before = list.items.count
    list.remove { $0.comment.id == id }
    held = max(0, held - (before - list.items.count))
    if list.items.isEmpty, !list.isWhole { await list.more() }
  }

  /// Somebody else's begin.
  func clear() {
    beginning += 1
    list.clear()
    form[.words] = ""
    form.fail(nil)
    failure = nil
    held = 0
    known = nil
    wanted = [:]
    last = nil
  }
}

extension CommentFilters {
  fileprivate subscript(rule: FiltersModel.Rule) -> Bool {
    get {
      switch rule {
      case .holdsLinks: holdLinks
      case .followersOnly: followersOnly
      }
    }
    set {
      switch rule {
      case .holdsLinks: holdLinks = newValue
      case .followersOnly: followersOnly = newValue
      }
    }
  }
}
