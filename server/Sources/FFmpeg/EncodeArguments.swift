internal import Foundation
internal import Transcoding

/// The ffmpeg command that makes the pictures of all renditions, the poster and a storyboard from one decode.
///
/// Clips loop without a gap only if the video starts at exactly 0: hence negative composition offsets instead
/// of an edit list.
struct EncodeArguments {
  /// In the job's folder; of two runs for one job each has its own.
  var frameLog: String { "frames-\(ladder.steps[0].name).txt" }

  let report: SourceReport
  let ladder: Ladder
  /// Of the first step; nil: none is made.
  let storyboard: StoryboardOutputs?
  let preset: String
  /// Constant rate factor of x264: 23 is good on a phone, 18 can be encoded once more and hardly shows it.
  let quality: Int
  let isAwaited: Bool
  /// Of the job.
  let folder: URL

  var files: [URL] { ladder.steps.map { folder.appendingPathComponent("\($0.name).mp4") } }

  var poster: StillOutputs {
    let step = ladder.steps[ladder.posterPlace]
    return StillOutputs(
      "poster-\(ladder.steps[0].name)", size: (step.width, step.height), thumbnail: ladder.posterThumbnail,
      in: folder)
  }

  /// A frame of another size in the middle goes to the scaler, not to a graph that starts again from zero;
  /// but where ffmpeg puts filters of its own in front, which would not survive it, the graph has to start
  /// again.
  var inputOptions: [String] {
    let isPlain = !report.video.interlaced && report.video.orientation == .upright
    return decoding + (isPlain ? ["-reinit_filter:v", "0"] : [])
  }

  /// ffmpeg would take a thread more than there are processors. Beside encoders that keep all of them busy,
  /// that one only takes turns with theirs: 0.3 of 10 seconds of processor time for 15 s of 1080×1920 on two,
  /// for nothing.
  private var decoding: [String] {
    isAwaited ? [] : ["-threads", "\(ProcessInfo.processInfo.activeProcessorCount)"]
  }

  /// Filters that take little are not worth the threads that each of them would wake for every frame.
  private var filtering: [String] {
    PictureGraph(video: report.video).isLight ? ["-filter_complex_threads", "1"] : []
  }

  var arguments: [String] {
    var out = filtering + ["-filter_complex", graph, "-map_metadata", "-1", "-map_chapters", "-1"]
    for (number, (step, file)) in zip(ladder.steps, files).enumerated() {
      out += ["-map", "[v\(number)]"] + video(step)
      out += [
        "-map_metadata", "-1", "-avoid_negative_ts", "disabled", "-fflags", "+bitexact", "-movflags",
        "+frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets+skip_trailer", "-f", "mp4",
        "file:" + file.path,
      ]
    }
    out += ["-map", "[picture]"] + poster.pictureOptions
    out += ["-map", "[thumbnail]"] + poster.thumbnailOptions
    return out + (storyboard?.options ?? [])
  }

