internal import Contract

/// Bits per second of a rendition, by the lengths that its playlist tells: whole milliseconds.
///
/// Both figures are made of the same sizes and lengths and cut down, so the average, which lies between the
/// rates of the segments, never comes out above the highest of them. By the exact length of a clip it did,
/// where its only segment's had been rounded up, and RFC 8216 lets no such playlist pass.
struct SegmentRates: Equatable {
  let peakBps: Int
  let averageBps: Int

  init(_ segments: [Segment]) {
    peakBps = segments.map { Self.rate($0.size, $0.durationMs) }.max() ?? 0
    averageBps = Self.rate(
      segments.reduce(0) { $0 + $1.size }, segments.reduce(0) { $0 + max(1, $1.durationMs) })
  }

  private static func rate(_ bytes: Int, _ ms: Int) -> Int { bytes * 8000 / max(1, ms) }
}
