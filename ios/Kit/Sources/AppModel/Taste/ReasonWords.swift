public import Contract

/// Why a clip is shown, in words. What the server says is a fact that whoever watches can check; nothing is
/// added to it. A kind that is not known is no reason.
public enum ReasonWords {
  /// `tab`: of which the list on the screen is; `nil`: somebody opened it out of a grid.
  public static func sentence(for clip: Clip, in tab: FeedTab?) -> Sentence {
    let name = name(of: clip.author)
    if tab == .forYou, let known = clip.reason.flatMap({ of($0, name) }) { return known }
    switch tab {
    case .forYou: return "No reason is noted for this clip."
    case .following:
      return Sentence(
        "You follow %@. Following shows the clips of people you follow, the newest first.", name)
    case .latest: return "Latest shows all clips, the newest first."
    case nil: return "It is in the list that you opened."
    }
  }

  private static func of(_ reason: ClipReason, _ name: String) -> Sentence? {
    switch reason.kind {
    case .followedAuthor: Sentence("You follow %@.", name)
    case .likedClip:
      reason.clipId == nil
        ? nil
        : Sentence(
          "People who liked a clip by %@ that you liked, liked this too.",
          Self.name(of: reason.author))
    case .likedAuthor: likes(of: name, reason.count ?? 0)
    case .likedTag:
      reason.tag.map { Sentence("You liked clips with %@, or watched them to the end.", "#" + $0) }
    case .resembling: "It resembles clips that you liked."
    case .new: "It is new, and shown to a few people first."
    case .trending: "Many people like it these days."
    case .latest: "It is recent. Not enough is known of what you like."
    case .drawn: "Drawn by lot. A few clips are, so that we can judge the rest."
    }
  }

  private static func likes(of name: String, _ count: Int) -> Sentence? {
    guard count > 0 else { return nil }
    if count == 1 { return Sentence("You liked a clip by %@, or watched it to the end.", name) }
    return Sentence(
      "You liked %1$@ clips by %2$@, or watched them to the end.",
      [.verbatim("\(count)"), .verbatim(name)])
  }

  /// As people write it: with `@`, where there is a handle.
  static func name(of author: Author?) -> String {
    guard let author else { return "@?" }
    return author.handle.isEmpty ? author.name : "@" + author.handle
  }
}

/// Why the clip on the screen is shown, and what can be done about it.
public struct WhyThis: Equatable, Sendable {
  public enum Choice: Equatable, Sendable {
    case notInterested
    /// Of its author or of a tag; `name` as people write it, with `@` or `#`.
    case less(Dismissal, name: String)
    /// Of the clip's sound, by its id.
    case lessOfSound(String)
    /// The clip that the reason is about.
    case because(clip: String)
    case similar
    case taste
  }

  /// More tags than anybody reads.
  static let mostTags = 5

  public let sentence: Sentence
  public let choices: [Choice]

  init(_ clip: Clip, in tab: FeedTab?) {
    sentence = ReasonWords.sentence(for: clip, in: tab)
    var choices: [Choice] = []
    if tab == .forYou, clip.reason?.kind == .likedClip, let id = clip.reason?.clipId {
      choices.append(.because(clip: id))
    }
    choices.append(.notInterested)
    // All guests are of one author, whom nobody can want less of.
    if !clip.author.id.isEmpty, clip.author.handle != Author.guestHandle {
      choices.append(.less(Dismissal(.author, clip.author.id), name: "@" + clip.author.handle))
    }
    choices += clip.tags.prefix(Self.mostTags).map { .less(Dismissal(.tag, $0), name: "#" + $0) }
    if let sound = clip.soundId { choices.append(.lessOfSound(sound)) }
    if clip.visibility != .private { choices.append(.similar) }
    self.choices = choices + [.taste]
  }
}
