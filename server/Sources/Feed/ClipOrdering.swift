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
  /// Empty, or fewer than asked for: nothing more is left that is new to the viewer.
  func next(_ count: Int, of walks: [String], for viewer: String?) async -> [any OrderedClip]?
  /// Writes down what a walk is done with: what it hands out, and what turned out not to be for this viewer.
  /// `placed`: how many there were before.
  func note(
    _ clips: [(clip: any OrderedClip, isShown: Bool)], in walk: String, behind placed: Int,
    for viewer: String?) async throws
  /// What was written down behind so many places, in its order; without a reason: it was not shown.
  func noted(in walk: String, behind placed: Int) async throws -> [(id: String, reason: ClipReason?)]
  /// What these walks have handed out.
  func shown(in walks: [String]) async throws -> [String]
  /// Those of these clips of which the viewer wants no more: themselves, their author or a tag of theirs.
  func dismissed(among clips: [String], by viewer: String) async throws -> Set<String>
}
