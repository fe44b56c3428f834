/// What is stored of each clip: when a decision is made, when the action that is weighed has been done, and
/// in the rollout that goes on from there.
struct BufferState: Sendable {
  private static let clips = Plan.clipPlaces
  private var stages = [Int](repeating: 0, count: clips * 3)
  private var utilities = [Double](repeating: -1, count: clips * 3)

  /// One of them, as plain memory.
  struct Stock {
    /// By clip: its place among the plan's stages…
    let stages: UnsafeMutablePointer<Int>
    /// …and the points per second of its last segment; negative: not stored.
    let lastUtilities: UnsafeMutablePointer<Double>

    @inline(__always)
    func copy(_ other: Stock) {
      stages.update(from: other.stages, count: clips)
      lastUtilities.update(from: other.lastUtilities, count: clips)
    }
  }

  struct Memory {
    let atFirst: Stock
    let begun: Stock
    let now: Stock
  }

  mutating func fill(_ input: DecisionInput) {
    for clip in 0..<Self.clips {
      stages[clip] = clip * Plan.stagesPerClip
      utilities[clip] = clip < input.clipCount ? input.utility(clip, input.lastRates[clip]) : -1
    }
  }

  mutating func withMemory(_ body: (Memory) -> Void) {
    stages.withUnsafeMutableBufferPointer { stages in
      utilities.withUnsafeMutableBufferPointer { utilities in
        func stock(_ place: Int) -> Stock {
          Stock(
            stages: stages.baseAddress! + place * Self.clips,
            lastUtilities: utilities.baseAddress! + place * Self.clips)
        }
        body(Memory(atFirst: stock(0), begun: stock(1), now: stock(2)))
      }
    }
  }
}
