public import Contract
public import Features
public import Platform

/// Videos from words in the dialect of OpenAI's API (`/v1/videos`), for programs with a key of an account.
///
/// It knows how others write a request and read an answer. What is made, for how many credits and by whom, is
/// for the feature behind `VideoJobs`, whose jobs these are; who may ask is said by the key.
public struct VideosDialect: Sendable {
  let jobs: any VideoJobs
  let media: any VideoMedia

  public init(jobs: any VideoJobs, media: any VideoMedia) {
    self.jobs = jobs
    self.media = media
  }

  /// It keeps nothing of its own.
  public var feature: Feature {
    Feature(endpoints: endpoints, jobs: [], periodicTasks: [], merging: nil, erasing: nil, exporting: nil)
  }
}

/// Videos that accounts have made from words.
public protocol VideoJobs: Sendable {
  /// Seconds that can be had, ascending.
  var secondsOffered: [Int] { get }
  /// The same key again is the same one. `picture`: a stranger's file that it starts from.
  func request(
    _ new: NewGeneration, startingFrom picture: [UInt8]?, by account: String, idempotencyKey key: String
  ) async throws -> Generation
  /// Throws `generation_not_found`, as all that take an id.
  func refine(
    _ id: String, prompt: String, by account: String, idempotencyKey key: String
  ) async throws -> Generation
  func generation(_ id: String, of account: String) async throws -> Generation
  /// Behind one of them, or from the start.
  func list(
    of account: String, after id: String?, limit: Int, ascending: Bool
  ) async throws -> (items: [Generation], hasMore: Bool)
  /// Cancels one that is under way; one that has ended is in no list any more.
  func end(_ id: String, by account: String) async throws
}

/// What there is to see of a clip that was made.
public protocol VideoMedia: Sendable {
  /// Throws `clip_not_found`, and `media_not_found` where there is no such picture.
  func medium(_ variant: VideoVariant, of clip: String) async throws -> BlobName
}

public enum VideoVariant: String, Sendable, CaseIterable { case video, thumbnail, spritesheet }
