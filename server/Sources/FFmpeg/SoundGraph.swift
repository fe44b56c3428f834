internal import Transcoding

/// The filters that bring sound to stereo at 48 kHz on the clip's clock, and to its loudness.
struct SoundGraph {
  static let rate = 48_000

  let report: SourceReport

  /// What is heard with the picture, as loud as it was recorded.
  func raw(samples: Int) -> [String] { aligned + ["atrim=end_sample=\(samples)"] }

  /// From one sample to another, silence where the source has none. `isRaw`: it went through `raw` before.
  func levelled(by loudness: Loudness?, isRaw: Bool, from first: Int, to end: Int) -> [String] {
    (isRaw ? [] : aligned) + Self.level(loudness)
      + ["apad", "atrim=start_sample=\(first):end_sample=\(end)"]
  }

  private var aligned: [String] {
    // More channels than any layout has a name for: the first two are the nearest thing to left and right.
    let named = report.audioChannels > 8 ? ["pan=stereo|FL=c0|FR=c1"] : []
    return ["asetpts=PTS-\(report.lead)/TB"] + named + [
      "aresample=\(Self.rate):async=1:first_pts=0", "aformat=sample_fmts=fltp:channel_layouts=stereo",
    ]
  }

  private static func level(_ loudness: Loudness?) -> [String] {
    guard let loudness, abs(loudness.gain) > 0.1 || loudness.needsLimiter else { return [] }
    let gain = "volume=\(loudness.gain)dB:precision=float"
    guard loudness.needsLimiter else { return [gain] }
    // At four times the rate, since the true peak lies between samples. The limiter reads ahead by its attack
    // and takes the delay back itself.
    return [
      gain, "aresample=\(4 * rate)",
      "alimiter=limit=\(Loudness.ceiling)dB:level=0:attack=5:release=80:latency=1",
      "aresample=\(rate)", "aformat=sample_fmts=fltp:channel_layouts=stereo",
    ]
  }
}

extension SourceReport {
  /// Seconds from the start of the file, from which ffmpeg counts, to the first frame, from which the clip
  /// does.
  var lead: Double { max(0, start - fileStart) }
}
