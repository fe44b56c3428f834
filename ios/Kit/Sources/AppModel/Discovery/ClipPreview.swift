public import Contract
public import Device
public import Foundation
public import Observation

/// A clip of a grid moves while a finger holds it, by the pictures of its storyboard. One at a time, and none
/// where motion is reduced or data is saved.
///
/// It refuses to know what a tap does, and how pictures are decoded.
@MainActor @Observable public final class ClipPreview {
  /// The file with all of the clip's pictures.
  public struct Sheet: Sendable {
    public let url: String
    public let data: Data
    /// In pixels.
    public let width: Int
    public let height: Int
  }

  /// Where in the sheet the picture of now lies, in pixels.
  public struct Place: Equatable, Sendable {
    public let x: Int
    public let y: Int
    public let width: Int
    public let height: Int
  }

  /// As on the web: a finger that is lifted sooner has tapped.
  static let hold = Duration.milliseconds(400)
  /// So long each picture stays.
  static let step = Duration.milliseconds(450)
  /// The system may say what a lifted finger did a moment after it has said that it is lifted.
  static let settling = Duration.milliseconds(100)

  /// The tile that moves.
  public private(set) var moving: String?
  /// The last one is kept for whoever holds it again.
  public private(set) var sheet: Sheet?
  public private(set) var place: Place?

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored private let device: any DevicePort
  @ObservationIgnored private let preferences: () -> PlaybackPreferences
  /// Under the finger.
  @ObservationIgnored private var pressed: String?
  /// Has moved under the finger: lifting that is no tap.
  @ObservationIgnored private(set) var held: String?
  @ObservationIgnored private var playing: Task<Void, Never>?
  @ObservationIgnored private var letting: Task<Void, Never>?

  /// `preferences`: what is wanted on this device, now.
  public init(
    client: Client, clock: any PauseClock, device: any DevicePort,
    preferences: @escaping () -> PlaybackPreferences
  ) {
    self.client = client
    self.clock = clock
    self.device = device
    self.preferences = preferences
  }

  // MARK: Fingers

  /// A finger is on the tile of this clip.
  public func press(_ clip: Clip) {
    guard let board = clip.playback.storyboard else { return end() }
    press(clip.id) { board }
  }

  /// The list of own clips does not say where the pictures are.
  public func press(_ clip: OwnClip) {
    let client = client
    press(clip.uploadId) { try await client.clip(ofUpload: clip.uploadId).playback.storyboard }
  }

  /// It is lifted, has gone elsewhere, or the tile is not there any more.
  public func release(_ id: String) {
    guard pressed == id else { return }
    stop()
    guard held == id else { return }
    letting = Task { [weak self, clock] in
      if (try? await clock.pause(Self.settling)) != nil { self?.held = nil }
    }
  }

  /// Whoever held the clip to see it move has not tapped it.
  public func isTap(_ id: String) -> Bool {
    defer { held = nil }
    return held != id
  }

  /// Somebody else is here: what was shown was theirs.
  public func clear() {
    end()
    sheet = nil
  }

  // MARK: Pictures

  private var isUnwanted: Bool {
    device.state.reducedMotion || device.state.path.isConstrained || preferences().saves
  }

  private func press(_ id: String, _ board: @escaping @MainActor () async throws -> Storyboard?) {
    end()
    guard !isUnwanted else { return }
    pressed = id
    playing = Task { [weak self, clock] in
      guard (try? await clock.pause(Self.hold)) != nil else { return }
      await self?.play(id, board)
    }
  }

  /// Until the finger is lifted. What does not come is not missed: the tile stays as it is.
  private func play(_ id: String, _ board: @MainActor () async throws -> Storyboard?) async {
    guard let board = try? await board(), board.count > 1, let sheet = await sheet(of: board) else { return }
    for number in endless(board.count) {
      guard !Task.isCancelled, let tile = board.tile(atMilliseconds: number * Int64(board.intervalMs)) else {
        return
      }
      self.sheet = sheet
      place = Place(x: tile.x, y: tile.y, width: tile.width, height: tile.height)
      moving = id
      held = id
      guard (try? await clock.pause(Self.step)) != nil else { return }
    }
  }

  /// 0 to `count` - 1, again and again.
  private func endless(_ count: Int) -> some Sequence<Int64> {
    sequence(first: Int64(0)) { ($0 + 1) % Int64(count) }
  }

  private func sheet(of board: Storyboard) async -> Sheet? {
    if let sheet, sheet.url == board.url { return sheet }
    guard let size = board.size, let data = try? await client.media(board.url), !data.isEmpty,
      data.count <= PictureStore.largest
    else { return nil }
    return Sheet(url: board.url, data: data, width: size.width, height: size.height)
  }

  private func stop() {
    playing?.cancel()
    playing = nil
    pressed = nil
    moving = nil
    place = nil
  }

  private func end() {
    stop()
    letting?.cancel()
    letting = nil
    held = nil
  }
}
