public import Foundation

/// Whoever makes a video from words: a vendor, a server of the operator's, or a program on this machine.
///
/// No call waits for the video. Each ends in a time of its own and throws `ProviderFailure` alone. A provider
/// is asked from several tasks at once, and after a restart by ids that it gave to the process before.
public protocol VideoProvider: Sendable {
  /// As the operator calls it: in the log, in the books and in `clipfeed generation`, never said to a client.
  var name: String { get }
  var capabilities: VideoCapabilities { get }

  /// Begins one and answers its id there, of at most 300 bytes. `key`: of the same job and attempt always the
  /// same; who understands that begins one alone for it.
  func create(_ request: VideoRequest, key: String) async throws -> String
  func status(of id: String) async throws -> VideoStatus
  /// Writes what was made into a new file. Throws `.invalid` for more than so many bytes, before they are
  /// there.
  func content(of id: String, into file: URL, atMost bytes: Int64) async throws
  /// One that has ended already, or that is not known, is no failure.
  func cancel(_ id: String) async throws
}

/// What is asked for.
public struct VideoRequest: Sendable, Equatable {
  /// The style is in it already.
  public var prompt: String
  /// One of those that the provider offers.
  public var seconds: Int
  public var aspect: VideoAspect
  /// A picture (JPEG or PNG) that it starts from.
  public var picture: URL?
  /// Of that provider: the video that is to be changed by the prompt, where it can do that.
  public var refined: String?

  public init(
    prompt: String, seconds: Int, aspect: VideoAspect, picture: URL? = nil, refined: String? = nil
  ) {
    self.prompt = prompt
    self.seconds = seconds
    self.aspect = aspect
    self.picture = picture
    self.refined = refined
  }
}

/// Width to height.
public enum VideoAspect: String, Sendable, CaseIterable, Codable {
  case portrait = "9:16"
  case square = "1:1"
  case landscape = "16:9"
}

/// What can be asked for at all.
public struct VideoCapabilities: Sendable, Equatable {
  /// Ascending, at least one.
  public var seconds: [Int]
  public var aspects: Set<VideoAspect>
  public var takesPictures: Bool
  public var refines: Bool
  /// Scalars of a prompt.
  public var promptLength: Int
  /// How many it works on at a time for us; further ones wait with us.
  public var concurrent: Int
  /// Between two questions about one video, at least.
  public var pollSeconds: Double

  public init(
    seconds: [Int], aspects: Set<VideoAspect>, takesPictures: Bool = false, refines: Bool = false,
    promptLength: Int = 32000, concurrent: Int = 4, pollSeconds: Double = 5
  ) {
    self.seconds = seconds
    self.aspects = aspects
    self.takesPictures = takesPictures
    self.refines = refines
    self.promptLength = promptLength
    self.concurrent = concurrent
    self.pollSeconds = pollSeconds
  }
}

/// How far it is, as the provider says.
public enum VideoStatus: Sendable, Equatable {
  case queued
  /// 0 to 1000; nil: it does not say. `pollAfter`: seconds, where it asks for patience.
  case inProgress(permille: Int?, pollAfter: Double?)
  case completed
  case failed(ProviderFailure)
}

/// Why there is no video, in codes of our own. A vendor's words are for the log alone: they may name
/// anything.
public struct ProviderFailure: Error, Equatable {
  public enum Code: String, Sendable, CaseIterable {
    /// The prompt or the picture is against the provider's rules.
    case contentPolicy = "content_policy"
    /// It does not take what it was asked for.
    case invalid = "invalid_request"
    case rateLimited = "rate_limited"
    case capacity
    case providerError = "provider_error"
    case timeout
    /// It was made and is not kept there any more.
    case expired
    /// Our key is not taken: for the operator.
    case unauthorized
  }

  public var code: Code
  /// Seconds, where it says after how long to try again.
  public var retryAfter: Double?
  /// At most 300 scalars, without secrets.
  public var detail: String

  public init(_ code: Code, retryAfter: Double? = nil, _ detail: String = "") {
    self.code = code
    self.retryAfter = retryAfter
    self.detail = detail
  }

  /// Whether the same request, there or at another provider, can succeed later.
  public var isWorthAnotherTry: Bool {
    switch code {
    case .rateLimited, .capacity, .providerError, .timeout, .expired, .unauthorized: true
    case .contentPolicy, .invalid: false
    }
  }
}
