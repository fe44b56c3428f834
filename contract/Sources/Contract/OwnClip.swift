public import Foundation

/// A clip as the list of whoever uploaded it has it: from the moment when its bytes are there, whoever else
/// sees it, and for a while after it was deleted.
public struct OwnClip: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable, CaseIterable {
    /// It is being made.
    case processing
    /// It can be watched by whom `visibility` lets.
    case published
    /// The content cannot become a clip; `problem` says why.
    case refused
    /// Nobody sees it; it can be had back until `removedUntil`.
    case removed
  }

  /// The upload that it came with. By this it is changed and deleted, so the id is a secret of 128 bits.
  public var uploadId: String
  /// Null for a file that was none.
  public var clipId: String?
  public var state: State
  public var createdAt: Date
  public var caption: String
  /// Without `#`, lower case.
  public var tags: [String]
  /// As it is, or will be as soon as the clip is there; for one that is removed, as it will be if it comes
  /// back.
  public var visibility: Visibility
  /// True where its creator says that it is for adults alone.
  public var forAdults: Bool?
  /// How far it is, in thousandths; only while it is being made.
  public var permille: Int?
  public var problem: UploadProblem?
  public var removedUntil: Date?
  public var durationMs: Int?
  /// What stands for it in lists: its cover, or else its poster. For a clip that is not public the address
  /// ends after an hour or two.
  public var picture: Cover?
  public var counts: Counts?

  public init(
    uploadId: String, clipId: String? = nil, state: State, createdAt: Date, caption: String = "",
    tags: [String] = [], visibility: Visibility = .public, forAdults: Bool? = nil, permille: Int? = nil,
    problem: UploadProblem? = nil, removedUntil: Date? = nil, durationMs: Int? = nil, picture: Cover? = nil,
    counts: Counts? = nil
  ) {
    self.uploadId = uploadId
    self.clipId = clipId
    self.state = state
    self.createdAt = createdAt
    self.caption = caption
    self.tags = tags
    self.visibility = visibility
    self.forAdults = forAdults
    self.permille = permille
    self.problem = problem
    self.removedUntil = removedUntil
    self.durationMs = durationMs
    self.picture = picture
    self.counts = counts
  }
}

public typealias OwnClipPage = Page<OwnClip>
