internal import Contract

/// Where a comment is written: under a clip, or in answer to another comment of it.
struct CommentPlace: Equatable {
  let clip: String
  let answer: Answer?

  struct Answer: Equatable {
    /// Under which it will hang.
    let parent: String
    /// The same, or a reply to that.
    let to: String
  }

  init(clip: String, answering comment: ClipComment? = nil) {
    self.clip = clip
    answer = comment.map { Answer(parent: $0.parentId ?? $0.id, to: $0.id) }
  }

  /// Ids have no spaces.
  init(_ name: String) {
    let ids = name.split(separator: " ").map(String.init)
    clip = ids.first ?? name
    answer = ids.count == 3 ? Answer(parent: ids[1], to: ids[2]) : nil
  }

  /// What drafts and outboxes know it by; of a clip its id, as ever.
  var name: String {
    guard let answer else { return clip }
    return [clip, answer.parent, answer.to].joined(separator: " ")
  }
}
