/// The scene as plain memory, valid for one decision.
struct Plan {
  let clipCount: Int
  let position: Double
  let throughput: Double
  let latency: Double
  let isPipelined: Bool
  let previousRate: Int
  let pendingCount: Int
  let pending: UnsafePointer<Scene.Pending>
  let durations: UnsafePointer<Double>
  let storedEnds: UnsafePointer<Double>
  let rateCounts: UnsafePointer<Int>
  let missingCounts: UnsafePointer<Int>
  let lastRates: UnsafePointer<Int>
  let firstRates: UnsafePointer<Int>
  let utilities: UnsafePointer<Double>
  let ends: UnsafePointer<Double>
  let sizes: UnsafePointer<Double>
  let survival: UnsafePointer<Double>

  /// Fills the tables of `Table` by clip, segment and rate.
  func fill(loads: UnsafeMutablePointer<Double>, variations: UnsafeMutablePointer<Double>) {
    for clip in 0..<clipCount {
      let first = clip * Scene.maxSegments
      for segment in first..<first + missingCounts[clip] {
        let row = segment * Scene.maxRates
        for place in row..<row + rateCounts[clip] {
          loads[place] = sizes[place] / throughput
          // White noise: the longer it takes, the more of it averages out.
          variations[place] = (0.5 / (loads[place] + 0.1)).squareRoot()
        }
      }
    }
  }
}

extension Scene {
  /// Number of a clip's missing segments that are under way.
  func pendingCount(of clip: Int) -> Int {
    var count = 0
    for index in 0..<pendingCount where pending[index].clip == clip { count += 1 }
    return count
  }

  func withPlan(_ body: (Plan) -> Void) {
    pending.withUnsafeBufferPointer { pending in
      durations.withUnsafeBufferPointer { durations in
        storedEnds.withUnsafeBufferPointer { storedEnds in
          rateCounts.withUnsafeBufferPointer { rateCounts in
            missingCounts.withUnsafeBufferPointer { missingCounts in
              lastRates.withUnsafeBufferPointer { lastRates in
                firstRates.withUnsafeBufferPointer { firstRates in
                  utilities.withUnsafeBufferPointer { utilities in
                    ends.withUnsafeBufferPointer { ends in
                      sizes.withUnsafeBufferPointer { sizes in
                        survival.withUnsafeBufferPointer { survival in
                          body(
                            Plan(
                              clipCount: clipCount, position: position, throughput: throughput,
                              latency: latency, isPipelined: isPipelined,
                              previousRate: previousRate, pendingCount: pendingCount,
                              pending: pending.baseAddress!, durations: durations.baseAddress!,
                              storedEnds: storedEnds.baseAddress!,
                              rateCounts: rateCounts.baseAddress!,
                              missingCounts: missingCounts.baseAddress!,
                              lastRates: lastRates.baseAddress!,
                              firstRates: firstRates.baseAddress!,
                              utilities: utilities.baseAddress!, ends: ends.baseAddress!,
                              sizes: sizes.baseAddress!, survival: survival.baseAddress!))
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
