internal import Foundation

@testable internal import Captions
@testable internal import FFmpeg
@testable internal import Transcoding

/// WebVTT and SubRip. What we write of it reads the same.
func readCaptions(_ bytes: [UInt8]) {
  guard let cues = try? CaptionReader.read(bytes, durationMs: 60_000) else { return }
  for cue in cues {
    require(cue.startMs >= 0 && cue.startMs < cue.endMs && !cue.text.plain.isEmpty)
  }
  let written = WebVTT.write(cues)
  let again = try? CaptionReader.read(Array(written.utf8), durationMs: 60_000)
  require(again == cues, "\(cues) \(written) \(again as Any)")
}

/// A file in boxes (ISO 14496-12), as far as a rendition is looked at.
func readBoxes(_ bytes: [UInt8]) {
  _ = try? Container.sniff(bytes)
  if let plain = try? SampleEntry.plain(bytes) { require(plain.count == bytes.count) }
  var provenance = Provenance()
  provenance.read(bytes)
  require(provenance.manifest?.count ?? 0 <= bytes.count)
  guard let index = try? FragmentIndex(bytes) else { return }
  try? index.requireKeyFramesOnlyAtCuts(in: bytes)
  guard (try? index.validate()) != nil else { return }
  guard let again = try? Repackager(picture: bytes, index: index, sound: nil).write() else { return }
  require((try? FragmentIndex(again))?.duration == index.duration)
}

func readPlaylists(_ bytes: [UInt8]) {
  let kinds: [PlaylistRules.Kind] = [.master, .media, .captions]
  let (number, list) = choice(of: kinds.count, from: bytes)
  try? PlaylistRules.check(text(list), kinds[number])
  _ = try? ForeignPlaylist(text(list))
}

/// What ffprobe says of a file.
func readProbe(_ bytes: [UInt8]) {
  guard let probe = try? JSONDecoder().decode(Probe.self, from: Data(bytes)) else { return }
  _ = try? probe.report()
}
