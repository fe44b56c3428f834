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

  @Test func aCurveIsWhatAHundredOthersDid() throws {
    let library = ClipLibrary(seed: 5)
    for index in 0..<20 {
      let shares = try #require(library.curve(index)).shares
      #expect(shares[0] == 1_000_000 && zip(shares, shares.dropFirst()).allSatisfy { $0 >= $1 })
      // Most have left by the end, and some go round.
      #expect(shares[shares.count / 2] < 700_000)
      let likely = library.retention(index).survival(at: Milliseconds(3_000))
      #expect(abs(Double(shares[3]) / 1e6 - likely) < 0.25)
    }
  }

  @Test func whoeverHearsCurvesDecidesOtherwise() {
    let scenario = Scenario(family: .threeG, seed: 2, length: .watching(Milliseconds(30_000)))
    let bytes = [PolicyKind.ours, .informed].map { kind in
      var world = World(scenario, policy: kind.policy(for: scenario), hearsCurves: kind.hearsCurves)
      world.run()
      return world.measures.bytes
    }
    #expect(bytes[0] != bytes[1])
  }
}
