public import Contract
public import Foundation

/// A clip that a person keeps on this device, as it was when it was kept.
public struct KeptClip: Codable, Equatable, Sendable, Identifiable {
  public let clip: Clip
  public let since: Date

  public var id: String { clip.id }

  public init(_ clip: Clip, since: Date) {
    var clip = clip
    // What this person has to do with it is asked for anew.
    clip.viewer = nil
    self.clip = clip
    self.since = since
  }
}

/// Brings a clip onto the disk whole, and takes it from there.
///
/// - `fetch` returns when the clip is there whole, and throws if it cannot be now; what has come stays. It
///   may be asked again. Cancelling its task ends it soon.
/// - `held` answers what is there.
/// - `drop` returns when nothing of it is kept any more.
public protocol ClipKeeping: Sendable {
  func fetch(_ clip: Clip, progress: @escaping @Sendable (Int, Int) -> Void) async throws
  func held(of clip: Clip) async -> (bytes: Int, isWhole: Bool)
  func drop(_ clip: Clip) async
}
