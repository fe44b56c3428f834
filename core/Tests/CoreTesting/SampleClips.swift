public import CoreTypes

extension PlaybackDescriptor {
  /// A clip in two renditions (360 at 0.5 Mb/s, 720 at 2 Mb/s): a first segment of 1 s, then 2 s
  /// each, as the pipeline makes them.
  public static func sample(seconds: Int64 = 9) -> PlaybackDescriptor {
    sample(seconds: seconds, rates: [(360, 500_000), (720, 2_000_000)])
  }

  public static func sample(seconds: Int64, rates: [(edge: Int32, rate: Int64)])
    -> PlaybackDescriptor
  {
    let renditions = rates.map { edge, rate in
      var segments: [Segment] = []
      var offset: Int64 = 1_000
      var start: Int64 = 0
      while start < seconds {
        let length = min(start == 0 ? 1 : 2, seconds - start)
        let size = rate / 8 * length
        segments.append(
          Segment(
            range: ByteRange(offset: Bytes(offset), size: Bytes(size)),
            duration: Milliseconds(length * 1_000))!)
        offset += size
        start += length
      }
      return Rendition(
        shortEdge: edge, peak: BitsPerSecond(rate * 5 / 4), average: BitsPerSecond(rate),
        initialization: ByteRange(offset: .zero, size: Bytes(1_000)), segments: segments)
    }
    return PlaybackDescriptor(duration: Milliseconds(seconds * 1_000), renditions: renditions)!
  }
}
