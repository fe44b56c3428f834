internal import CoreTypes
internal import Foundation
internal import Recording

/// The list of clips as it is written down, and a clip's file name, which says the same of it but for its
/// length: so a list that cannot be read costs no clip.
struct StoredTakes: Codable, Equatable, Sendable {
  struct Clip: Codable, Equatable, Sendable {
    var clip: Int32
    /// Of the file, in ms; 0 while it is being recorded.
    var captured: Int64
    var speed: Int32
    var camera: Int32
    var take: Int32
  }

  var limit: Int64
  var clips: [Clip]

  init(limit: Milliseconds, _ clips: [RecordedClip]) {
    self.limit = limit.rawValue
    self.clips = clips.map(Clip.init)
  }

  init(limit: Int64, clips: [Clip]) {
    self.limit = limit
    self.clips = clips
  }
}

extension StoredTakes.Clip {
  static let ending = ".mov"

  init(_ recorded: RecordedClip) {
    self.init(
      clip: recorded.clip.rawValue, captured: recorded.captured.rawValue, speed: recorded.speed,
      camera: recorded.camera.rawValue, take: recorded.take.rawValue)
  }

  /// "clip-7-200-0-7.mov": number, speed, camera, take.
  init?(fileName: String) {
    guard fileName.hasPrefix("clip-"), fileName.hasSuffix(Self.ending) else { return nil }
    let words = fileName.dropFirst(5).dropLast(Self.ending.count).split(
      separator: "-", omittingEmptySubsequences: false)
    let numbers = words.compactMap { Int32($0) }
    guard words.count == 4, numbers.count == 4, numbers[0] > 0, numbers.allSatisfy({ $0 >= 0 }) else {
      return nil
    }
    self.init(clip: numbers[0], captured: 0, speed: numbers[1], camera: numbers[2], take: numbers[3])
  }

  var fileName: String { "clip-\(clip)-\(speed)-\(camera)-\(take)\(Self.ending)" }

  /// As the core hears of it; what it cannot be, the core leaves out.
  func recorded(_ captured: Milliseconds) -> RecordedClip {
    RecordedClip(
      clip: ClipID(clip), captured: captured, played: .zero, speed: speed,
      camera: Camera(rawValue: camera) ?? .back, take: ClipID(take))
  }
}
