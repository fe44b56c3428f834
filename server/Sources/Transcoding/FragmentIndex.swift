internal import Platform

/// Where init and segments lie in a fragmented MP4 that we made, and proof that they can be played as they
/// are.
struct FragmentIndex: Equatable {
  struct Fragment: Equatable {
    /// From a preceding styp or sidx to the end of the mdat.
    var range: Range<Int>
    var video: TrackFragment
    var audio: TrackFragment?
  }

  var initialization: Range<Int>
  var fragments: [Fragment]
  /// Ticks per second of the video track, and of the audio track.
  var timescale: Int
  var audioTimescale: Int
  /// RFC 6381.
  var codecs: String
  var hasAudio: Bool
  /// Everything after this byte (an mfra index) is not needed by any player, and is cut off.
  var end: Int

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
        if moov != nil, box.type == "uuid", fragments.isEmpty, fragmentStart == nil {
          // Right behind the moov, and fetched with it: what says where the picture comes from.
          initialization = 0..<box.range.upperBound
          end = box.range.upperBound
        } else if moov != nil {
          fragmentStart = fragmentStart ?? box.range.lowerBound
        }
      }
    }
    guard moov != nil, pending == nil, !fragments.isEmpty else {
      throw BoxReader.Malformed(reason: "no complete fragment")
    }
    timescale = tracks.timescale
    audioTimescale = tracks.audioTimescale
    codecs = tracks.codecs
    hasAudio = tracks.hasAudio
  }

  /// Total length in ticks.
  var duration: UInt64 { fragments.reduce(0) { $0 + $1.video.duration } }

  /// Throws unless every segment can be appended alone and loops have no gap: contiguous bytes, a key frame
  /// first, picture and sound contiguous from exactly 0, and the sound no longer than the picture.
  func validate() throws {
    var byte = initialization.upperBound
    var time: UInt64 = 0
    var audioTime: UInt64 = 0
    for (number, fragment) in fragments.enumerated() {
      let video = fragment.video
      guard fragment.range.lowerBound == byte else {
        throw BoxReader.Malformed(reason: "segment \(number) is not right behind the one before")
      }
      guard video.start == time, let first = video.samples.first, first.offset == 0 else {
        throw BoxReader.Malformed(reason: "segment \(number) starts at tick \(video.start), not at \(time)")
      }
      guard first.isKeyFrame, video.duration > 0 else {
        throw BoxReader.Malformed(reason: "segment \(number) does not start with a key frame")
      }
      byte = fragment.range.upperBound
      time += video.duration
      if let audio = fragment.audio {
        guard audio.start == audioTime else {
          throw BoxReader.Malformed(reason: "the sound of segment \(number) starts at tick \(audio.start)")
        }
        audioTime += audio.duration
      }
    }
    guard audioTime * UInt64(timescale) <= time * UInt64(max(audioTimescale, 1)) else {
      throw BoxReader.Malformed(reason: "the sound is longer than the picture")
    }
  }

  /// Lengths in milliseconds whose sum is the rounded whole: each is a difference of rounded instants.
  var durationsMs: [Int] {
    var ticks: UInt64 = 0
    return fragments.map { fragment in
      let before = milliseconds(ticks)
      ticks += fragment.video.duration
      return milliseconds(ticks) - before
    }
  }

  private func milliseconds(_ ticks: UInt64) -> Int {
    Int(clamping: Double(ticks) * 1000 / Double(timescale))
  }

  private static func fragment(
    _ range: Range<Int>, _ moof: BoxReader.Box, _ tracks: Tracks, _ reader: BoxReader
  ) throws -> Fragment {
    var video: TrackFragment?
    var audio: TrackFragment?
    for traf in try reader.children(of: moof, ["traf"]) {
      let fragment = try TrackFragment(traf, of: moof, defaults: tracks.defaults, data: range, reader)
      if fragment.track == tracks.video {
        video = fragment
      } else if fragment.track == tracks.audio {
        audio = fragment
      }
    }
    guard let video else { throw BoxReader.Malformed(reason: "a fragment without video") }
    return Fragment(range: range, video: video, audio: audio)
  }

  /// What the moov says about the tracks.
  private struct Tracks {
    var video: UInt32 = 0
    var timescale = 1
    var codecs = ""
    var audio: UInt32 = 0
    var audioTimescale = 0
    var hasAudio: Bool { audio != 0 }
    var defaults: [UInt32: TrackFragment.Defaults] = [:]

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
        var header = reader.reader(try reader.child(of: trak, "tkhd"))
        try header.skip(try header.u32() >> 24 == 1 ? 16 : 8)
        let track = try header.u32()
        var media = reader.reader(try reader.child(of: mdia, "mdhd"))
        try media.skip(try media.u32() >> 24 == 1 ? 16 : 8)
        let ticks = Int(try media.u32())
        if kind == 0x7669_6465 {  // "vide"
          guard video == 0 else { throw BoxReader.Malformed(reason: "two video tracks") }
          (video, timescale) = (track, ticks)
          names.insert(try Self.avc(entry, reader), at: 0)
        } else if kind == 0x736F_756E {  // "soun"
          // Our encoder makes AAC-LC and nothing else.
          guard entry.type == "mp4a" else { throw BoxReader.Malformed(reason: "audio is \(entry.type)") }
          (audio, audioTimescale) = (track, ticks)
          names.append("mp4a.40.2")
        }
      }
      guard video != 0, (1...1_000_000).contains(timescale),
        audio == 0 || (1...1_000_000).contains(audioTimescale)
      else {
        throw BoxReader.Malformed(reason: "no video track, or no clock")
      }
      codecs = names.joined(separator: ",")
      for trex in try reader.children(of: try reader.child(of: moov, "mvex"), ["trex"]) {
        var fields = reader.reader(trex)
        try fields.skip(4)
        let track = try fields.u32()
        try fields.skip(4)
        defaults[track] = .init(duration: try fields.u32(), size: try fields.u32(), flags: try fields.u32())
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
