public import Foundation

/// An upload as its owner sees it, from the first byte to the published clip. Whoever knows its id may add
/// bytes to it, publish it and end it, so an id is a secret of 128 bits.
public struct UploadStatus: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable, CaseIterable {
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
  /// While bytes are taken, if they may go straight to the storage. Then `offset` is 0: a client that knows
  /// nothing of it sends all of them here, from the first one on, and there are no such parts any more.
  public var direct: DirectParts?
  /// From `processing` on.
  public var clip: UploadedClip?
  public var problem: UploadProblem?

  public init(
    id: String, state: State, offset: Int, sizeBytes: Int?, expiresAt: Date?, details: ClipDetails,
    parts: PartLimits, direct: DirectParts? = nil, clip: UploadedClip? = nil, problem: UploadProblem? = nil
  ) {
    self.id = id
    self.state = state
    self.offset = offset
    self.sizeBytes = sizeBytes
    self.expiresAt = expiresAt
    self.details = details
    self.parts = parts
    self.direct = direct
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

/// Bytes that the server does not carry: numbered parts, each sent by `PUT` to an address of its own. The
/// last one that was sent under a number counts.
public struct DirectParts: Codable, Sendable, Equatable {
  /// Of every part but the last, which has the rest.
  public var partBytes: Int
  /// Parts are numbered from 1 to this.
  public var count: Int
  /// The numbers of those that are there.
  public var stored: [Int]
  /// Of missing parts, the first ones first. Whoever needs those of more parts asks again later.
  public var addresses: [PartAddress]
  /// How long the addresses are good for.
  public var validSeconds: Int

  public init(partBytes: Int, count: Int, stored: [Int], addresses: [PartAddress], validSeconds: Int) {
    self.partBytes = partBytes
    self.count = count
    self.stored = stored
    self.addresses = addresses
    self.validSeconds = validSeconds
  }
}

/// Takes exactly the bytes of one part, from whoever has it: a secret, as the upload's id is.
public struct PartAddress: Codable, Sendable, Equatable {
  public var number: Int
  public var url: String

  public init(number: Int, url: String) {
    self.number = number
    self.url = url
  }
}

/// How far the clip of an upload is.
public struct UploadedClip: Codable, Sendable, Equatable {
  public var id: String
  /// False: the same content was somebody's clip before this upload came, which can change nothing of it.
  public var isOwn: Bool
  /// What is done now, for a person: "transcoding".
  public var step: String
  /// Of the whole work, in thousandths.
  public var permille: Int
  /// Null as long as nobody can say.
  public var remainingMs: Int?
  /// In ascending quality; empty before the work has begun.
  public var renditions: [RenditionProgress]

  public init(
    id: String, isOwn: Bool = true, step: String, permille: Int, remainingMs: Int? = nil,
    renditions: [RenditionProgress] = []
  ) {
    self.id = id
    self.isOwn = isOwn
    self.step = step
    self.permille = permille
    self.remainingMs = remainingMs
    self.renditions = renditions
  }
}

public struct RenditionProgress: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable, CaseIterable { case queued, running, ready }

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
  /// The instant whose picture stands for the clip; one behind its end means its last picture, 0 the poster.
  public var coverMs: Int?
  /// It is for adults alone, as its creator says. What moderators say of it stays whatever this is.
  public var forAdults: Bool?
  /// The language of what is spoken or written in it: the two or three letters that begin a tag of BCP 47.
  /// Left out of a new upload: the first language of `Accept-Language`. It says before whom a clip that rises
  /// is put first, and is shown to nobody but its owner.
  public var language: String?

  public init(
    caption: String? = nil, tags: [String]? = nil, visibility: Visibility? = nil, coverMs: Int? = nil,
    forAdults: Bool? = nil, language: String? = nil
  ) {
    self.caption = caption
    self.tags = tags
    self.visibility = visibility
    self.coverMs = coverMs
    self.forAdults = forAdults
    self.language = language
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

/// The body that creates an upload. The JSON request says size and hash; tus and the IETF's protocol know no
/// hash, and the latter may learn the size last.
public struct NewUpload: Codable, Sendable, Equatable {
  public var sizeBytes: Int?
  /// SHA-256 of the whole file as 64 lower-case hex digits; the bytes are held against it before they count.
  public var sha256: String?
  /// The media type that the sender believes it is. The content decides.
  public var type: String
  public var details: ClipDetails
  /// What a file said of AI of which this one was made: cut, or made smaller. Left out where it said nothing,
  /// which takes nothing away from what the bytes say that arrive.
  public var digitalSourceType: DigitalSourceType?

  public init(
    sizeBytes: Int?, sha256: String?, type: String, details: ClipDetails = ClipDetails(),
    digitalSourceType: DigitalSourceType? = nil
  ) {
    self.sizeBytes = sizeBytes
    self.sha256 = sha256
    self.type = type
    self.details = details
    self.digitalSourceType = digitalSourceType
  }
}

/// Those of IPTC's digital source types that mean AI, in its own words.
public enum DigitalSourceType: String, Codable, Sendable, CaseIterable {
  /// All of it.
  case trainedAlgorithmicMedia
  /// A part of it.
  case compositeWithTrainedAlgorithmicMedia
}
