internal import Contract
internal import FFmpeg
internal import Foundation
internal import Generation
internal import Platform
public import Profiles
public import Videos

extension AuthorStore: PortraitKeeping {}

/// Draws pictures of people with the ffmpeg of this machine. It is looked for when somebody sends a picture,
/// since a server that converts nothing may do without.
struct PortraitsOfMachine: PortraitDrawing {
  let requiringSandbox: Bool

  func draw(_ order: PortraitOrder, in folder: URL) async throws -> Portrait {
    guard let tools = FFmpegTools.drawing(requiringSandbox) else {
      throw AppError(.unavailable, "Pictures of people cannot be made on this server.")
    }
    return try await tools.draw(order, in: folder)
  }
}

/// The same for pictures that videos start from, one after the other with those of people.
struct FirstPicturesOfMachine: FirstPictureDrawing {
  let requiringSandbox: Bool
  let turns: DrawingTurns

  func firstPictures(of bytes: [UInt8], in folder: URL) async throws -> [VideoAspect: URL] {
    guard let tools = FFmpegTools.drawing(requiringSandbox) else {
      throw AppError(.unavailable, "Pictures to start from cannot be made on this server.")
    }
    return try await turns.run { try await tools.firstPictures(of: bytes, in: folder) }
  }
}

extension FFmpegTools {
  /// Nil: there is none, or it cannot be shut in where it has to be.
  fileprivate static func drawing(_ requiringSandbox: Bool) -> FFmpegTools? {
    guard let tools = try? FFmpegTools(), !requiringSandbox || isConfined else { return nil }
    return tools
  }
}
