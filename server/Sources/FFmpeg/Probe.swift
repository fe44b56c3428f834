internal import Contract
internal import Foundation
internal import Platform
internal import Transcoding

/// ffprobe's answer, and what we make of it.
struct Probe: Decodable {
  struct Stream: Decodable {
    var index: Int
    var codec_type: String?
    var codec_name: String?
    /// Of MP4 the number of the track, as "0x1".
    var id: String?
    var width: Int?
    var height: Int?
    var sample_aspect_ratio: String?
    var r_frame_rate: String?
    var avg_frame_rate: String?
    var field_order: String?
    var color_transfer: String?
    var color_space: String?
    var color_primaries: String?
    var color_range: String?
    var pix_fmt: String?
    var channels: Int?
    var nb_frames: String?
    var disposition: [String: Int]?
    var side_data_list: [SideData]?
    var tags: Tags?

    /// Its container says that it cannot be read without a key: of MP4 the track's sample entry, of Matroska
    /// the key's name, which ffmpeg shows as a tag.
    func isEncrypted(_ tracks: Set<UInt32>) -> Bool {
      let number = id.flatMap { $0.hasPrefix("0x") ? UInt32($0.dropFirst(2), radix: 16) : nil }
      return tags?.enc_key_id != nil || number.map(tracks.contains) == true
    }
  }

  struct Tags: Decodable {
    var enc_key_id: String?
  }

  struct SideData: Decodable {
    /// Three lines, each a number and three values of 16.16 fixed point.
    var displaymatrix: String?
    var dv_profile: Int?
    var dv_bl_signal_compatibility_id: Int?

    var orientation: Orientation? {
      let rows = (displaymatrix ?? "").split(separator: "\n").map { line in
        line.split(separator: " ").dropFirst().compactMap { Double($0) }
      }
      guard rows.count >= 2, rows[0].count >= 2, rows[1].count >= 2 else { return nil }
      return Orientation(matrix: rows[0][0], rows[0][1], rows[1][0], rows[1][1])
    }

    /// Profile 5 alone has no picture that can be shown without Dolby's own decoder: its colours are in a
    /// space of their own, and come out green and violet.
    var isDolbyOnly: Bool { dv_profile == 5 || (dv_profile != nil && dv_bl_signal_compatibility_id == 0) }
  }

  struct Packet: Decodable {
    var stream_index: Int
    var pts_time: String?
    var dts_time: String?
    var duration_time: String?
    var flags: String?
  }

  struct Format: Decodable {
    var start_time: String?
    var duration: String?
  }

  var streams: [Stream]?
  var packets: [Packet]?
  var format: Format?

  /// Codecs that are pictures; in a video container they are covers or bombs.
  static let pictures: Set<String> = [
    "png", "bmp", "gif", "tiff", "webp", "svg", "jpegxl", "apng", "ppm", "exr", "psd",
  ]

  /// `encrypted`: numbers of such tracks.
  func report(encrypted: Set<UInt32> = []) throws -> SourceReport {
    let all = (streams ?? []).filter { $0.codec_type == "video" }
    let covers = all.filter { $0.disposition?["attached_pic"] == 1 }
    let candidates = all.filter { $0.disposition?["attached_pic"] != 1 }
    // The same file must always give the same clip: the default stream, else the first.
    guard let stream = candidates.first(where: { $0.disposition?["default"] == 1 }) ?? candidates.first else {
      throw AppError(.noVideoStream, covers.isEmpty ? nil : "The file has only a cover picture, no video.")
    }
    guard let codec = stream.codec_name, codec != "unknown", codec != "none" else {
      throw AppError(.unsupportedCodec)
    }
    guard let width = stream.width, let height = stream.height, width > 0, height > 0 else {
      throw AppError(.unreadable)
    }
    guard stream.side_data_list?.contains(where: \.isDolbyOnly) != true else {
      throw AppError(
        .unsupportedCodec,
        "The video is in Dolby Vision without a picture for other screens; record or export it as HDR or SDR."
      )
    }
    let sounds = (streams ?? []).filter {
      $0.codec_type == "audio" && $0.codec_name != nil && $0.codec_name != "unknown"
    }
    let sound = sounds.first { $0.disposition?["default"] == 1 } ?? sounds.first
    // Also where a picture comes out of it: no player that people have would show it (decision 35).
    guard !stream.isEncrypted(encrypted), sound?.isEncrypted(encrypted) != true else {
      throw AppError(.encrypted)
    }
    let timing = try Timing(self, stream)
    let isInterlaced = ["tt", "bb", "tb", "bt"].contains(stream.field_order ?? "")
    // Camcorders put each field of a picture into a packet of its own: twice as many packets as frames.
    let average = Self.ratio(stream.avg_frame_rate, "/") ?? timing.averageRate
    let holdsFields = isInterlaced && timing.averageRate > average * 1.5
    var report = SourceReport(
      video: SourceReport.Video(
        index: stream.index, codec: codec, width: width, height: height,
        sampleAspect: Self.ratio(stream.sample_aspect_ratio, ":").map { (0.1...10).contains($0) ? $0 : 1 }
          ?? 1,
        rotated: false,
        nominalRate: Self.ratio(stream.r_frame_rate, "/").flatMap { $0 <= 61 ? $0 : nil } ?? timing.usualRate,
        averageRate: average,
        interlaced: isInterlaced,
        transfer: stream.color_transfer ?? "", matrix: stream.color_space ?? "",
        isStillPicture: Self.pictures.contains(codec) || timing.shown <= 1, isDecodable: true),
      audioIndex: sound?.index, start: timing.start, end: timing.end,
      fileStart: Double(format?.start_time ?? "") ?? timing.start, presence: timing.presence,
      shownFrames: holdsFields ? timing.shown / 2 : timing.shown)
    report.lastFrameAt = timing.lastFrameAt
    report.video.orientation = stream.side_data_list?.lazy.compactMap(\.orientation).first ?? .upright
    report.video.primaries = stream.color_primaries ?? ""
    report.video.pixelFormat = stream.pix_fmt ?? ""
    report.video.range = stream.color_range ?? ""
    report.audioChannels = sound?.channels ?? 0
    return report
  }

