public import Contract
public import Observation

/// The search: a field that suggests while somebody types, and what is found, page by page.
///
/// It refuses to know how words lead to clips: the server does.
@MainActor @Observable public final class SearchModel {
  public enum Kind: String, CaseIterable, Sendable { case clips, people, tags, sounds }

  /// As on the web: so long after a key the server is asked.
  static let pause = Duration.milliseconds(200)

  /// In the field.
  public var text = "" { didSet { if text != oldValue { typed() } } }
  /// What the results are of; empty: nothing is looked for.
  public private(set) var asked = ""
  public private(set) var kind = Kind.clips
  public private(set) var suggestions: [SearchSuggestion] = []
  public let recent: RecentSearches
  public let clips: ClipGridModel
  public let people: FoundPeopleModel
  public let tags: PagedList<FoundTag>
  public let sounds: PagedList<FoundSound>

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored private let question: Question
  @ObservationIgnored private var suggesting: Task<Void, Never>?

  /// What lists ask for.
  @MainActor private final class Question { var text = "" }

  init(
    client: Client, recent: RecentSearches, clock: any PauseClock, tabs: FeedTabs,
    announcements: Announcements
  ) {
    self.client = client
    self.recent = recent
    self.clock = clock
    let question = Question()
    self.question = question
    clips = ClipGridModel(
      "What was found", none: .nothingFound, source: .search, tabs: tabs, announcements: announcements
    ) { try await client.foundClips(question.text, cursor: $0, limit: $1) }
    people = FoundPeopleModel(client: client, announcements: announcements) {
      try await client.foundPeople(question.text, cursor: $0, limit: $1)
    }
    tags = PagedList { try await client.foundTags(question.text, cursor: $0, limit: $1) }
    sounds = PagedList { try await client.foundSounds(question.text, cursor: $0, limit: $1) }
  }

  // MARK: What is asked

  /// The keyboard's key.
  public func submit() { ask(text) }

  public func choose(_ suggestion: SearchSuggestion) {
    switch suggestion.kind {
    case .person: ask("@" + (suggestion.person?.handle ?? suggestion.text), .people)
    case .tag: ask("#" + suggestion.text, .clips)
    case .words: ask(suggestion.text, .clips)
    }
  }

  /// Looks for `text`; nothing is looked for where there is none.
  public func ask(_ text: String, _ kind: Kind? = nil) {
    let wanted = Self.trimmed(text)
    stopSuggesting()
    if let kind { self.kind = kind }
    if !wanted.isEmpty { recent.add(wanted) }
    asked = wanted
    question.text = wanted
    self.text = wanted
    stopSuggesting()
    clips.clear()
    people.list.clear()
    tags.clear()
    sounds.clear()
  }

  public func turn(to kind: Kind) { self.kind = kind }

  /// Whoever opens the search anew begins with an empty field.
  func reset() {
    ask("", .clips)
  }

  // MARK: Suggestions

  private func typed() {
    stopSuggesting()
    let wanted = Self.trimmed(text)
    guard Array(wanted.utf8) != Array(asked.utf8) else { return }
    guard !wanted.isEmpty else { return ask("") }
    suggesting = Task { [weak self, clock] in
      do { try await clock.pause(Self.pause) } catch { return }
      await self?.suggest(wanted)
    }
  }

  private func suggest(_ wanted: String) async {
    // Without suggestions one can still ask; what is wrong is said then.
    let answer = try? await client.searchSuggestions(wanted)
    // The last question is the one that counts, whichever answer comes first.
    guard !Task.isCancelled else { return }
    suggestions = answer?.items ?? []
  }

  private func stopSuggesting() {
    suggesting?.cancel()
    suggesting = nil
    suggestions = []
  }

  /// Returns once nothing of this is on its way.
  func settled() async { await suggesting?.value }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count <= Limits.searchScalars
      ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Limits.searchScalars)))
  }

  /// Without what lies around it, and no longer than the server takes.
  static func trimmed(_ text: String) -> String {
    let scalars = cut(text).unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }
}

extension SearchModel.Kind {
  public var title: Sentence {
    switch self {
    case .clips: "Clips"
    case .people: "People"
    case .tags: "Tags"
    case .sounds: "Sounds"
    }
  }

  /// What to try where nothing was found: the same among others.
  public var others: [SearchModel.Kind] { Self.allCases.filter { $0 != self } }
}

extension Sentence {
  static let nothingFound: Sentence = "Try fewer or other words, or the beginning of one."
  static let clipUnplayable: Sentence = "This clip cannot be played here."
}