  private var graph: String {
    let top = ladder.steps[ladder.steps.count - 1]
    let count = ladder.steps.count
    var shared = [
      // Picture and sound by the same clock; a first frame that cannot be decoded moves neither.
      "setpts=round(PTS-\(report.lead)/TB)", "metadata=mode=add:key=n:value=1",
      "metadata=mode=print:file=\(frameLog)",
    ]
    if report.video.interlaced { shared.append("bwdif=mode=send_frame:deint=interlaced") }
    shared.append("fps=\(ladder.rate.numerator)/\(ladder.rate.denominator):start_time=0")
    // The last frame is held if the decoder gives fewer than were promised, then all is cut to the same
    // length.
    shared.append("tpad=stop_mode=clone:stop_duration=\(Int(ladder.duration) + 2)")
    shared.append("trim=end_frame=\(ladder.frames)")
    let allSlow = ladder.steps.allSatisfy(\.everySecondFrame)
    // Before the picture is touched, where nobody wants the frames in between.
    if allSlow { shared.append("framestep=2") }
    shared += PictureGraph(video: report.video).filters(width: top.width, height: top.height)
    var chains = [
      "[0:\(report.video.index)]" + shared.joined(separator: ",") + ",split=\(count)" + labels("s", count)
    ]
    for (number, step) in ladder.steps.enumerated() {
      var own: [String] = []
      if step.everySecondFrame, !allSlow { own.append("framestep=2") }
      if step != top { own.append(PictureGraph.resized(width: step.width, height: step.height)) }
      own += ["setsar=1", "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"]
      if number == 0, let storyboard {
        own.append("split=2[b]")
        chains.append("[b]\(storyboard.toTiles)")
      }
      if number == ladder.posterPlace {
        own.append("split=2[p]")
        chains += [
          "[p]trim=end_frame=1,split=2[p0][p1]", "[p0]\(poster.toPicture)[picture]",
          "[p1]\(poster.toThumbnail)[thumbnail]",
        ]
      }
      chains.append("[s\(number)]" + own.joined(separator: ",") + "[v\(number)]")
    }
    return chains.joined(separator: ";")
  }

  private func labels(_ letter: String, _ count: Int) -> String {
    (0..<count).map { "[\(letter)\($0)]" }.joined()
  }

  private func video(_ step: Ladder.Step) -> [String] {
    // No segment should exceed the cap; 3 % are for the container. By the arithmetic of the buffer a segment
    // could, by a fifth, but x264 plans ahead: pictures of nothing but noise, all the time or in bursts, came
    // to 0.9 of the cap at most. A buffer so small that none ever could (0.29 of the room, at a rate of 0.83)
    // starves every key frame: detail that moves came out at an SSIM of 0.928 instead of 0.950
    // (benchmarks/README.md).
    let room = Double(step.capBps - step.audioBps) * 0.97
    let threads = threads(for: step)
    // Of two frames that are made at the same time neither knows what the other will need, and x264 leaves
    // more of the buffer unused. So more comes in, and less is there at the start, for the first segment is
    // no larger then.
    let (rate, buffer, start) = threads == 1 ? (room * 0.8, room * 0.6, 0.4) : (room * 0.84, room * 0.6, 0.35)
    // A quarter of a frame early, so that rounding never moves a cut to the next frame.
    let early = 0.25 / step.rate.perSecond
    let cuts = ladder.cuts.map { String(format: "%.6f", max(0, $0 - early)) }.joined(separator: ",")
    return [
      "-c:v", "libx264", "-preset", preset, "-profile:v", "high", "-pix_fmt", "yuv420p", "-crf", "\(quality)",
      "-maxrate", "\(Int(rate))", "-bufsize", "\(Int(buffer))", "-bf", "3", "-flags:v", "+bitexact+cgop",
      "-threads:v", "\(threads)",
      // NB: without a pyramid a picture is moved by one frame and no more; ffmpeg's own demuxer, in many
      // players, shows the picture later than the sound by as much (it takes no negative composition
      // offsets).
      "-x264-params", "keyint=infinite:min-keyint=1:scenecut=0:open-gop=0:vbv-init=\(start):b-pyramid=none",
      // No data beside the picture: neither captions hidden in the source's, nor the encoder's version and
      // settings, 700 bytes that would be in front of every first frame.
      "-force_key_frames", cuts, "-a53cc", "0", "-bsf:v", "filter_units=remove_types=6",
    ]
  }

  /// An encoder of one thread works while ffmpeg's own thread waits for it, which also cuts, scales and feeds
  /// the others: all but the smallest are made beside it, which is soon done, and comes out better for its
  /// bytes without. What comes out must not depend on the machine, hence no more where there are more
  /// processors: with three, 720 lost 0.008 of SSIM for 6 % of its bytes, with six, 1080 lost 0.024 for 15 %.
  private func threads(for step: Ladder.Step) -> Int {
    let isSmall = step.width * step.height < 400_000
    return !isSmall && ProcessInfo.processInfo.activeProcessorCount > 1 ? 2 : 1
  }
}
