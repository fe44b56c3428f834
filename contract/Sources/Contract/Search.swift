/// Somebody who was found.
public struct FoundPerson: Codable, Sendable, Equatable {
  public var author: Author
  public var followers: Int
  /// Whoever asks follows them.
  public var following: Bool

  public init(author: Author, followers: Int, following: Bool) {
    self.author = author
    self.followers = followers
    self.following = following
  }
}

/// A tag that was found.
public struct FoundTag: Codable, Sendable, Equatable {
  public var tag: String
  /// Public clips that have it.
  public var clips: Int

  public init(tag: String, clips: Int) {
    self.tag = tag
    self.clips = clips
  }
}

public typealias FoundPersonPage = Page<FoundPerson>
public typealias FoundTagPage = Page<FoundTag>

/// What somebody may be about to look for.
public struct SearchSuggestion: Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable, CaseIterable { case tag, person, words }

  public var kind: Kind
  /// What to look for: a tag without its `#`, a handle without its `@`, words.
  public var text: String
  /// Of a tag: public clips that have it.
  public var clips: Int?
  /// Of a person.
  public var person: Author?

  public init(kind: Kind, text: String, clips: Int? = nil, person: Author? = nil) {
    self.kind = kind
    self.text = text
    self.clips = clips
    self.person = person
  }

  public init(_ tag: FoundTag) { self.init(kind: .tag, text: tag.tag, clips: tag.clips) }
  public init(_ found: FoundPerson) {
    self.init(kind: .person, text: found.author.handle, person: found.author)
  }
  public init(_ words: String) { self.init(kind: .words, text: words) }
}

public struct SearchSuggestions: Codable, Sendable, Equatable {
  public var items: [SearchSuggestion]

  public init(items: [SearchSuggestion]) {
    self.items = items
  }
}
