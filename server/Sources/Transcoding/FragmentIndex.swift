/// Where init and segments lie in a fragmented MP4 that we made, and proof that they can be played as they are.
struct FragmentIndex: Equatable {
  struct Fragment: Equatable {
    /// From a preceding styp or sidx to the end of the mdat.
    var range: Range<Int>
    /// Decode time of the first video sample, and the video's length, in ticks of `timescale`.
    var start: UInt64
    var duration: UInt64
    /// Presentation time of the first video sample relative to `start`.
    var firstOffset: Int64
    var startsWithKeyFrame: Bool
    var samples: Int
  }

  var initialization: Range<Int>
  var fragments: [Fragment]
  /// Ticks per second of the video track.
  var timescale: Int
  /// RFC 6381.
  var codecs: String
  var hasAudio: Bool
  /// Everything after this byte (an mfra index) is not needed by any player, and is cut off.
  var end: Int

  /// More than 60 s at 240 frames a second can hold.
  private static let mostSamples = 20_000

  init(_ bytes: [UInt8]) throws {
    var reader = BoxReader(bytes)
    var moov: BoxReader.Box?
    var tracks = Tracks()
    fragments = []
    initialization = 0..<0
    end = 0
    var pending: BoxReader.Box?
    // Start of the styp, sidx… that belong to the next fragment.
    var fragmentStart: Int?
    loop: while !reader.isAtEnd {
      let box = try reader.nextBox()
      switch box.type {
      case "moov":
        guard moov == nil else { throw BoxReader.Malformed(reason: "two moov boxes") }
        moov = box
        tracks = try Tracks(moov: box, reader)
        initialization = 0..<box.range.upperBound
        end = box.range.upperBound
      case "moof":
        guard moov != nil, pending == nil else {
          throw BoxReader.Malformed(reason: "moof without moov or mdat")
        }
        pending = box
        fragmentStart = fragmentStart ?? box.range.lowerBound
      case "mdat":
        guard let moof = pending, let start = fragmentStart else {
          throw BoxReader.Malformed(reason: "mdat without moof")
        }
        fragments.append(try Self.fragment(start..<box.range.upperBound, moof, tracks, reader))
        end = box.range.upperBound
        pending = nil
        fragmentStart = nil
      case "mfra":
        break loop
      default:
        if moov != nil { fragmentStart = fragmentStart ?? box.range.lowerBound }
      }
    }
    guard moov != nil, pending == nil, !fragments.isEmpty else {
      throw BoxReader.Malformed(reason: "no complete fragment")
    }
    timescale = tracks.timescale
    codecs = tracks.codecs
    hasAudio = tracks.hasAudio
  }

  /// Total length in ticks.
  var duration: UInt64 { fragments.reduce(0) { $0 + $1.duration } }

  /// Throws unless every segment can be appended alone and loops have no gap: contiguous bytes, contiguous time
  /// from exactly 0, a key frame first.
  func validate() throws {
    var byte = initialization.upperBound
    var time: UInt64 = 0
    for (number, fragment) in fragments.enumerated() {
      guard fragment.range.lowerBound == byte else {
        throw BoxReader.Malformed(reason: "segment \(number) is not right behind the one before")
      }
      guard fragment.start == time, fragment.firstOffset == 0 else {
        throw BoxReader.Malformed(
          reason: "segment \(number) starts at tick \(fragment.start)+\(fragment.firstOffset), not at \(time)"
        )
      }
      guard fragment.startsWithKeyFrame, fragment.duration > 0 else {
        throw BoxReader.Malformed(reason: "segment \(number) does not start with a key frame")
      }
      byte = fragment.range.upperBound
      time += fragment.duration
    }
  }

  /// Lengths in milliseconds whose sum is the rounded whole: each is a difference of rounded instants.
  var durationsMs: [Int] {
    var ticks: UInt64 = 0
    return fragments.map { fragment in
      let before = milliseconds(ticks)
      ticks += fragment.duration
      return milliseconds(ticks) - before
    }
  }

  private func milliseconds(_ ticks: UInt64) -> Int {
    Int((Double(ticks) * 1000 / Double(timescale)).rounded())
  }

  private static func fragment(
    _ range: Range<Int>, _ moof: BoxReader.Box, _ tracks: Tracks, _ reader: BoxReader
  ) throws -> Fragment {
    for traf in try reader.children(of: moof, ["traf"]) {
      var header = reader.reader(try reader.child(of: traf, "tfhd"))
      let flags = try header.u32()
      guard try header.u32() == tracks.video else { continue }
      if flags & 0x01 != 0 { try header.skip(8) }
      if flags & 0x02 != 0 { try header.skip(4) }
      let defaultDuration = flags & 0x08 != 0 ? try header.u32() : tracks.defaultDuration
      if flags & 0x10 != 0 { try header.skip(4) }
      let defaultFlags = flags & 0x20 != 0 ? try header.u32() : tracks.defaultFlags

      var clock = reader.reader(try reader.child(of: traf, "tfdt"))
      let start = try clock.u32() >> 24 == 1 ? try clock.u64() : UInt64(try clock.u32())
      var fragment = Fragment(
        range: range, start: start, duration: 0, firstOffset: 0, startsWithKeyFrame: false, samples: 0)
      for trun in try reader.children(of: traf, ["trun"]) {
        var run = reader.reader(trun)
        try add(&run, to: &fragment, defaultDuration, defaultFlags)
      }
      return fragment
    }
    throw BoxReader.Malformed(reason: "a fragment without video")
  }

