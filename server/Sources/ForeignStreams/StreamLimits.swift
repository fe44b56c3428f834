internal import Contract

/// An end to everything that others could let go on.
public struct StreamLimits: Sendable {
  /// Redirects one after another.
  public var redirects = 5
  /// Bytes of a list: an address is a few hundred.
  public var listBytes = 4 << 20
  /// Streams of a list.
  public var streams = 1000
  public var playlistBytes = 1 << 20
  /// Bytes of one stream: what a file may have that is imported.
  public var streamBytes = Limits.sourceBytes
  /// Bytes of all, answers that led to nothing included.
  public var allBytes = 20 << 30
  /// For one answer, for one stream, and for all of a list.
  public var request = Duration.seconds(120)
  public var stream = Duration.seconds(600)
  public var all = Duration.seconds(12 * 3600)
  /// Bytes per second that an answer must have brought on average once it has lasted for `patience`.
  public var leastRate = 16_384
  public var patience = Duration.seconds(10)

  public init() {}
}
