public import Foundation

/// An upload as its owner sees it, from the first byte to the published clip. Whoever knows its id may add bytes to
/// it, publish it and end it, so an id is a secret of 128 bits.
public struct UploadStatus: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable {
    /// Bytes are taken.
    case receiving
    /// The bytes are there and proven; the clip is being made.
    case processing
    /// The clip can be watched; better renditions may still follow.
    case published
    /// The content cannot become a clip; `problem` says why.
    case refused
  }

  public var id: String
  public var state: State
  /// Bytes that the server holds, from the first one on without a gap.
  public var offset: Int
  /// Null as long as nobody has said.
  public var sizeBytes: Int?
  /// Until when the next byte must have come; only while bytes are taken.
  public var expiresAt: Date?
  public var details: ClipDetails
  public var parts: PartLimits
  /// From `processing` on.
  public var clip: UploadedClip?
  public var problem: UploadProblem?

  public init(
    id: String, state: State, offset: Int, sizeBytes: Int?, expiresAt: Date?, details: ClipDetails,
    parts: PartLimits, clip: UploadedClip? = nil, problem: UploadProblem? = nil
  ) {
    self.id = id
    self.state = state
    self.offset = offset
    self.sizeBytes = sizeBytes
    self.expiresAt = expiresAt
    self.details = details
    self.parts = parts
    self.clip = clip
    self.problem = problem
  }
}

/// How many bytes one request may bring. The last part of a file may be smaller.
public struct PartLimits: Codable, Sendable, Equatable {
  public var minimumBytes: Int
  public var maximumBytes: Int

  public init(minimumBytes: Int, maximumBytes: Int) {
    self.minimumBytes = minimumBytes
    self.maximumBytes = maximumBytes
  }
}

/// How far the clip of an upload is.
public struct UploadedClip: Codable, Sendable, Equatable {
  public var id: String
  /// What is done now, for a person: "transcoding".
  public var step: String
  /// Of the whole work, in thousandths.
  public var permille: Int
  /// Null as long as nobody can say.
  public var remainingMs: Int?
  /// In ascending quality; empty before the work has begun.
  public var renditions: [RenditionProgress]

  public init(
    id: String, step: String, permille: Int, remainingMs: Int? = nil, renditions: [RenditionProgress] = []
  ) {
    self.id = id
    self.step = step
    self.permille = permille
    self.remainingMs = remainingMs
    self.renditions = renditions
  }
}

public struct RenditionProgress: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable { case queued, running, ready }

  /// "360", "540", "720" or "1080".
  public var name: String
  public var state: State

  public init(name: String, state: State) {
    self.name = name
    self.state = state
  }
}

/// Why an upload cannot become a clip, in the words of the error table.
public struct UploadProblem: Codable, Sendable, Equatable {
  public var code: String
  public var detail: String

  public init(code: String, detail: String) {
    self.code = code
    self.detail = detail
  }
}

/// What a person says about a clip. In a patch, what is null stays as it is.
public struct ClipDetails: Codable, Sendable, Equatable {
  public var caption: String?
  /// Without `#`. Those in the caption count as well.
  public var tags: [String]?
  public var visibility: Visibility?

  public init(caption: String? = nil, tags: [String]? = nil, visibility: Visibility? = nil) {
    self.caption = caption
    self.tags = tags
    self.visibility = visibility
  }
}

/// Who can see a clip.
public enum Visibility: String, Codable, Sendable, CaseIterable {
  /// Everybody, in the feed.
  case `public`
  /// Whoever has its address; no list shows it.
  case unlisted
  /// Whoever uploaded it: who knows the upload's id.
  case `private`
}

/// The body that creates an upload. The JSON request says size and hash; tus and the IETF's protocol know no hash, and
/// the latter may learn the size last.
public struct NewUpload: Codable, Sendable, Equatable {
  public var sizeBytes: Int?
  /// SHA-256 of the whole file as 64 lower-case hex digits; the bytes are held against it before they count.
  public var sha256: String?
  /// The media type that the sender believes it is. The content decides.
  public var type: String
  public var details: ClipDetails

  public init(sizeBytes: Int?, sha256: String?, type: String, details: ClipDetails = ClipDetails()) {
    self.sizeBytes = sizeBytes
    self.sha256 = sha256
    self.type = type
    self.details = details
  }
}
