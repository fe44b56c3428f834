public import Foundation

/// How far a video is that a person had made from words.
public enum GenerationState: String, Codable, Sendable, CaseIterable {
  /// Its credits are held, and it waits for its turn here.
  case reserved
  /// It waits at whoever makes it.
  case queued
  case inProgress = "in_progress"
  /// It was made, and becomes a clip.
  case storing
  /// Its clip can be watched by whoever asked for it.
  case ready
  case failed
  case cancelled
  /// It was not made in time.
  case expired

  /// Nothing more becomes of it.
  public var isOver: Bool {
    switch self {
    case .reserved, .queued, .inProgress, .storing: false
    case .ready, .failed, .cancelled, .expired: true
    }
  }
}

/// Why there is no video.
public enum GenerationProblem: String, Codable, Sendable, CaseIterable {
  /// The prompt or the picture is against the rules of whoever makes videos.
  case contentPolicy = "content_policy"
  /// Whoever makes videos does not take it as it is.
  case invalidRequest = "invalid_request"
  case rateLimited = "rate_limited"
  case capacity
  case providerError = "provider_error"
  case timeout
  case expired
}

public enum GenerationStyle: String, Codable, Sendable, CaseIterable {
  case cinematic, animation, realistic, none
}

/// Width to height.
public enum GenerationAspect: String, Codable, Sendable, CaseIterable {
  case portrait = "9:16"
  case square = "1:1"
  case landscape = "16:9"
}

/// The body that asks for a video.
public struct NewGeneration: Codable, Sendable, Equatable {
  public var prompt: String
  /// One of `GenerationOffer.lengths`.
  public var seconds: Int
  /// Null: none.
  public var style: GenerationStyle?
  /// Null: upright.
  public var aspect: GenerationAspect?
  /// A clip of one's own whose picture it starts from.
  public var fromClipId: String?
  /// A picture of one's own (`GenerationPicture`) that it starts from, in the place of a clip.
  public var pictureId: String?

  public init(
    prompt: String, seconds: Int, style: GenerationStyle? = nil, aspect: GenerationAspect? = nil,
    fromClipId: String? = nil, pictureId: String? = nil
  ) {
    self.prompt = prompt
    self.seconds = seconds
    self.style = style
    self.aspect = aspect
    self.fromClipId = fromClipId
    self.pictureId = pictureId
  }
}

/// The body that asks for a video anew, with another prompt and everything else as it was.
public struct GenerationRefinement: Codable, Sendable, Equatable {
  public var prompt: String

  public init(prompt: String) { self.prompt = prompt }
}

/// A video that a person had made from words, or is having made.
public struct Generation: Codable, Sendable, Equatable, Identifiable {
  public var id: String
  public var state: GenerationState
  public var prompt: String
  public var seconds: Int
  public var style: GenerationStyle
  public var aspect: GenerationAspect
  /// What it costs, or would have; they are given back for one that is not made.
  public var credits: Int
  public var createdAt: Date
  /// Null while it is under way.
  public var endedAt: Date?
  /// Of the whole work; it never goes back, and is 1000 once it is ready.
  public var permille: Int
  /// Null while nobody can say, and once it is over.
  public var remainingMs: Int?
  /// While it waits here: how many go before it at most, itself included.
  public var place: Int?
  /// The one that it refines.
  public var refinesId: String?
  public var fromClipId: String?
  public var pictureId: String?
  /// Its clip once it is ready, which its owner alone sees until it is published.
  public var clipId: String?
  /// By which its clip is watched (`GET uploads/{id}/clip`) and changed: a secret.
  public var uploadId: String?
  public var isPublished: Bool
  /// Of one that failed or expired.
  public var problem: GenerationProblem?

  public init(
    id: String, state: GenerationState, prompt: String, seconds: Int, style: GenerationStyle,
    aspect: GenerationAspect, credits: Int, createdAt: Date, permille: Int = 0, isPublished: Bool = false
  ) {
    self.id = id
    self.state = state
    self.prompt = prompt
    self.seconds = seconds
    self.style = style
    self.aspect = aspect
    self.credits = credits
    self.createdAt = createdAt
    self.permille = permille
    self.isPublished = isPublished
  }
}

public typealias GenerationPage = Page<Generation>

/// A picture that somebody sent to start from.
public struct GenerationPicture: Codable, Sendable, Equatable, Identifiable {
  public var id: String
  /// When it goes if nothing starts from it.
  public var expiresAt: Date

  public init(id: String, expiresAt: Date) {
    self.id = id
    self.expiresAt = expiresAt
  }
}

/// What can be asked for now, at which price, and what is left of today's credits.
public struct GenerationOffer: Codable, Sendable, Equatable {
  /// What whoever asks has left today, of how many a day.
  public var creditsLeft: Int
  public var creditsPerDay: Int
  /// Empty: nobody makes videos here.
  public var lengths: [GenerationLength]
  public var aspects: [GenerationAspect]
  /// Whether it can start from a clip of one's own.
  public var startsFromClips: Bool
  /// Whether it can start from a picture that is sent; null: no.
  public var startsFromPictures: Bool?
  /// How many one has under way, of how many at most.
  public var underWay: Int
  public var mostUnderWay: Int

  public init(
    creditsLeft: Int, creditsPerDay: Int, lengths: [GenerationLength], aspects: [GenerationAspect],
    startsFromClips: Bool, startsFromPictures: Bool? = nil, underWay: Int, mostUnderWay: Int
  ) {
    self.creditsLeft = creditsLeft
    self.creditsPerDay = creditsPerDay
    self.lengths = lengths
    self.aspects = aspects
    self.startsFromClips = startsFromClips
    self.startsFromPictures = startsFromPictures
    self.underWay = underWay
    self.mostUnderWay = mostUnderWay
  }
}

/// One of the lengths that can be had.
public struct GenerationLength: Codable, Sendable, Equatable {
  public var seconds: Int
  public var credits: Int
  /// From its turn to the clip, as it took before; null: nobody knows yet.
  public var usualMs: Int?

  public init(seconds: Int, credits: Int, usualMs: Int? = nil) {
    self.seconds = seconds
    self.credits = credits
    self.usualMs = usualMs
  }
}
