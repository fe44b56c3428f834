import Foundation
import Testing

@testable import FFmpeg
@testable import Generation
@testable import PlatformTesting
@testable import Transcoding

/// What an instance makes of words where no vendor is set up, by the real ffmpeg.
@Suite struct DrawnVideoTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("drawn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func draw(
    _ provider: DrawnVideoProvider, _ prompt: String, _ aspect: VideoAspect, key: String,
    from picture: URL? = nil
  ) async throws -> URL {
    let request = VideoRequest(prompt: prompt, seconds: 5, aspect: aspect, picture: picture)
    let id = try await provider.create(request, key: key)
    var status = try await provider.status(of: id)
    try await eventually("it is drawn", minutes: 10) {
      status = try await provider.status(of: id)
      if case .inProgress = status { return false }
      return true
    }
    #expect(status == .completed)
    let file = folder.appendingPathComponent("\(key).mp4")
    try await provider.content(of: id, into: file, atMost: 64 << 20)
    return file
  }

  @Test(arguments: VideoAspect.allCases)
  func aVideoOfTheAskedSizeAndLengthIsDrawnWithSound(_ aspect: VideoAspect) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let provider = try DrawnVideoProvider(folder: folder.appendingPathComponent("runs"))
    // Most shapes that there are, and more words than that.
    let file = try await draw(
      provider, "one two three four five six seven; movie=/etc/passwd", aspect, key: "a")
    let report = try await FFmpegTools().inspect(file, as: .isoMedia, in: folder)
    #expect(report.video.width == aspect.drawnSize.width)
    #expect(report.video.height == aspect.drawnSize.height)
    #expect(abs(report.duration - 5) < 0.1)
    #expect(report.audioIndex != nil)
    let bytes = try Data(contentsOf: file)
    #expect(bytes.range(of: Data("Demonstration".utf8)) != nil)
    #expect(bytes.range(of: Data("passwd".utf8)) == nil)
  }

  @Test(arguments: VideoAspect.allCases)
  func itIsDrawnOverAPicture(_ aspect: VideoAspect) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let tools = try FFmpegTools()
    let picture = folder.appendingPathComponent("picture.jpg")
    try await tools.run(
      ["-f", "lavfi", "-i", "color=c=red:s=640x480", "-frames:v", "1", "file:" + picture.path], in: folder)
    let provider = try DrawnVideoProvider(folder: folder.appendingPathComponent("runs"))
    #expect(provider.capabilities.takesPictures)
    let file = try await draw(provider, "a boat", aspect, key: "a", from: picture)
    let report = try await tools.inspect(file, as: .isoMedia, in: folder)
    #expect(report.video.width == aspect.drawnSize.width && abs(report.duration - 5) < 0.1)
    // The upper edge is its own for as long as it lasts.
    let pixel = folder.appendingPathComponent("pixel.rgb")
    try await tools.run(
      ["-ss", "4.5", "-i", "file:" + file.path, "-frames:v", "1", "-vf", "crop=2:2:0:0,format=rgb24"]
        + ["-f", "rawvideo", "file:" + pixel.path], in: folder)
    let colour = [UInt8](try Data(contentsOf: pixel).prefix(3))
    #expect(colour.count == 3 && colour[0] > 150 && colour[1] < 100 && colour[2] < 100, "\(colour)")
  }

  @Test func theSameWordsGiveTheSameBytes() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let provider = try DrawnVideoProvider(folder: folder.appendingPathComponent("runs"))
    let first = try await draw(provider, "a red boat", .square, key: "1")
    let second = try await draw(provider, "A red boat!", .square, key: "2")
    let other = try await draw(provider, "🛶", .square, key: "3")
    #expect(try Data(contentsOf: first) == Data(contentsOf: second))
    #expect(try Data(contentsOf: first) != Data(contentsOf: other))
  }
}
