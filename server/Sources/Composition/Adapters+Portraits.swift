internal import Contract
internal import FFmpeg
internal import Foundation
internal import Platform
public import Profiles
public import Videos

extension AuthorStore: PortraitKeeping {}

/// Draws pictures of people with the ffmpeg of this machine. It is looked for when somebody sends a picture,
/// since a server that converts nothing may do without.
struct PortraitsOfMachine: PortraitDrawing {
  let requiringSandbox: Bool

  func draw(_ order: PortraitOrder, in folder: URL) async throws -> Portrait {
    guard let tools = try? FFmpegTools(), !requiringSandbox || FFmpegTools.isConfined else {
      throw AppError(.unavailable, "Pictures of people cannot be made on this server.")
    }
    return try await tools.draw(order, in: folder)
  }
}
