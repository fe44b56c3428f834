/// Writes the fragments of a rendition anew, so that each holds the picture AND the sound of its own time.
///
/// ffmpeg cuts by decode order: with B-frames a fragment's sound ends some 60 ms before its picture, by another
/// amount at another frame rate. A player that has only the first segment would stall before its end, and a switch
/// of rendition between two segments would lose a piece of sound. Here sound is cut where the picture is.
struct Repackager {
  let bytes: [UInt8]
  let index: FragmentIndex

  /// The whole file: init, then one moof and mdat per fragment, and nothing else.
  func write() -> [UInt8] {
    let initialization = Array(bytes[index.initialization])
    var out = (try? SampleEntry.plain(initialization)) ?? initialization
    let sound = index.fragments.flatMap { $0.audio?.samples ?? [] }
    var played = 0
    var soundTime: UInt64 = 0
    var pictureTime: UInt64 = 0
    for (number, fragment) in index.fragments.enumerated() {
      pictureTime += fragment.video.duration
      let isLast = number == index.fragments.count - 1
      var audio = fragment.audio ?? index.fragments.lazy.compactMap(\.audio).first
      audio?.start = soundTime
      audio?.samples = []
      // Whatever starts before the next cut is heard with this picture.
      while played < sound.count,
        isLast || soundTime * UInt64(index.timescale) < pictureTime * UInt64(index.audioTimescale)
      {
        audio?.samples.append(sound[played])
        soundTime += UInt64(sound[played].duration)
        played += 1
      }
      let tracks = [fragment.video, audio].compactMap { $0 }.filter { !$0.samples.isEmpty }
      append(tracks, number: number + 1, to: &out)
    }
    return out
  }

  private func append(_ tracks: [TrackFragment], number: Int, to out: inout [UInt8]) {
    // Sizes do not depend on the offsets, so the first draft tells where the data will be.
    let draft = moof(tracks, number: number, dataAt: 0)
    out += moof(tracks, number: number, dataAt: draft.count + 8)
    let samples = tracks.flatMap(\.samples)
    out += Self.u32(8 + samples.reduce(0) { $0 + $1.bytes.count }) + Array("mdat".utf8)
    for sample in samples { out += bytes[sample.bytes] }
  }

  private func moof(_ tracks: [TrackFragment], number: Int, dataAt first: Int) -> [UInt8] {
    var place = first
    var content = Self.box("mfhd", Self.u32(0) + Self.u32(number))
    for track in tracks {
      content += Self.box("traf", header(track) + run(track, dataAt: place))
      place += track.samples.reduce(0) { $0 + $1.bytes.count }
    }
    return Self.box("moof", content)
  }

  /// What all samples (but a first key frame) have in common is said once: per sample it would cost as much as a
  /// tenth of the sound.
  private func header(_ track: TrackFragment) -> [UInt8] {
    // default-base-is-moof, default duration, default flags; tfdt in its 64-bit form.
    let defaults = Self.u32(Int(track.samples[0].duration)) + Self.u32(Int(commonFlags(track)))
    return Self.box("tfhd", Self.u32(0x02_0028) + Self.u32(Int(track.track)) + defaults)
      + Self.box(
        "tfdt",
        Self.u32(0x0100_0000) + Self.u32(Int(track.start >> 32)) + Self.u32(Int(track.start & 0xFFFF_FFFF)))
  }

  private func commonFlags(_ track: TrackFragment) -> UInt32 { track.samples[track.samples.count - 1].flags }

  private func run(_ track: TrackFragment, dataAt place: Int) -> [UInt8] {
    let samples = track.samples
    let hasDurations = samples.contains { $0.duration != samples[0].duration }
    let hasFlags = samples.dropFirst().contains { $0.flags != commonFlags(track) }
    let hasOffsets = samples.contains { $0.offset != 0 }
    // Version 1: composition offsets are signed. Data offset and sizes always, the rest where samples differ.
    let flags =
      0x0100_0201 | (hasFlags ? 0x400 : 0x004) | (hasDurations ? 0x100 : 0) | (hasOffsets ? 0x800 : 0)
    var content = Self.u32(flags) + Self.u32(samples.count) + Self.u32(place)
    if !hasFlags { content += Self.u32(Int(samples[0].flags)) }
    for sample in samples {
      if hasDurations { content += Self.u32(Int(sample.duration)) }
      content += Self.u32(sample.bytes.count)
      if hasFlags { content += Self.u32(Int(sample.flags)) }
      if hasOffsets { content += Self.u32(Int(UInt32(bitPattern: sample.offset))) }
    }
    return Self.box("trun", content)
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    u32(content.count + 8) + Array(type.utf8) + content
  }

  private static func u32(_ value: Int) -> [UInt8] {
    [UInt8(value >> 24 & 255), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
  }
}
