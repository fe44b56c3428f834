internal import Contract

/// The playlists of one load (RFC 8216), written from the feed's descriptor.
///
/// There is one variant, and it names segments, not renditions: in which rendition each comes is the core's
/// to decide, and known when the player asks for the segment. A segment that is not decided for yet has an
/// initialisation section of its own, so that its rendition is open until the player asks for either.
///
/// NB: a discontinuity is marked only where the rendition is known to change. Tracks, their numbers and the
/// timeline are the same in all renditions, so none of the reasons for which RFC 8216, 4.3.2.3, demands one
/// is there; and a player begins its sound anew at each.
enum Playlist {
  static let contentType = "application/vnd.apple.mpegurl"

  /// `first`: the rendition that comes first, by which a player makes itself ready.
  static func main(_ clip: ProxiedClip, first: Int32) -> String {
    let rendition = clip.renditions[Int(first)]
    let peak = clip.renditions.map(\.peakBps).max() ?? rendition.peakBps
    return """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-INDEPENDENT-SEGMENTS
      #EXT-X-STREAM-INF:BANDWIDTH=\(peak),AVERAGE-BANDWIDTH=\(rendition.averageBps),\
      RESOLUTION=\(rendition.width)x\(rendition.height),FRAME-RATE=\(decimal(rendition.frameRate)),\
      CODECS="\(quotable(rendition.codecs))"
      media.m3u8

      """
  }

  static func media(_ clip: ProxiedClip) -> String {
    let segments = clip.renditions.first?.segments ?? []
    let longest = segments.map(\.durationMs).max() ?? 1_000
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\((longest + 999) / 1_000)",
      "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-INDEPENDENT-SEGMENTS",
    ]
    var before: Int32?
    for (index, segment) in segments.enumerated() {
      let chosen = clip.chosen[Int32(index)]
      if chosen == nil || chosen != before {
        if let chosen, let before, chosen != before { lines.append("#EXT-X-DISCONTINUITY") }
        lines.append("#EXT-X-MAP:URI=\"init/\(index).mp4\"")
      }
      before = chosen
      lines += ["#EXTINF:\(decimal(Double(segment.durationMs) / 1_000)),", "segment/\(index).m4s"]
    }
    return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
  }

  /// With three digits behind the point, whatever the language of the device.
  private static func decimal(_ value: Double) -> String {
    // NB: a server may say anything, and `Int` ends the app at what it cannot hold.
    let thousandths = value > 0 ? Int((min(value, 1_000_000) * 1_000).rounded()) : 0
    let digits = String(thousandths % 1_000 + 1_000).dropFirst()
    return "\(thousandths / 1_000).\(digits)"
  }

  /// What may stand in a quoted string: a server must not write lines of its own.
  private static func quotable(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 && $0 != "\"" })
  }
}
