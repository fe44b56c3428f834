public import Foundation
public import Generation
internal import Platform

/// The VideoProvider port on ffmpeg alone, for an instance where no vendor is set up: it draws something from
/// the prompt's words (`DrawnVideo`), and says that it is a demonstration.
public struct DrawnVideoProvider: VideoProvider {
  public let name: String
  public let capabilities: VideoCapabilities
  private let ffmpeg: String
  private let runs: VideoRuns

  /// `folder`: of its own, in which it makes what it needs. Throws `FFmpegTools.NotInstalled`.
  public init(name: String = "drawn", folder: URL, concurrent: Int = 1) throws {
    self.name = name
    ffmpeg = try FFmpegTools.find("ffmpeg")
    capabilities = VideoCapabilities(
      seconds: [5, 10, 15], aspects: Set(VideoAspect.allCases), takesPictures: true,
      concurrent: concurrent, pollSeconds: 1)
    runs = VideoRuns(folder: folder, concurrent: concurrent)
  }

  public func create(_ request: VideoRequest, key: String) async throws -> String {
    guard capabilities.seconds.contains(request.seconds), request.refined == nil else {
      throw ProviderFailure(.invalid, "it does not take that")
    }
    let drawn = DrawnVideo(request)
    return try runs.begin(key: key, input: Data(), picture: request.picture) { room in
      ChildProcess(
        program: ffmpeg,
        arguments: drawn.arguments(
          to: room.appendingPathComponent(VideoRuns.output),
          from: request.picture.map { _ in room.appendingPathComponent(VideoRuns.picture) }),
        folder: room, memoryBytes: 2 << 30, wallSeconds: 300, niceness: Confinement.patientNiceness)
    } step: { line in
      drawn.permille(in: line)
    }
  }

  public func status(of id: String) async throws -> VideoStatus { runs.status(of: id) }

  public func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
    try await runs.content(of: id, into: file, atMost: bytes)
  }

  public func cancel(_ id: String) async throws { runs.cancel(id) }
}
