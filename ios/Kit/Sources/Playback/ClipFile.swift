public import Contract
internal import CoreTypes
public import Foundation

/// A clip as one file, picture and sound together, the best there is: for whoever wants it away from here.
///
/// It refuses to know whose clip it is and where the file goes, and never tries again.
public struct ClipFile: Sendable {
  public enum Failure: Error, Equatable {
    /// The numbers of the server describe no clip.
    case notPlayable
    /// There is no room, or no folder.
    case notWritten
  }

  /// One request brings at most so much.
  private static let most = 4 * 1_048_576
  /// In bytes. A minute of the best rendition is a tenth of it.
  private static let largest = 512 * 1_048_576

  private let transport: any SegmentTransport
  private let base: URL

  /// Addresses of the clip are relative to `base`.
  public init(transport: any SegmentTransport, base: URL) {
    self.transport = transport
    self.base = base
  }

  /// Throws `Failure` and `TransferFailure`; `file` is whole only if it does not.
  public func fetch(_ clip: Clip, to file: URL) async throws {
    guard let known = FeedClip(clip, item: ItemID(0)), known.descriptor != nil,
      let rendition = known.renditions.last,
      let url = URL(string: rendition.url, relativeTo: base)?.absoluteURL
    else { throw Failure.notPlayable }
    // NB: the descriptor is whole, so places add up.
    let ends = rendition.segments.map { $0.offset + $0.size }
    let size = max(ends.max() ?? 0, rendition.initialization.offset + rendition.initialization.size)
    guard (1...Self.largest).contains(size) else { throw Failure.notPlayable }
    guard FileManager.default.createFile(atPath: file.path, contents: nil),
      let handle = try? FileHandle(forWritingTo: file)
    else { throw Failure.notWritten }
    defer { try? handle.close() }
    for start in stride(from: 0, to: size, by: Self.most) {
      // Of a range all bytes come, or it throws.
      let request = RangeRequest(url: url, offset: start, size: min(Self.most, size - start))
      for try await chunk in transport.bytes(of: request) {
        do { try handle.write(contentsOf: chunk) } catch { throw Failure.notWritten }
      }
      try Task.checkCancellation()
    }
  }
}
