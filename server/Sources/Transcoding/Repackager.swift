internal import Contract
internal import Foundation
internal import Platform

/// Writes a rendition from its picture and its sound: each fragment holds the picture AND the sound of its
/// own time.
///
/// ffmpeg makes them apart, for the sound of several renditions is the same. It would also cut by decode
/// order: with B-frames a fragment's sound ended some 60 ms before its picture, by another amount at another
/// frame rate. A player that has only the first segment would stall before its end, and a switch of rendition
/// between two segments would lose a piece of sound. Here sound is cut where the picture is.
struct Repackager {
  let picture: [UInt8]
  /// Of the picture.
  let index: FragmentIndex
  let sound: SoundTrack?
  /// Nil: nothing is to be said of where the picture comes from.
  var provenance: Provenance?

  /// The whole file: init, then one moof and mdat per fragment, and nothing else. Where the picture comes
  /// from stands at the end of the init. It moves nothing: fragments count from their own start.
  func write() throws -> [UInt8] {
    let track = index.fragments[0].video.track + 1
    var out = try SampleEntry.plain(Array(picture[index.initialization]))
    if let sound { out = try sound.joined(to: out, as: track) }
    out += provenance?.boxes ?? []
    var unheard = sound?.samples[...] ?? []
    var soundTime: UInt64 = 0
    var pictureTime: UInt64 = 0
    for (number, fragment) in index.fragments.enumerated() {
      pictureTime += fragment.video.duration
      var heard = TrackFragment(track: track, start: soundTime, samples: [])
      // Whatever starts before the next cut is heard with this picture.
      while let sound, let sample = unheard.first,
        number == index.fragments.count - 1
          || soundTime * UInt64(index.timescale) < pictureTime * UInt64(sound.timescale)
      {
        heard.samples.append(sample)
        soundTime += UInt64(sample.duration)
        unheard.removeFirst()
      }
      append(fragment.video, heard, number: number + 1, to: &out)
    }
    return out
  }

  private func append(_ video: TrackFragment, _ audio: TrackFragment, number: Int, to out: inout [UInt8]) {
    let tracks = [video, audio].filter { !$0.samples.isEmpty }
    // Sizes do not depend on the offsets, so the first draft tells where the data will be.
    let draft = moof(tracks, number: number, dataAt: 0)
    out += moof(tracks, number: number, dataAt: draft.count + 8)
    out += ISOBox.u32(8 + tracks.reduce(0) { $0 + $1.size }) + Array("mdat".utf8)
    for sample in video.samples { out += picture[sample.bytes] }
    if let sound { for sample in audio.samples { out += sound.bytes[sample.bytes] } }
  }

  private func moof(_ tracks: [TrackFragment], number: Int, dataAt first: Int) -> [UInt8] {
    var place = first
    var content = ISOBox.make("mfhd", ISOBox.u32(0) + ISOBox.u32(number))
    for track in tracks {
      content += ISOBox.make("traf", header(track) + run(track, dataAt: place))
      place += track.size
    }
    return ISOBox.make("moof", content)
  }

  /// What all samples (but a first key frame) have in common is said once: per sample it would cost as much
  /// as a tenth of the sound.
  private func header(_ track: TrackFragment) -> [UInt8] {
    // default-base-is-moof, default duration, default flags; tfdt in its 64-bit form.
    let defaults = ISOBox.u32(Int(track.samples[0].duration)) + ISOBox.u32(Int(commonFlags(track)))
    return ISOBox.make("tfhd", ISOBox.u32(0x02_0028) + ISOBox.u32(Int(track.track)) + defaults)
      + ISOBox.make(
        "tfdt",
        ISOBox.u32(0x0100_0000) + ISOBox.u32(Int(clamping: track.start >> 32))
          + ISOBox.u32(Int(clamping: track.start & 0xFFFF_FFFF)))
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
    var content = ISOBox.u32(flags) + ISOBox.u32(samples.count) + ISOBox.u32(place)
    if !hasFlags { content += ISOBox.u32(Int(samples[0].flags)) }
    for sample in samples {
      if hasDurations { content += ISOBox.u32(Int(sample.duration)) }
      content += ISOBox.u32(sample.bytes.count)
      if hasFlags { content += ISOBox.u32(Int(sample.flags)) }
      if hasOffsets { content += ISOBox.u32(Int(UInt32(bitPattern: sample.offset))) }
    }
    return ISOBox.make("trun", content)
  }

  /// The rendition of this name and what is in it, proved. Throws `transcoding_failed` unless a player could
  /// play it segment by segment.
  static func join(
    _ picture: URL, _ sound: URL?, name: String, provenance: Provenance? = nil
  ) throws -> (bytes: [UInt8], index: FragmentIndex) {
    do {
      let encoded = [UInt8](try Data(contentsOf: picture))
      let raw = try FragmentIndex(encoded)
      try raw.validate()
      let track = try sound.map { try SoundTrack([UInt8](try Data(contentsOf: $0))) }
      let bytes = try Repackager(picture: encoded, index: raw, sound: track, provenance: provenance).write()
      let index = try FragmentIndex(bytes)
      try index.validate()
      try index.requireKeyFramesOnlyAtCuts(in: bytes)
      return (bytes, index)
    } catch let error as BoxReader.Malformed {
      throw AppError(.transcodingFailed, "The \(name) rendition is not as it must be: \(error.reason).")
    }
  }
}
