import Foundation
import Testing

/// A clip made by machine: a kind of file, and what phones, browsers and editors vary in it.
struct MachineClip: Sendable, CustomTestStringConvertible {
  struct Kind: Sendable {
    let name: String
    /// How its picture and its sound are written, in ffmpeg's words.
    let picture: String
    let sound: String
    /// Layout and rate of the sound, as far as its codec has it.
    var layouts = ["mono 8000", "stereo 44100", "stereo 48000", "5.1 48000", "mono 22050"]
    /// Nil: any.
    var rates: [String]?
    var size = "128x96"
    var holdsTurns = false
  }

  /// When its first packet is, and how much later the sound.
  enum Clock: String, CaseIterable, Sendable {
    case zero, negative, large, lateSound, lateSoundAndLarge
  }

  var kind: Kind
  var ms: Int
  var rate: String
  /// Clockwise, degrees.
  var turn = 0
  /// Nil: none.
  var layout: String?
  /// Of the picture's length.
  var soundShare = 1.0
  var clock = Clock.zero

  var testDescription: String {
    "\(seconds) s at \(rate), turned \(turn), \(layout.map { "\($0) × \(soundShare)" } ?? "silent"), \(clock), \(kind.name)"
  }

  /// Two frames at least: one is a picture.
  var seconds: Double { max(Double(ms) / 1000, 2.2 / framesPerSecond) }
  var framesPerSecond: Double {
    let parts = rate.split(separator: "/").compactMap { Double($0) }
    return parts[0] / (parts.count == 2 ? parts[1] : 1)
  }
  /// Of the track's header; nothing else in ffmpeg's tools writes it.
  var matrix: [Int] { [[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]][turn / 90 % 4] }

  /// What lies before zero is not shown where the container can say so.
  var cutAway: Double { clock == .negative ? ((seconds - 0.1) * 250).rounded() / 1000 : 0 }
  var fileName: String { "clip.\(kind.name)" }

  /// The command that writes it, without its last word.
  var words: [String] {
    let length = String(format: "%.4f", seconds)
    var words = "-f lavfi -i testsrc2=size=\(kind.size):rate=\(rate):duration=\(length)"
    if let layout {
      let parts = layout.split(separator: " ")
      if [.lateSound, .lateSoundAndLarge].contains(clock) { words += " -itsoffset 0.07" }
      words +=
        " -f lavfi -i sine=440:sample_rate=\(parts[1]):duration=\(String(format: "%.4f", seconds * soundShare)),"
        + "aformat=channel_layouts=\(parts[0]) \(kind.sound)"
    }
    words += " \(kind.picture)"
    switch clock {
    case .zero, .lateSound: break
    case .negative: words += " -output_ts_offset \(-cutAway) -avoid_negative_ts disabled"
    // More than the 26.5 hours after which MPEG's clock begins again.
    case .large, .lateSoundAndLarge: words += " -output_ts_offset 95500"
    }
    return words.split(separator: " ").map(String.init)
  }
}

extension MachineClip {
  private static let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
  private static let stereo = ["mono 44100", "stereo 44100", "stereo 48000"]
  private static let atLeast48 = ["mono 48000", "stereo 48000", "5.1 48000"]

  static let h264 = Kind(name: "mp4", picture: x264, sound: "-c:a aac", holdsTurns: true)

