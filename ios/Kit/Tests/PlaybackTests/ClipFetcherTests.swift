import Contract
import CoreTypes
import Foundation
import MediaStore
import Playback
import PlaybackTesting
import Synchronization
import Testing

/// A file server: byte n of a file is n modulo 251. It can break off, and says what was asked of it. Whole
/// files are there as they were put, or gone.
private final class FileTransport: SegmentTransport {
  private struct State {
    var asked: [Range<Int>] = []
    var left = Int.max
    var files: [String: Result<String, TransferFailure>] = [:]
    var named: [String] = []
  }
  private let state = Mutex(State())

  var asked: [Range<Int>] { state.withLock { $0.asked } }
  var askedFiles: [String] { state.withLock { $0.named } }
  func breakOff(after bytes: Int) { state.withLock { $0.left = bytes } }
  func put(_ file: Result<String, TransferFailure>, at path: String) {
    state.withLock { $0.files[path] = file }
  }

  func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
    if request.isWholeFile {
      let file = state.withLock { state in
        state.named.append(request.url.path)
        return state.files[request.url.path] ?? .failure(.gone)
      }
      return AsyncThrowingStream { continuation in
        if let text = try? file.get() { continuation.yield(Data(text.utf8)) }
        continuation.finish(throwing: file.failure)
      }
    }
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

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
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

  private func spokenClip() -> Clip {
    var clip = sampleClip("a")
    clip.playback.captions = ["de", "en"].map {
      CaptionTrack(language: $0, label: $0, url: "/media/\($0).vtt", automatic: false)
    }
    return clip
  }

  @Test func whatIsSaidInAClipIsKeptWithItAndGoesWithIt() async throws {
    try await with { store, transport, fetcher in
      let text = "WEBVTT\n\n00:00:00.500 --> 00:00:01.000\nHi\n"
      transport.put(.success(text), at: "/media/de.vtt")
      try await fetcher.fetch(spokenClip(), segments: 1, shortEdge: 720, saves: false)
      #expect(transport.askedFiles.isEmpty)
      try await fetcher.fetch(spokenClip(), shortEdge: 720, saves: true)
      #expect(transport.askedFiles == ["/media/de.vtt", "/media/en.vtt"])
      #expect(await store.file("/media/de.vtt", of: "/media/a-1.mp4") == Data(text.utf8))
      // Gone since: no cues, and nothing to ask for again.
      #expect(await store.file("/media/en.vtt", of: "/media/a-1.mp4") == Data("WEBVTT\n\n".utf8))
      let held = await fetcher.held(of: spokenClip())
      #expect(held.isWhole && held.bytes == 650 + text.utf8.count + 8)
      #expect(await store.holds("/media/a-1.mp4")?.isSaved == true)
      try await fetcher.fetch(spokenClip(), shortEdge: 720, saves: true)
      #expect(transport.askedFiles.count == 2)
      await fetcher.drop(spokenClip())
      #expect(await store.size == 0)
      #expect(await store.file("/media/de.vtt", of: "/media/a-1.mp4") == nil)
    }
  }

  @Test(arguments: [Result<String, TransferFailure>.success("<html>Sign in"), .failure(.network)])
  func withoutWhatIsSaidInItAClipIsNotWhole(_ answer: Result<String, TransferFailure>) async throws {
    try await with { store, transport, fetcher in
      transport.put(answer, at: "/media/de.vtt")
      // All of the clip itself is there, as of one that was watched.
      try await fetcher.fetch(spokenClip(), shortEdge: 720, saves: false)
      await #expect(throws: TransferFailure.network) {
        try await fetcher.fetch(spokenClip(), shortEdge: 720, saves: true)
      }
      #expect(await store.file("/media/de.vtt", of: "/media/a-1.mp4") == nil)
      #expect(await !fetcher.held(of: spokenClip()).isWhole)
      transport.put(.success("WEBVTT\n"), at: "/media/de.vtt")
      try await fetcher.fetch(spokenClip(), shortEdge: 720, saves: true)
      #expect(await fetcher.held(of: spokenClip()).isWhole)
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
