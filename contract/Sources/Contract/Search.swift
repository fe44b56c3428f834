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

/// A sound that was found: the same audio in several public clips.
public struct FoundSound: Codable, Sendable, Equatable {
  public var id: String
  /// Public clips that have it.
  public var clips: Int
  /// Whoever made the first public clip that has it.
  public var author: Author
  /// Of that clip.
  public var caption: String
  public var poster: Poster

  public init(id: String, clips: Int, author: Author, caption: String, poster: Poster) {
    self.id = id
    self.clips = clips
    self.author = author
    self.caption = caption
    self.poster = poster
  }
}

public typealias FoundPersonPage = Page<FoundPerson>
public typealias FoundTagPage = Page<FoundTag>
public typealias FoundSoundPage = Page<FoundSound>

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
