import Contract
import Foundation
import Playback
import PlaybackTesting
import Synchronization
import Testing

/// Answers ranges with the low byte of where they begin, and says what was asked.
private final class RangeTransport: SegmentTransport {
  private let all = Mutex<[RangeRequest]>([])
  var asked: [RangeRequest] { all.withLock { $0 } }

  func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
    all.withLock { $0.append(request) }
    return AsyncThrowingStream { continuation in
      continuation.yield(
        Data(repeating: UInt8(truncatingIfNeeded: request.offset >> 20), count: request.size))
      continuation.finish()
    }
  }
}

@Suite struct ClipFileTests {
  private let folder = TemporaryFolder()
  private let transport = RangeTransport()

  private func fetch(_ clip: Clip) async throws -> Data {
    let file = folder.url.appending(path: "clip.mp4")
    try await ClipFile(transport: transport, base: URL(string: "https://clips.test/")!).fetch(clip, to: file)
    return try Data(contentsOf: file)
  }

  @Test func aLargeFileComesInPartsOfFourMegabytes() async throws {
    var clip = sampleClip("a", segments: 2)
    let large = 5 * 1_048_576
    clip.playback.renditions[1].segments = (0..<2).map {
      Segment(offset: 50 + $0 * large, size: large, durationMs: 1_000)
    }
    let bytes = try await fetch(clip)
    #expect(bytes.count == 50 + 2 * large)
    #expect(transport.asked.map(\.offset) == [0, 4, 8].map { $0 * 1_048_576 })
    #expect(transport.asked.allSatisfy { $0.url.absoluteString == "https://clips.test/media/a-2.mp4" })
    #expect(bytes[0] == 0 && bytes[4 * 1_048_576] == 4 && bytes[8 * 1_048_576] == 8)
  }

  @Test func numbersThatDescribeNoClipFetchNothing() async throws {
    var wrong = sampleClip("a")
    wrong.playback.renditions[1].segments[0].size = .max
    await #expect(throws: ClipFile.Failure.notPlayable) { _ = try await fetch(wrong) }
    var empty = sampleClip("b")
    empty.playback.renditions = []
    await #expect(throws: ClipFile.Failure.notPlayable) { _ = try await fetch(empty) }
    #expect(transport.asked.isEmpty)
  }

  @Test func aPlaceThatIsNoneIsNotWritten() async {
    await #expect(throws: ClipFile.Failure.notWritten) {
      try await ClipFile(transport: transport, base: URL(string: "https://clips.test/")!)
        .fetch(sampleClip("a"), to: folder.url.appending(path: "no/such/clip.mp4"))
    }
  }
}