  static let kinds: [Kind] = [
    h264,
    Kind(
      name: "later.mp4", picture: "-c:v libx264 -preset veryfast -bf 3 -pix_fmt yuv420p", sound: "-c:a aac",
      holdsTurns: true),
    Kind(
      name: "fragments.mp4", picture: "\(x264) -g 12 -movflags frag_keyframe+empty_moov", sound: "-c:a aac",
      holdsTurns: true),
    Kind(name: "indexed.mp4", picture: "\(x264) -g 12 -movflags dash+global_sidx", sound: "-c:a aac"),
    Kind(
      name: "mov", picture: "\(x264) -movflags faststart", sound: "-c:a pcm_s16le",
      layouts: ["mono 8000", "stereo 44100", "stereo 96000"], holdsTurns: true),
    Kind(name: "h264.mkv", picture: x264, sound: "-c:a libopus", layouts: atLeast48),
    Kind(name: "h264.ts", picture: x264, sound: "-c:a aac", layouts: stereo),
    Kind(
      name: "hevc.mp4", picture: "-c:v libx265 -preset ultrafast -x265-params log-level=error -tag:v hvc1",
      sound: "-c:a aac", holdsTurns: true),
    Kind(
      name: "ten bits.mov",
      picture: "-c:v libx265 -preset ultrafast -x265-params log-level=error -pix_fmt yuv420p10le -tag:v hvc1",
      sound: "-c:a alac", layouts: ["stereo 44100", "stereo 48000"], holdsTurns: true),
    Kind(
      name: "vp8.webm", picture: "-c:v libvpx -deadline realtime -cpu-used 8", sound: "-c:a libvorbis",
      layouts: stereo),
    Kind(
      name: "good.vp8.webm", picture: "-c:v libvpx -deadline good -cpu-used 5 -b:v 200k",
      sound: "-c:a libopus", layouts: atLeast48),
    Kind(
      name: "vp9.webm", picture: "-c:v libvpx-vp9 -deadline realtime -cpu-used 8", sound: "-c:a libopus",
      layouts: atLeast48),
    Kind(
      name: "good.vp9.mkv", picture: "-c:v libvpx-vp9 -deadline good -cpu-used 5", sound: "-c:a flac",
      layouts: stereo),
    Kind(
      name: "vp9.mp4", picture: "-c:v libvpx-vp9 -deadline realtime -cpu-used 8", sound: "-c:a aac",
      holdsTurns: true),
    Kind(
      name: "av1.mp4", picture: "-c:v libsvtav1 -svtav1-params lp=1 -preset 12", sound: "-c:a aac",
      holdsTurns: true),
    Kind(
      name: "hidden.av1.mkv", picture: "-c:v libsvtav1 -svtav1-params lp=1 -preset 12 -bsf:v av1_frame_split",
      sound: "-c:a libopus", layouts: atLeast48),
    Kind(
      name: "part2.mp4", picture: "-c:v mpeg4 -bf 2", sound: "-c:a aac", holdsTurns: true),
    Kind(
      name: "mpeg2.ts", picture: "-c:v mpeg2video -q:v 4", sound: "-c:a mp2", layouts: stereo,
      rates: ["24000/1001", "24", "25", "30000/1001", "30", "50", "60000/1001", "60"]),
    Kind(
      name: "mjpeg.mov", picture: "-c:v mjpeg -pix_fmt yuvj420p", sound: "-c:a pcm_s16le", layouts: stereo,
      holdsTurns: true),
    Kind(
      name: "prores.mov", picture: "-c:v prores_ks -profile:v 1", sound: "-c:a pcm_s16le", layouts: stereo,
      holdsTurns: true),
    Kind(
      name: "h263.3gp", picture: "-c:v h263", sound: "-c:a aac", layouts: ["mono 8000", "mono 16000"],
      rates: ["10", "15", "30000/1001"], size: "176x144"),
    Kind(name: "theora.mkv", picture: "-c:v libtheora", sound: "-c:a libvorbis", layouts: stereo),
  ]

  private static let lengths = [
    100, 130, 200, 370, 500, 640, 800, 950, 1000, 1010, 1040, 1200, 1480, 2000, 2360, 3000, 4100,
  ]
  private static let rates = [
    "30", "5", "24", "25/2", "60", "15", "30000/1001", "10", "25", "120", "24000/1001", "50", "48",
    "60000/1001", "90", "240",
  ]

  /// Two hundred, the same each time: each kind meets lengths, rates and the rest by steps that have no
  /// factor in common.
  static let all: [MachineClip] = (0..<200).map { number in
    let kind = kinds[number % kinds.count]
    let round = number / kinds.count
    let rates = kind.rates ?? Self.rates
    var clip = MachineClip(
      kind: kind, ms: lengths[(number * 5 + round) % lengths.count],
      rate: rates[(number * 7 + round * 3) % rates.count])
    if kind.holdsTurns { clip.turn = [0, 90, 180, 270][(number + round) % 4] }
    if (number + round) % 4 != 0 { clip.layout = kind.layouts[(number * 3 + round) % kind.layouts.count] }
    clip.soundShare = [1, 0.4, 1, 1.7][(number / 2 + round) % 4]
    clip.clock = Clock.allCases[(number * 2 + round) % Clock.allCases.count]
    return clip
  }

  /// Each length from 0.1 to 3 s, at each rate, with sound and without.
  static let sweep: [MachineClip] = (1...30).flatMap { tenths in
    rates.flatMap { rate in
      [nil, "stereo 44100"].map {
        MachineClip(kind: h264, ms: tenths * 100, rate: rate, layout: $0)
      }
    }
  }
}
