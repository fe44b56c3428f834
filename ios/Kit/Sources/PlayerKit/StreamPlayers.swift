public import CoreTypes

/// The pool's players, all made before the feed is shown: making one while somebody swipes costs frames.
@MainActor public final class StreamPlayers {
  public let all: [StreamPlayer]

  /// As many as the core's pool has.
  public init(count: Int, loop: LoopStrategy = .seeksToStart) {
    all = (0..<count).map { _ in StreamPlayer(loop: loop) }
  }

  public subscript(_ player: PlayerID) -> StreamPlayer? {
    all.indices.contains(Int(player.rawValue)) ? all[Int(player.rawValue)] : nil
  }
}
