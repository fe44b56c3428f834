import Contract
import Foundation
import Playback
import PlaybackTesting

/// A clip of two renditions with segments of 100 and 200 bytes behind an initialisation section of 50.
func shownClip(_ id: String, segments: Int = 3, visibility: Visibility? = nil) -> Clip {
  let renditions = [1, 2].map { level in
    Rendition(
      name: "\(360 * level)", url: "/media/\(id)-\(level).mp4", width: 360 * level, height: 640 * level,
      frameRate: 30, codecs: "avc1.64001f,mp4a.40.2", peakBps: 800 * level, averageBps: 700 * level,
      initialization: ByteRange(offset: 0, size: 50),
      segments: (0..<segments).map {
        Segment(offset: 50 + $0 * 100 * level, size: 100 * level, durationMs: 1_000)
      })
  }
  return Clip(
    id: id, caption: id, createdAt: Date(timeIntervalSince1970: 0),
    author: Author(id: "a", handle: "ann", name: "Ann"), counts: Counts(), width: 720, height: 1280,
    poster: Poster(url: "/media/\(id).jpg", width: 720, height: 1280, placeholder: ""),
    playback: Playback(durationMs: 1_000 * segments, hlsUrl: "/hls/\(id).m3u8", renditions: renditions),
    visibility: visibility)
}

/// A folder that goes with the test.
@MainActor func withFolder<Result>(_ act: @MainActor (URL) async throws -> Result) async throws -> Result {
  let folder = TemporaryFolder.path()
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await act(folder)
}

/// Lets tasks work until this is so.
@MainActor func soon(_ condition: () async -> Bool) async -> Bool {
  for turn in 0..<1_000_000 {
    if await condition() { return true }
    await Task.yield()
    // Work on other threads and on the disk, for which turns of this one are no time.
    if turn % 50 == 49 { try? await Task.sleep(for: .milliseconds(1)) }
  }
  return false
}

/// Answers every range with as many bytes; addresses that hold `refused` are gone.
struct FilledTransport: SegmentTransport {
  var refused = "none"
  func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { continuation in
      if request.url.absoluteString.contains(refused) {
        continuation.finish(throwing: TransferFailure.gone)
      } else {
        continuation.yield(Data(repeating: 7, count: request.size))
        continuation.finish()
      }
    }
  }
}
