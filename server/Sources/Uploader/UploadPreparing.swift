public import Foundation

/// Makes a file that may be uploaded, or is quicker to upload, of one that is not.
///
/// Obligations: the source stays as it is; the result is written as `target` and is whole when the call
/// returns; ends soon when its task is cancelled; throws `NotPrepared` where it can say what to do.
public protocol UploadPreparing: Sendable {
  /// Whether what is not too large is made smaller as well.
  var canCompress: Bool { get }
  func compress(
    _ source: URL, to target: URL, progress: @escaping @Sendable (Double) -> Void
  ) async throws -> PreparedFile
  /// At most so long and so large.
  func trim(
    _ source: URL, longestMs: Int, largestBytes: Int, to target: URL,
    progress: @escaping @Sendable (Double) -> Void
  ) async throws -> PreparedFile
}

/// A sentence for the person.
public struct NotPrepared: Error {
  public let sentence: String
  public init(_ sentence: String) { self.sentence = sentence }
}

public struct PreparedFile: Sendable {
  /// As `Uploader.init` takes it.
  public var container: String
  public var durationMs: Int?

  public init(container: String, durationMs: Int?) {
    self.container = container
    self.durationMs = durationMs
  }
}
