import CoreTypes
import Simulation
import Testing

@Suite struct ClipLibraryTests {
  @Test func isTheSameForTheSameSeed() {
    for index in 0..<50 {
      #expect(ClipLibrary(seed: 3).clip(index) == ClipLibrary(seed: 3).clip(index))
    }
    #expect(ClipLibrary(seed: 3).clip(0) != ClipLibrary(seed: 4).clip(0))
  }

  @Test func clipsAreCutAsOurPipelineCutsThem() {
    let library = ClipLibrary(seed: 1)
    for index in 0..<200 {
      let clip = library.clip(index)
      #expect((5_000...60_000).contains(clip.duration.rawValue))
      #expect(clip.renditions.map(\.shortEdge) == [360, 540, 720, 1_080])
      #expect(clip.renditions[0].segments[0].duration == 1_000)
      #expect(clip.renditions[0].segments.dropFirst().dropLast().allSatisfy { $0.duration == 2_000 })
      #expect(clip.start(ofSegment: clip.segmentCount) == clip.duration)
    }
  }
}
