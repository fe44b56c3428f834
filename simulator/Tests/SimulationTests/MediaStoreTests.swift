import CoreTypes
import Testing

@testable import Simulation

@Suite struct MediaStoreTests {
  private let clip = ClipLibrary(seed: 1).clip(0)
  private var store = MediaStore()

  init() {
    store.append(clip)
    for segment in -1...3 { store.put(0, rendition: 1, segment: segment) }
  }

  private func size(_ segments: ClosedRange<Int>) -> Int64 {
    segments.reduce(0) { $0 + clip.size(rendition: 1, segment: $1) }
  }

  @Test mutating func countsEachByteOnce() {
    #expect(store.bytes == size(-1...3))
    store.put(0, rendition: 1, segment: 2)
    #expect(store.bytes == size(-1...3))
    store.discard(0)
    #expect(store.bytes == 0)
    #expect(store.peakBytes == size(-1...3))
    #expect(store.best(0, segment: 0) == nil)
  }

  @Test mutating func bytesBecomeUsefulOnce() {
    #expect(store.show(0, rendition: 1, segment: 0) == size(-1...0))
    #expect(store.show(0, rendition: 1, segment: 0) == 0)
    #expect(store.show(0, rendition: 1, segment: 1) == size(1...1))
  }

  @Test mutating func keepsTheStartOfAClip() {
    _ = store.show(0, rendition: 1, segment: 0)
    store.discard(0, keeping: 2)
    #expect(store.bytes == size(-1...1))
    #expect(store.lead(0) == Milliseconds(3_000))
    #expect(store.show(0, rendition: 1, segment: 0) == 0)
    #expect(store.show(0, rendition: 1, segment: 1) == size(1...1))
  }

  @Test mutating func aSegmentWithoutItsInitializationCannotBePlayed() {
    store.put(0, rendition: 3, segment: 0)
    #expect(store.best(0, segment: 0) == 1)
    store.put(0, rendition: 3, segment: -1)
    #expect(store.best(0, segment: 0) == 3)
  }

  @Test func theLeadOfAClipThatLoopsGoesOnAtItsStart() {
    #expect(store.lead(0, from: Milliseconds(1_500)) == Milliseconds(5_500))
    #expect(store.loopingLead(0, from: Milliseconds(1_500)) == Milliseconds(5_500))
    var whole = MediaStore()
    whole.append(clip)
    for segment in -1..<clip.segmentCount { whole.put(0, rendition: 0, segment: segment) }
    #expect(whole.loopingLead(0, from: Milliseconds(1_500)) == clip.duration)
  }
}
