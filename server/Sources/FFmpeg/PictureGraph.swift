internal import Transcoding

/// The filters that bring an upright picture to its size, in 8-bit BT.709 of standard dynamic range.
///
/// `scale` comes first: it is the only one of them that may be handed frames of another size in the middle of
/// a stream, which a browser's recorder writes when a phone is turned, and everything after it works on fewer
/// pixels. `zscale` needs half its time and comes after it.
struct PictureGraph {
  let video: SourceReport.Video

  /// cd/m² of a white page in HDR (ITU-R BT.2408), which becomes the unit of light.
  private static let white = 203.0
  /// Up to this light the picture is as it was graded, so skin and grey keep their place; above it highlights
  /// are pressed together, and white paper lands at 86 % of the signal.
  private static let knee = 0.4

  func filters(width: Int, height: Int) -> [String] {
    guard isPlain else { return converted(width: width, height: height) + [Self.tagged] }
    // To `scale` this is nothing at all, as long as frames keep their size.
    let (wide, high) =
      video.orientation.swapsSides ? (video.height, video.width) : (video.width, video.height)
    return ["scale=\(wide):\(high):flags=bicubic", "format=yuv420p", Self.tagged]
      + ((wide, high) == (width, height) ? [] : [Self.resized(width: width, height: height)])
  }

  /// Whether the light of no picture has to be computed anew.
  var isLight: Bool { highDynamicRange == nil && Self.wide[video.primaries] == nil }

  // NB: what was interlaced no longer is by now, and zscale would take each frame that says so for a field.
  private static let tagged =
    "setparams=field_mode=prog:range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"

  /// From pictures that went through `filters`. The same bicubic curve as `scale` has.
  static func resized(width: Int, height: Int) -> String {
    "zscale=\(width):\(height):f=bicubic:param_a=0:param_b=0.6"
  }

  private func converted(width: Int, height: Int) -> [String] {
    let size = "\(width):\(height)"
    if let hdr = highDynamicRange {
      return ["scale=\(size):flags=bicubic"] + toneMapped(hdr.transfer, peak: hdr.peak)
    }
    if let wide = Self.wide[video.primaries] {
      return ["scale=\(size):flags=bicubic"] + narrowed(wide)
    }
    // Untagged HD is BT.709 by custom; the scaler would take it for BT.601.
    let matrix = hasNoMatrix && video.height >= 720 ? ":in_color_matrix=bt709" : ""
    return ["scale=\(size):flags=bicubic\(matrix):out_color_matrix=bt709:out_range=tv", "format=yuv420p"]
  }

  private var hasNoMatrix: Bool {
    ["", "unknown", "unspecified", "reserved", "gbr"].contains(video.matrix)
  }

  /// Whether nothing but the size has to change. zscale cannot halve the colours of an odd side.
  private var isPlain: Bool {
    highDynamicRange == nil && Self.wide[video.primaries] == nil
      && (hasNoMatrix ? video.height >= 720 : video.matrix == "bt709")
      && video.pixelFormat == "yuv420p" && ["", "unknown", "tv"].contains(video.range)
      && video.width % 2 == 0 && video.height % 2 == 0
  }

  /// The transfer in zscale's words, and the brightest light it stands for. A PQ file may say less about
  /// itself, but what it says is often wrong, and light above it would be cut off.
  private var highDynamicRange: (transfer: String, peak: Double)? {
    switch video.transfer {
    case "arib-std-b67": ("arib-std-b67", 1000)
    case "smpte2084": ("smpte2084", 10_000)
    default: nil
    }
  }

  private func toneMapped(_ transfer: String, peak: Double) -> [String] {
    [
      "zscale=pin=\(Self.wide[video.primaries] ?? "bt2020"):min=bt2020nc:tin=\(transfer)"
        + ":p=bt709:m=gbr:t=linear:npl=\(Self.white)",
      "format=gbrpf32le", "tonemap=tonemap=mobius:param=\(Self.knee):peak=\(peak / Self.white):desat=0",
      "zscale=t=bt709:m=bt709:r=tv", "format=yuv420p",
    ]
  }

  /// More colours than BT.709 has, at standard dynamic range: without this they come out pale.
  private func narrowed(_ primaries: String) -> [String] {
    let matrix = ["bt2020nc", "bt470bg", "smpte170m"].contains(video.matrix) ? video.matrix : "bt709"
    return [
      "zscale=pin=\(primaries):min=\(matrix):tin=bt709:p=bt709:m=bt709:t=bt709:r=tv", "format=yuv420p",
    ]
  }

  private static let wide = ["bt2020": "bt2020", "smpte432": "smpte432", "smpte431": "smpte431"]
}
