public import Contract

/// A clip that comes next in "For you". What else is known of it is for whoever ordered it.
public protocol OrderedClip: Sendable {
  var id: String { get }
  var reason: ClipReason { get }
}

/// Orders "For you". What it says are hints: the feed looks at every clip once more before it shows it.
public protocol ClipOrdering: Sendable {
  /// Whether the order may be the viewer's own.
  func isPersonalised(_ viewer: String) async throws -> Bool
  /// Clips that come next in a walk, none that these walks have handed out. Nil: there is no order now.
  /// Empty, or fewer than asked for: nothing more is left that is new to the viewer. `language`: what the
  /// viewer reads, the first part of a tag of BCP 47 in lower case; nil: it is not known.
  func next(
    _ count: Int, of walks: [String], for viewer: String?, language: String?
  ) async -> [any OrderedClip]?
  /// Whether those who read this language have an order of their own while nothing is known of them. It is
  /// so of few languages, of which there are clips. Answered at once, for each such request.
  func hasFront(in language: String) -> Bool
  /// Writes down what a walk is done with: what it hands out, and what turned out not to be for this viewer.
  /// `placed`: how many there were before.
  func note(
    _ clips: [(clip: any OrderedClip, isShown: Bool)], in walk: String, behind placed: Int,
    for viewer: String?) async throws
  /// What was written down behind so many places, in its order; without a reason: it was not shown.
  func noted(in walk: String, behind placed: Int) async throws -> [(id: String, reason: ClipReason?)]
  /// What these walks have handed out.
  func shown(in walks: [String]) async throws -> [String]
  /// Those of these clips of which the viewer wants no more: themselves, their author, a tag of theirs or
  /// their sound.
  func dismissed(among clips: [String], by viewer: String) async throws -> Set<String>
}
