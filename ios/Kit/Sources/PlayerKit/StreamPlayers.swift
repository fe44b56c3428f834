public import CoreTypes
public import Playback

/// The pool's players, all made before the feed is shown: making one while somebody swipes costs frames.
@MainActor public final class StreamPlayers {
  public let all: [StreamPlayer]
  /// The one of the app: camera and review have it in between.
  public let sound = AudioSession()

  /// As many as the core's pool has.
  public init(count: Int, loop: LoopStrategy = .seeksToStart) {
    all = (0..<count).map { _ in StreamPlayer(loop: loop) }
    sound.onReset = { [all] in
      for player in all { player.renew() }
    }
  }

  public subscript(_ player: PlayerID) -> StreamPlayer? {
    all.indices.contains(Int(player.rawValue)) ? all[Int(player.rawValue)] : nil
  }
}

extension StreamPlayers: PlayerControls {
  public var hasWindows: Bool { PictureInPicture.isSupported }

  public var othersAreHeard: Bool { sound.othersAreHeard }

  public var onStopped: (() -> Void)? {
    get { sound.onStopped }
    set { sound.onStopped = newValue }
  }

  public var onWindowRefused: (() -> Void)? {
    get { all.first?.onWindowRefused }
    set {
      for player in all { player.onWindowRefused = newValue }
    }
  }

  public func toggleWindow(of player: PlayerID) -> Bool { self[player]?.togglePictureInPicture() ?? false }

  public func setSpeed(_ rate: Double) { for player in all { player.setSpeed(rate) } }

  public func setCaptions(_ language: String?, on player: PlayerID) { self[player]?.setCaptions(language) }

  public func setHeard(_ isHeard: Bool) { sound.setHeard(isHeard) }

  public func setLargest(shortEdge: Int32) {
    for player in all { player.originLimits = StreamLimits(shortEdge: shortEdge) }
  }
}
