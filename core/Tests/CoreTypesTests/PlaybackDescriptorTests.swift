import CoreTesting
import CoreTypes
import Testing

@Suite struct PlaybackDescriptorTests {
  private func rendition(_ ranges: [(Int64, Int64)], duration: Int64 = 1_000) -> Rendition {
    Rendition(
      shortEdge: 360, peak: BitsPerSecond(1), average: BitsPerSecond(1),
      initialization: ByteRange(offset: .zero, size: Bytes(10)),
      segments: ranges.map {
        Segment(
          range: ByteRange(offset: Bytes($0.0), size: Bytes($0.1)),
          duration: Milliseconds(duration))!
      })
  }

  private func descriptor(_ renditions: Rendition...) -> PlaybackDescriptor? {
    PlaybackDescriptor(duration: Milliseconds(2_000), renditions: renditions)
  }

  @Test func refusesNumbersThatDescribeNoClip() {
    #expect(descriptor(rendition([(10, 5), (15, 5)])) != nil)
    #expect(descriptor() == nil)
    #expect(descriptor(rendition([])) == nil, "no segment")
    #expect(descriptor(rendition([(10, 0)])) == nil, "an empty segment")
    #expect(descriptor(rendition([(5, 10)])) == nil, "overlaps the initialisation section")
    #expect(descriptor(rendition([(10, 5), (12, 5)])) == nil, "segments overlap")
    #expect(
      descriptor(rendition([(10, 5)]), rendition([(10, 5), (15, 5)])) == nil,
      "renditions with different segments")
    #expect(
      descriptor(rendition([(10, 5)]), rendition([(10, 5)], duration: 900)) == nil,
      "renditions cut at different times")
    #expect(PlaybackDescriptor(duration: .zero, renditions: [rendition([(10, 5)])]) == nil)
    #expect(
      PlaybackDescriptor(duration: Milliseconds(.max), renditions: [rendition([(10, 5)])]) == nil)
  }

  @Test func findsTheSegmentOfAPosition() {
    let clip = PlaybackDescriptor.sample(seconds: 6)
    #expect(clip.segmentCount == 4)
    #expect(
      [0, 999, 1_000, 2_999, 3_000, 5_999, 6_000, 99_999].map {
        clip.segment(at: Milliseconds($0))
      } == [0, 0, 1, 1, 2, 3, 3, 3])
    #expect(clip.start(ofSegment: 2) == Milliseconds(3_000))
  }

  @Test func joinsRangesOnlyWhereTheyTouch() {
    let touching = rendition([(10, 5), (15, 5)])
    let whole = touching.range(of: 0..<2, withInitialization: true)
    #expect(whole == ByteRange(offset: .zero, size: Bytes(20)))
    #expect(touching.range(of: 1..<2, withInitialization: true) == nil)
    #expect(rendition([(10, 5), (16, 5)]).range(of: 0..<2, withInitialization: false) == nil)
    #expect(touching.range(of: 1..<1, withInitialization: true)?.size == Bytes(10))
  }
}
