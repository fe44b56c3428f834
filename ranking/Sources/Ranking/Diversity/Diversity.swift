/// An order in which like does not follow like.
///
/// Carbonell, Goldstein: "The use of MMR, diversity-based reranking for reordering documents and producing
/// summaries", SIGIR 1998: at each place the clip of the largest (1 − λ) · score − λ · likeness to what is
/// already on the page. An author's k-th clip counts (1 − floor) · 0.5^k + floor of its score (X's
/// open-sourced ranking, AuthorDiversityDiscountProvider).
///
/// Caps hold as long as there is any candidate that keeps them; then they give way in this order: tag,
/// neighbours, author. A page is never shorter because of them: where all clips are of one author, the page
/// is too.
public struct Diversity {
  public struct Settings: Sendable, Equatable {
    /// λ.
    public var likeness: Float = 0.3
    /// What an author's second, third … clip keeps at least.
    public var authorFloor: Float = 0.25
    /// Clips of an author on a page.
    public var perAuthor = 2
    /// Clips with the same tag among ten in a row.
    public var perTag = 4
    /// The best so many are looked at for a place.
    public var window = 100

    public init() {}
  }

  /// What it has to know of a clip.
  struct Candidate {
    let clip: UInt32
    /// 0 or more; the best of a page is about 1, and up to a half more in the viewer's own language.
    let score: Float
    let author: EntityID
    let tags: ClipTags
  }

  private let settings: Settings
  private let likeness: (UInt32, UInt32) -> Float
  private(set) var chosen: [Candidate] = []

  /// - Parameter likeness: of two clips, −1 to 1.
  init(_ settings: Settings, likeness: @escaping (UInt32, UInt32) -> Float) {
    self.settings = settings
    self.likeness = likeness
  }

  /// Puts a clip on the page that others have chosen.
  mutating func append(_ candidate: Candidate) { chosen.append(candidate) }

  /// The place of the next clip among the candidates, which are ordered by score; nothing if there are none.
  ///
  /// - Parameter nearest: by candidate, its largest likeness to what was chosen; kept by who asks.
  func next(of candidates: [Candidate], nearest: [Float]) -> Int? {
    let window = candidates.prefix(max(settings.window, 1)).indices
    for allowed in 0...3 {
      var best: Int?
      var highest = -Float.infinity
      for place in window where breach(candidates[place]) <= allowed {
        let candidate = candidates[place]
        let relevance = candidate.score * discount(candidate.author)
        let value = (1 - settings.likeness) * relevance - settings.likeness * nearest[place]
        if value > highest { (best, highest) = (place, value) }
      }
      if let best { return best }
      // Beyond the window there may be one that keeps the caps.
      if let far = candidates.indices.dropFirst(window.count).first(where: {
        breach(candidates[$0]) <= allowed
      }) {
        return far
      }
    }
    return nil
  }

  func likeness(of candidate: Candidate, to other: Candidate) -> Float {
    likeness(candidate.clip, other.clip).bounded(-1...1)
  }

  /// The hardest cap that this clip would break: 0 none, 1 the tag's, 2 a neighbour of the same author, 3
  /// the author's.
  func breach(_ candidate: Candidate) -> Int {
    if chosen.count(where: { $0.author == candidate.author }) >= max(settings.perAuthor, 1) { return 3 }
    if chosen.last?.author == candidate.author { return 2 }
    let last = chosen.suffix(9)
    let isFull = candidate.tags.contains { tag in
      last.count { $0.tags.contains(tag) } >= max(settings.perTag, 1)
    }
    return isFull ? 1 : 0
  }

  private func discount(_ author: EntityID) -> Float {
    let before = chosen.count { $0.author == author }
    return (1 - settings.authorFloor) / Float(1 << min(before, 20)) + settings.authorFloor
  }
}
