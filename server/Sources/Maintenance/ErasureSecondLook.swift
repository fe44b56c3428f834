public import Platform

/// Removes what was written about accounts and clips while they were deleted.
public struct ErasureSecondLook: Sendable {
  private let database: any Database
  private let time: any TimeSource
  private let erasing: [any ViewerErasing]
  private let forgetClips: @Sendable (_ clips: [String]) async throws -> Void

  /// `erasing`: what features hold of a person. `forgetClips`: what they hold of clips.
  public init(
    database: any Database, time: any TimeSource, erasing: [any ViewerErasing],
    forgetClips: @escaping @Sendable (_ clips: [String]) async throws -> Void
  ) {
    self.database = database
    self.time = time
    self.erasing = erasing
    self.forgetClips = forgetClips
  }

  public func run() async throws {
    let erasureLog = ErasureLog(time: time)
    for viewer in try await database.read({ try erasureLog.due(.viewer, limit: 1000, in: $0) }) {
      try await database.write { [erasing] transaction in
        try transaction.lock(viewer)
        for feature in erasing { try feature.erase(viewer, in: transaction) }
        try erasureLog.forget(.viewer, viewer, in: transaction)
      }
    }
    let clips = try await database.read { try erasureLog.due(.clip, limit: 200, in: $0) }
    guard !clips.isEmpty else { return }
    try await forgetClips(clips)
    try await database.write { for clip in clips { try erasureLog.forget(.clip, clip, in: $0) } }
  }
}