  private static func add(
    _ run: inout BoxReader, to fragment: inout Fragment, _ defaultDuration: UInt32, _ defaultFlags: UInt32
  ) throws {
    let flags = try run.u32()
    let count = Int(try run.u32())
    guard fragment.samples + count <= mostSamples else {
      throw BoxReader.Malformed(reason: "too many samples")
    }
    if flags & 0x001 != 0 { try run.skip(4) }
    let firstFlags: UInt32? = flags & 0x004 != 0 ? try run.u32() : nil
    for index in 0..<count {
      let duration = flags & 0x100 != 0 ? try run.u32() : defaultDuration
      if flags & 0x200 != 0 { try run.skip(4) }
      let own = flags & 0x400 != 0 ? try run.u32() : defaultFlags
      let offset = flags & 0x800 != 0 ? Int32(bitPattern: try run.u32()) : 0
      if fragment.samples == 0 {
        // sample_is_non_sync_sample is bit 16.
        fragment.startsWithKeyFrame = (index == 0 ? firstFlags ?? own : own) & 0x0001_0000 == 0
        fragment.firstOffset = Int64(offset)
      }
      fragment.duration += UInt64(duration)
      fragment.samples += 1
    }
  }

  /// What the moov says about the tracks.
  private struct Tracks {
    var video: UInt32 = 0
    var timescale = 1
    var codecs = ""
    var hasAudio = false
    var defaultDuration: UInt32 = 0
    var defaultFlags: UInt32 = 0

    init() {}

    init(moov: BoxReader.Box, _ reader: BoxReader) throws {
      var names: [String] = []
      for trak in try reader.children(of: moov, ["trak"]) {
        let mdia = try reader.child(of: trak, "mdia")
        var handler = reader.reader(try reader.child(of: mdia, "hdlr"))
        try handler.skip(8)
        let kind = try handler.u32()
        let entries = try reader.descendant(of: mdia, "minf", "stbl", "stsd")
        var list = BoxReader(reader.bytes, in: entries.content)
        try list.skip(8)
        let entry = try list.nextBox()
        if kind == 0x7669_6465 {  // "vide"
          guard video == 0 else { throw BoxReader.Malformed(reason: "two video tracks") }
          var header = reader.reader(try reader.child(of: trak, "tkhd"))
          try header.skip(try header.u32() >> 24 == 1 ? 16 : 8)
          video = try header.u32()
          var media = reader.reader(try reader.child(of: mdia, "mdhd"))
          try media.skip(try media.u32() >> 24 == 1 ? 16 : 8)
          timescale = Int(try media.u32())
          names.insert(try Self.avc(entry, reader), at: 0)
        } else if kind == 0x736F_756E {  // "soun"
          hasAudio = true
          // Our encoder makes AAC-LC and nothing else.
          guard entry.type == "mp4a" else { throw BoxReader.Malformed(reason: "audio is \(entry.type)") }
          names.append("mp4a.40.2")
        }
      }
      guard video != 0, timescale > 0 else { throw BoxReader.Malformed(reason: "no video track") }
      codecs = names.joined(separator: ",")
      for trex in try reader.children(of: try reader.child(of: moov, "mvex"), ["trex"]) {
        var defaults = reader.reader(trex)
        try defaults.skip(4)
        guard try defaults.u32() == video else { continue }
        try defaults.skip(4)
        defaultDuration = try defaults.u32()
        try defaults.skip(4)
        defaultFlags = try defaults.u32()
      }
    }

    /// avc1.PPCCLL, from profile, constraints and level of the avcC box.
    private static func avc(_ entry: BoxReader.Box, _ reader: BoxReader) throws -> String {
      // A visual sample entry has 78 bytes of its own before its boxes.
      guard entry.type == "avc1", entry.content.count > 78 else {
        throw BoxReader.Malformed(reason: "video is \(entry.type)")
      }
      let inner = BoxReader.Box(
        type: entry.type, range: entry.range,
        content: entry.content.lowerBound + 78..<entry.content.upperBound)
      var configuration = reader.reader(try reader.child(of: inner, "avcC"))
      try configuration.skip(1)
      let hex = try (0..<3).map { _ in
        let text = String(try configuration.u8(), radix: 16)
        return text.count == 1 ? "0" + text : text
      }
      return "avc1." + hex.joined()
    }
  }
}
