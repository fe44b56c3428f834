public import Device

/// What a person wants of this app on this device.
public struct AppSettings: Codable, Equatable, Sendable {
  public var playback: PlaybackPreferences
  /// Clips and pictures are fetched ahead while the app is not in use.
  public var refreshes: Bool

  public init(playback: PlaybackPreferences = PlaybackPreferences(), refreshes: Bool = true) {
    self.playback = playback
    self.refreshes = refreshes
  }
}
