internal import Synchronization

/// Whoever says whether a prompt is against rules that no list of words can hold: a service, or a model of
/// the operator's.
///
/// The call ends in a time of its own and throws `ProviderFailure` alone. It comes from several tasks at
/// once, before anything is held or made. Nothing of a person goes there but the prompt
/// and the picture that they start from.
public protocol PromptModeration: Sendable {
  /// Whether it looks at pictures as well.
  var takesPictures: Bool { get }
  /// `picture`: a JPEG that the video starts from; nil: none does, or no pictures are taken.
  func judge(_ prompt: String, picture: [UInt8]?) async throws -> PromptJudgement
}

public struct PromptJudgement: Sendable, Equatable {
  public var isFlagged: Bool
  /// What it was flagged for, as the service calls it (`violence/graphic`): twenty at most, each of 60 bytes
  /// of visible ASCII at most.
  public var categories: [String]
  /// It was the picture alone, not the prompt.
  public var isOfPicture: Bool

  public init(isFlagged: Bool, categories: [String] = [], isOfPicture: Bool = false) {
    self.isFlagged = isFlagged
    self.categories = categories
    self.isOfPicture = isOfPicture
  }
}

/// Who looks at prompts in a process, and what happens while nobody can. One for all of a process; until it
/// is told otherwise there is nobody, and the operator's own rules alone count.
public final class PromptReview: Sendable {
  struct Moderator: Sendable {
    let moderation: any PromptModeration
    /// What nobody can look at is made all the same.
    let letsThrough: Bool
  }

  private let state = Mutex<Moderator?>(nil)

  public init() {}

  /// From here on. `lettingThrough`: a prompt that could not be looked at is taken; else it is refused for
  /// now, since what is made of it cannot be taken back.
  public func take(_ moderation: any PromptModeration, lettingThrough: Bool = false) {
    state.withLock { $0 = Moderator(moderation: moderation, letsThrough: lettingThrough) }
  }

  var moderator: Moderator? { state.withLock { $0 } }
}
