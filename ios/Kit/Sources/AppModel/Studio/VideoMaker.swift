public import CoreTypes
public import Foundation

/// Why no video came of a plan.
public enum VideoTrouble: Error, Equatable, Sendable {
  /// A file is not there, or nothing in it can be read.
  case unreadable
  case storageFull
  /// The app went to the background, where nothing may be encoded.
  case interrupted
  case failed
}

extension VideoTrouble {
  /// What an error of the system means: its domain and code, and those of the one beneath it.
  public init(domain: String, code: Int, cause: (domain: String, code: Int)? = nil) {
    let all = [(domain, code)] + (cause.map { [$0] } ?? [])
    self =
      if all.contains(where: Self.isFull) {
        .storageFull
      } else if all.contains(where: { $0 == (Self.media, -11_847) || $0 == (Self.media, -11_819) }) {
        .interrupted
      } else if all.contains(where: Self.isUnreadable) {
        .unreadable
      } else {
        .failed
      }
  }

  private static let media = "AVFoundationErrorDomain"

  /// AVError.diskFull, .maximumFileSizeReached; ENOSPC, EDQUOT; NSFileWriteOutOfSpaceError.
  private static func isFull(_ domain: String, _ code: Int) -> Bool {
    switch domain {
    case media: code == -11_807 || code == -11_811
    case "NSPOSIXErrorDomain": code == 28 || code == 69
    case "NSCocoaErrorDomain": code == 640
    default: false
    }
  }

  /// AVError.decodeFailed, .invalidSourceMedia, .fileFormatNotRecognized, .fileFailedToParse,
  /// .noDataCaptured, .contentIsUnavailable; NSFileReadNoSuchFileError.
  private static func isUnreadable(_ domain: String, _ code: Int) -> Bool {
    switch domain {
    case media: [-11_821, -11_822, -11_828, -11_829, -11_805, -11_863].contains(code)
    case "NSCocoaErrorDomain": code == 260
    default: false
    }
  }
}

/// Makes videos of files: AVFoundation on the phone, a script in tests. For the record screen and for
/// uploads.
///
/// - Every failure is a `VideoTrouble`; a task that is cancelled ends with a `CancellationError` and leaves
///   no file. So does a failure.
/// - `progress` runs on the main actor, with shares that grow from 0 to 1.
@MainActor public protocol VideoMaker: AnyObject {
  func facts(of file: URL) async throws -> ClipFacts
  func make(
    _ plan: VideoPlan, through look: LookCube?, into file: URL,
    progress: @escaping @MainActor @Sendable (Double) -> Void) async throws
  /// The picture at an instant of the video, as JPEG, some pixels high.
  func picture(of plan: VideoPlan, through look: LookCube?, at instant: Milliseconds, height: Int)
    async throws -> Data
}

/// Plays a plan again and again while a person looks at it: AVPlayer on the phone.
///
/// - `show` replaces what was shown, and begins to play from `range`'s start; `nil` lets everything go.
/// - `onInstant` runs on the main actor some times a second while it plays, with the instant that is seen.
@MainActor public protocol ReviewPlayer: AnyObject {
  var onInstant: ((Milliseconds) -> Void)? { get set }
  func show(_ plan: VideoPlan?, through look: LookCube?, range: ClosedRange<Milliseconds>)
  func setLook(_ look: LookCube?)
  /// Plays this part of the video and goes on at its start.
  func setRange(_ range: ClosedRange<Milliseconds>)
  func seek(to instant: Milliseconds)
  func play()
  func pause()
}

/// A recorded clip as it is at one moment. Numbers are used again once all clips are gone; a file that was
/// recorded later differs.
public struct ClipStamp: Codable, Hashable, Sendable {
  let clip: Int32
  let size: Int64
  /// ms since 1970.
  let modified: Int64
}

/// A finished video on its way to be uploaded. Its file belongs to whoever takes it.
public struct FinishedVideo: Equatable, Sendable {
  public let file: URL
  public let length: Milliseconds
  /// `nil`: its first picture.
  public let cover: Milliseconds?
  /// Recorded clips in it: once it is published they are forgotten by `ClipFolder.discard`.
  public let clips: [ClipStamp]

  public init(file: URL, length: Milliseconds, cover: Milliseconds?, clips: [ClipStamp]) {
    self.file = file
    self.length = length
    self.cover = cover
    self.clips = clips
  }
}