  static func ratio(_ text: String?, _ separator: Character) -> Double? {
    let parts = (text ?? "").split(separator: separator).compactMap { Double($0) }
    // NB: "inf" and "1e999" are numbers to whoever reads them, and the ratio of two may be none.
    guard parts.count == 2, parts[0] > 0, parts[1] > 0, case let ratio = parts[0] / parts[1], ratio.isFinite
    else { return nil }
    return ratio
  }
}

/// When the frames of a stream are shown, from its packets: headers may claim anything.
private struct Timing {
  var start = 0.0
  var end = 0.0
  /// Of its start, from that of the first.
  var lastFrameAt = 0.0
  var shown = 0
  var presence = 1.0
  var averageRate = 0.0
  /// Of the usual distance between two frames; gaps do not count.
  var usualRate = 0.0

  init(_ probe: Probe, _ stream: Probe.Stream) throws {
    let mine = (probe.packets ?? []).filter { $0.stream_index == stream.index }
    guard !mine.isEmpty else { throw AppError(.noVideoStream, "The video track has no frames.") }
    // 'D': cut away by the edit list, decoded but never shown.
    let visible = mine.filter { !($0.flags ?? "").contains("D") }
    let times = visible.compactMap { packet in
      Self.time(packet).map { ($0, Double(packet.duration_time ?? "")) }
    }
    guard let first = times.map(\.0).min(), let last = times.max(by: { $0.0 < $1.0 }) else {
      throw AppError(.unreadable)
    }
    shown = visible.count
    let typical = times.count > 1 ? (last.0 - first) / Double(times.count - 1) : 0.04
    start = first
    lastFrameAt = last.0 - first
    end = last.0 + (last.1 ?? typical)
    averageRate = Double(times.count) / max(end - start, 0.001)
    let sorted = times.map(\.0).sorted()
    let distances = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    usualRate = distances.isEmpty ? 0 : 1 / distances[distances.count / 2]
    if let declared = stream.nb_frames.flatMap({ SafeInteger.read($0) }), declared > 0 {
      presence = min(1, Double(mine.count) / Double(declared))
    } else if let declared = probe.format?.duration.flatMap(Double.init), declared > 0 {
      let lastOfAny =
        (probe.packets ?? []).compactMap { packet in
          Self.time(packet).map { $0 + (Double(packet.duration_time ?? "") ?? 0) }
        }.max() ?? end
      let origin = probe.format?.start_time.flatMap(Double.init) ?? 0
      // The length in a header counts from the first packet, or from zero.
      let fromZero = declared > origin ? (lastOfAny - origin) / (declared - origin) : 0
      presence = min(1, max((lastOfAny - origin) / declared, fromZero))
    }
  }

  private static func time(_ packet: Probe.Packet) -> Double? {
    [packet.pts_time, packet.dts_time].lazy.compactMap { $0.flatMap(Double.init) }.first { $0.isFinite }
  }
}
