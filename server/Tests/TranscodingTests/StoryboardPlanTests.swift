import Contract
import Platform
import Testing

@testable import Transcoding

@Suite struct StoryboardPlanTests {
  @Test func aClipOfAnyLengthAndShapeHasTilesInBounds() {
    func plan(_ width: Int, _ height: Int, _ rate: Double, _ durationMs: Int) -> StoryboardPlan {
      let rendition = Rendition(
        name: "360", url: "", width: width, height: height, frameRate: rate, codecs: "", peakBps: 1,
        averageBps: 1, initialization: ByteRange(offset: 0, size: 1), segments: [])
      return StoryboardPlan(rendition, durationMs: durationMs)
    }
    for durationMs in [100, 133, 249, 250, 251, 1000, 14_999, 15_000, 15_001, 33_333, 59_999, 60_000, 60_500]
    {
      for rate in [5, 12.5, 23.976, 25, 29.97, 30] {
        let one = plan(360, 640, rate, durationMs)
        #expect((1...60).contains(one.count) && one.frames.count == one.count)
        #expect((one.count - 1) * one.intervalMs < durationMs && one.count * one.intervalMs >= durationMs)
        let frames = Int((Double(durationMs) * rate / 1000).rounded())
        #expect(one.frames.allSatisfy { (0..<max(1, frames)).contains($0) })
        #expect(one.frames == one.frames.sorted() && one.frames[0] == 0)
      }
    }
    for (width, height) in [(360, 640), (640, 360), (16, 16), (16, 8192), (8192, 16), (360, 360), (361, 481)]
    {
      let tile = plan(width, height, 30, 60_000).tile
      #expect(tile.width % 2 == 0 && tile.height % 2 == 0 && min(tile.width, tile.height) >= 2)
      #expect(min(tile.width, tile.height) <= 96 && max(tile.width, tile.height) <= 256)
    }
    #expect(plan(360, 640, 29.97, 60_060).frames[1] == 31, "1.05 s")
    #expect(FrameClock(rate: 29.97, durationMs: 60_060).frame(atMs: 1001) == 30)
  }
}
