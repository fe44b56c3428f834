import Contract
import CoreTypes
import Foundation
import MediaStore
import Playback
import PlaybackTesting
import Synchronization
import Testing

/// A file server: byte n of a file is n modulo 251. It can break off, and says what was asked of it.
private final class FileTransport: SegmentTransport {
  private let state = Mutex<(asked: [Range<Int>], left: Int)>(([], .max))

  var asked: [Range<Int>] { state.withLock { $0.asked } }
  func breakOff(after bytes: Int) { state.withLock { $0.left = bytes } }

  func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
    let range = request.offset..<request.offset + request.size
    let count = state.withLock { state in
      state.asked.append(range)
      let count = min(range.count, state.left)
      if state.left != .max { state.left -= count }
      return count
    }
    return AsyncThrowingStream { continuation in
      let bytes = Data(range.prefix(count).map { UInt8($0 % 251) })
      for start in stride(from: 0, to: bytes.count, by: 30) {
        continuation.yield(Data(bytes.dropFirst(start).prefix(30)))
      }
      continuation.finish(throwing: count < range.count ? TransferFailure.network : nil)
    }
  }
}

@MainActor @Suite struct ClipFetcherTests {
  private func with<Result>(
    _ act: (DiskStore, FileTransport, ClipFetcher) async throws -> Result
  ) async throws -> Result {
    let folder = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try DiskStore(root: folder)
    let transport = FileTransport()
    let fetcher = ClipFetcher(store: store, transport: transport, base: URL(string: "http://origin.test/")!)
    return try await act(store, transport, fetcher)
  }

  @Test func bringsAllOfAClipWithOneRequest() async throws {
    try await with { store, transport, fetcher in
      let clip = sampleClip("a")
      let steps = Mutex<[Int]>([])
      try await fetcher.fetch(clip, shortEdge: 720, saves: true) { done, total in
        #expect(total == 650)
        steps.withLock { $0.append(done) }
      }
      #expect(transport.asked == [0..<650])
      #expect(steps.withLock { $0.first } == 0)
      #expect(steps.withLock { $0.last } == 650)
      let held = await fetcher.held(of: clip)
      #expect(held.isWhole && held.bytes == 650)
      let entry = try #require(await store.holds("/media/a-1.mp4"))
      #expect(entry.isSaved)
      let part = MediaPart(blob: "/media/a-2.mp4", offset: 250, size: 200)
      #expect(await store.read(part, of: "/media/a-1.mp4") == Data((250..<450).map { UInt8($0 % 251) }))
    }
  }

  @Test func takesTheBestThatIsWantedAndAtLeastTheSmallest() async throws {
    try await with { _, transport, fetcher in
      try await fetcher.fetch(sampleClip("a"), shortEdge: 719, saves: false)
      try await fetcher.fetch(sampleClip("b"), shortEdge: 100, saves: false)
      #expect(transport.asked == [0..<350, 0..<350])
    }
  }

  @Test func goesOnWhereItWasBrokenOff() async throws {
    try await with { _, transport, fetcher in
      let clip = sampleClip("a")
      transport.breakOff(after: 300)
      await #expect(throws: TransferFailure.network) {
        try await fetcher.fetch(clip, shortEdge: 720, saves: true)
      }
      #expect(await !fetcher.held(of: clip).isWhole)
      transport.breakOff(after: .max)
      try await fetcher.fetch(clip, shortEdge: 720, saves: true)
      #expect(transport.asked == [0..<650, 250..<650])
      try await fetcher.fetch(clip, shortEdge: 720, saves: true)
      #expect(transport.asked.count == 2)
    }
  }

  @Test func whatIsThereInAnotherQualityIsNotFetchedAgain() async throws {
    try await with { _, transport, fetcher in
      let clip = sampleClip("a")
      try await fetcher.fetch(clip, segments: 2, shortEdge: 360, saves: false)
      try await fetcher.fetch(clip, shortEdge: 720, saves: true)
      // The initialisation section, and the third segment alone.
      #expect(transport.asked == [0..<250, 0..<50, 450..<650])
      #expect(await fetcher.held(of: clip).isWhole)
    }
  }

  @Test func whatIsDroppedGivesItsRoomBack() async throws {
    try await with { store, _, fetcher in
      try await fetcher.fetch(sampleClip("a"), shortEdge: 720, saves: true)
      await fetcher.drop(sampleClip("a"))
      #expect(await store.size == 0)
      #expect(await store.clips.isEmpty)
    }
  }

  @Test func asksForNothingThatIsNoClipOrNotForEverybody() async throws {
    try await with { _, transport, fetcher in
      await #expect(throws: ClipFetcher.Failure.notPublic) {
        try await fetcher.fetch(sampleClip("a", visibility: .private), shortEdge: 720, saves: true)
      }
      for (offset, size) in [(-1, 10), (50, -5), (.max, 100), (0, 100), (50, .max)] {
        var clip = sampleClip("a")
        clip.playback.renditions[1].segments[0].offset = offset
        clip.playback.renditions[1].segments[0].size = size
        await #expect(throws: ClipFetcher.Failure.notPlayable) {
          try await fetcher.fetch(clip, shortEdge: 720, saves: true)
        }
      }
      #expect(transport.asked.isEmpty)
    }
  }
}
