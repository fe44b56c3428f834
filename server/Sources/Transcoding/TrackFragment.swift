/// The samples of one track in one movie fragment.
struct TrackFragment: Equatable {
  struct Sample: Equatable {
    /// Where its bytes are in the file.
    var bytes: Range<Int>
    var duration: UInt32
    var flags: UInt32
    /// Presentation time minus decode time, in ticks; may be negative.
    var offset: Int32

    /// sample_is_non_sync_sample is bit 16.
    var isKeyFrame: Bool { flags & 0x0001_0000 == 0 }
  }

  /// What samples are like if the fragment does not say.
  struct Defaults {
    var duration: UInt32
    var size: UInt32
    var flags: UInt32
  }

  var track: UInt32
  /// Decode time of the first sample.
  var start: UInt64
  var samples: [Sample]

  /// Bytes of its samples.
  var size: Int { samples.reduce(0) { $0 + $1.bytes.count } }

  var duration: UInt64 { samples.reduce(0) { $0 + UInt64($1.duration) } }

  init(track: UInt32, start: UInt64, samples: [Sample]) {
    self.track = track
    self.start = start
    self.samples = samples
  }

  /// More than 60 s at 240 frames a second can hold.
  private static let mostSamples = 20_000

  /// `data` is where samples may lie. Only what our own encoder writes is read: offsets relative to the moof.
  init(
    _ traf: BoxReader.Box, of moof: BoxReader.Box, defaults: [UInt32: Defaults], data: Range<Int>,
    _ reader: BoxReader
  ) throws {
    var header = reader.reader(try reader.child(of: traf, "tfhd"))
    let flags = try header.u32()
    track = try header.u32()
    guard flags & 0x01 == 0, flags & 0x02_0000 != 0 else {
      throw BoxReader.Malformed(reason: "offsets are not relative to the moof")
    }
    var standard = defaults[track] ?? Defaults(duration: 0, size: 0, flags: 0)
    if flags & 0x02 != 0 { try header.skip(4) }
    if flags & 0x08 != 0 { standard.duration = try header.u32() }
    if flags & 0x10 != 0 { standard.size = try header.u32() }
    if flags & 0x20 != 0 { standard.flags = try header.u32() }
    var clock = reader.reader(try reader.child(of: traf, "tfdt"))
    start = try clock.u32() >> 24 == 1 ? try clock.u64() : UInt64(try clock.u32())
    // NB: times are multiplied later on; no clip comes near to this, and nothing above it can overflow.
    guard start < 1 << 40 else { throw BoxReader.Malformed(reason: "a fragment starts at tick \(start)") }
    samples = []
    var place = moof.range.lowerBound
    for trun in try reader.children(of: traf, ["trun"]) {
      var run = reader.reader(trun)
      try add(&run, base: moof.range.lowerBound, &place, standard, data)
    }
  }

  private mutating func add(
    _ run: inout BoxReader, base: Int, _ place: inout Int, _ standard: Defaults, _ data: Range<Int>
  ) throws {
    let flags = try run.u32()
    let count = Int(try run.u32())
    guard samples.count + count <= Self.mostSamples else {
      throw BoxReader.Malformed(reason: "too many samples")
    }
    if flags & 0x001 != 0 { place = base + Int(Int32(bitPattern: try run.u32())) }
    let firstFlags: UInt32? = flags & 0x004 != 0 ? try run.u32() : nil
    for index in 0..<count {
      let duration = flags & 0x100 != 0 ? try run.u32() : standard.duration
      guard duration < 1 << 24 else { throw BoxReader.Malformed(reason: "a sample of \(duration) ticks") }
      let size = Int(flags & 0x200 != 0 ? try run.u32() : standard.size)
      let own = flags & 0x400 != 0 ? try run.u32() : standard.flags
      let offset = flags & 0x800 != 0 ? Int32(bitPattern: try run.u32()) : 0
      guard place >= data.lowerBound, place + size <= data.upperBound else {
        throw BoxReader.Malformed(reason: "a sample lies outside of its fragment")
      }
      samples.append(
        Sample(
          bytes: place..<place + size, duration: duration, flags: index == 0 ? firstFlags ?? own : own,
          offset: offset))
      place += size
    }
  }
}
