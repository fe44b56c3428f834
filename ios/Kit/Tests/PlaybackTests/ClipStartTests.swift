import Contract
import CoreTypes
import Foundation
import MediaStore
import PlaybackTesting
import Session
import Testing

@testable import Playback

/// Whether the beginning of a clip is here.
@MainActor @Suite struct ClipStartTests {
  /// 130 of 200 bytes are missing, and 120 came in `elapsed` ms; the segment plays for a second.
  @Test(arguments: [(100, true), (2_000, false)] as [(Int64, Bool)])
  func aSegmentThatComesInTimeIsABeginning(elapsed: Int64, isInTime: Bool) async throws {
    let transport = FakeTransport()
    let memory = SegmentMemory()
    let clock = ManualClock()
    let page = FeedPage(items: [sampleClip("a"), sampleClip("b")], nextCursor: "n")
    let host = SessionHost(
      samplePorts(transport: transport, source: FakeSource([.success(page)]), clock: clock, memory: memory))
    let (item, key) = (ItemID(0), SegmentKey(item: 0, rendition: 1, segment: 0))
    let hasCome = { (bytes: Int) in memory.read(key, from: bytes - 1, most: 1).portion != .pending }
    host.start(FeedSession.Configuration())
    host.report(.viewportResized(height: 844, shortEdge: 1170))
    #expect(await eventually { !transport.requests.isEmpty })
    let request = try #require(transport.requests.first)
    #expect(request.range.size == 250)
    #expect(await !host.hasStart(item))
    clock.now = Instant(40)
    request.answer.yield(Data(repeating: 1, count: 60))
    #expect(await eventually { hasCome(10) })
    // Nobody knows yet how fast they come.
    #expect(await !host.hasStart(item))
    clock.now = Instant(40 + elapsed)
    request.answer.yield(Data(repeating: 2, count: 60))
    #expect(await eventually { hasCome(70) })
    #expect(await host.hasStart(item) == isInTime)
    request.answer.yield(Data(repeating: 3, count: 130))
    #expect(await eventually { memory.best(0, 0) == 1 })
    #expect(await host.hasStart(item))
    request.answer.finish()
    await host.stop()
  }

  @Test func aWholeFirstSegmentOnDiskIsABeginning() async throws {
    let folder = TemporaryFolder()
    let store = try DiskStore(root: folder.url)
    let clip = try #require(FeedClip(sampleClip("a"), item: ItemID(0)))
    let other = try #require(FeedClip(sampleClip("b"), item: ItemID(1)))
    let host = SessionHost(samplePorts(disk: (store, 1_000_000)))
    let disk = try #require(host.disk)
    for (segment, size) in [(-1, 50), (0, 100)] as [(Int32, Int)] {
      #expect(await !disk.hasStart(of: clip))
      let part = try #require(clip.part(SegmentKey(item: 0, rendition: 0, segment: segment)))
      try await store.write(Data(repeating: 7, count: size), as: part, of: clip.diskName)
    }
    #expect(await disk.hasStart(of: clip))
    #expect(await !disk.hasStart(of: other))
    await host.stop()
  }
}
