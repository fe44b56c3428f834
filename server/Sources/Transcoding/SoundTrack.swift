/// The sound of a clip as our encoder wrote it: a fragmented MP4 with one track of AAC-LC, from exactly 0.
struct SoundTrack {
  let bytes: [UInt8]
  /// Ticks per second.
  let timescale: Int
  let samples: [TrackFragment.Sample]
  private let trak: Range<Int>
  private let trex: Range<Int>

  /// Throws `Malformed` for everything else.
  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    var reader = BoxReader(bytes)
    var tracks: (trak: BoxReader.Box, trex: BoxReader.Box)?
    var moof: BoxReader.Box?
    var samples: [TrackFragment.Sample] = []
    var time: UInt64 = 0
    while !reader.isAtEnd {
      let box = try reader.nextBox()
      switch box.type {
      case "moov":
        let mvex = try reader.child(of: box, "mvex")
        tracks = (try reader.child(of: box, "trak"), try reader.child(of: mvex, "trex"))
      case "moof":
        moof = box
      case "mdat":
        guard let moof, let tracks else { throw BoxReader.Malformed(reason: "mdat without moof or moov") }
        let fragment = try TrackFragment(
          try reader.child(of: moof, "traf"), of: moof, defaults: try Self.defaults(tracks.trex, reader),
          data: box.content, reader)
        guard fragment.start == time else {
          throw BoxReader.Malformed(reason: "sound starts at tick \(fragment.start), not at \(time)")
        }
        time += fragment.duration
        samples += fragment.samples
      default: break
      }
    }
    guard let tracks, !samples.isEmpty else { throw BoxReader.Malformed(reason: "no sound") }
    let mdia = try reader.child(of: tracks.trak, "mdia")
    var list = BoxReader(bytes, in: try reader.descendant(of: mdia, "minf", "stbl", "stsd").content)
    try list.skip(8)
    let entry = try list.nextBox()
    guard entry.type == "mp4a" else { throw BoxReader.Malformed(reason: "audio is \(entry.type)") }
    var clock = reader.reader(try reader.child(of: mdia, "mdhd"))
    try clock.skip(try clock.u32() >> 24 == 1 ? 16 : 8)
    timescale = Int(try clock.u32())
    guard (1...1_000_000).contains(timescale) else { throw BoxReader.Malformed(reason: "no clock") }
    self.samples = samples
    trak = tracks.trak.range
    trex = tracks.trex.range
  }

  private static func defaults(
    _ trex: BoxReader.Box, _ reader: BoxReader
  ) throws -> [UInt32: TrackFragment.Defaults] {
    var fields = reader.reader(trex)
    try fields.skip(4)
    let track = try fields.u32()
    try fields.skip(4)
    return [track: .init(duration: try fields.u32(), size: try fields.u32(), flags: try fields.u32())]
  }

  /// The initialisation section of a picture with this sound as its second track, of that number.
  func joined(to initialization: [UInt8], as track: UInt32) throws -> [UInt8] {
    var out: [UInt8] = []
    var reader = BoxReader(initialization)
    while !reader.isAtEnd {
      let box = try reader.nextBox()
      guard box.type == "moov" else {
        out += initialization[box.range]
        continue
      }
      var content: [UInt8] = []
      var children = BoxReader(initialization, in: box.content)
      while !children.isAtEnd {
        let child = try children.nextBox()
        switch child.type {
        case "mvhd":
          content += Self.number(Array(initialization[child.range]), from: child.range.count - 4, track + 1)
        case "mvex":
          content += try numbered(trak, as: track)
          let extended =
            Array(initialization[child.content]) + Self.number(Array(bytes[trex]), from: 12, track)
          content += ISOBox.make("mvex", extended)
        default: content += initialization[child.range]
        }
      }
      out += ISOBox.make("moov", content)
    }
    return out
  }

  /// The track's box with another number in its header, which lies behind two times of four or eight bytes.
  private func numbered(_ trak: Range<Int>, as track: UInt32) throws -> [UInt8] {
    var reader = BoxReader(bytes, in: trak)
    let box = try reader.nextBox()
    let header = try reader.child(of: box, "tkhd")
    let place = header.content.lowerBound + (bytes[header.content.lowerBound] == 1 ? 20 : 12)
    guard place + 4 <= header.content.upperBound else { throw BoxReader.Malformed(reason: "no track number") }
    return Self.number(Array(bytes[trak]), from: place - trak.lowerBound, track)
  }

  private static func number(_ box: [UInt8], from place: Int, _ value: UInt32) -> [UInt8] {
    guard place >= 8, place + 4 <= box.count else { return box }
    return Array(box[..<place]) + ISOBox.u32(Int(value)) + Array(box[(place + 4)...])
  }
}
