internal import Contract
internal import Foundation

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
    let group = clip.captions.isEmpty ? "" : ",SUBTITLES=\"captions\""
    return """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-INDEPENDENT-SEGMENTS
      \(subtitles(clip))#EXT-X-STREAM-INF:BANDWIDTH=\(peak),AVERAGE-BANDWIDTH=\(rendition.averageBps),\
      RESOLUTION=\(rendition.width)x\(rendition.height),FRAME-RATE=\(decimal(rendition.frameRate)),\
      CODECS="\(quotable(rendition.codecs))"\(group)
      media.m3u8

      """
  }

  /// One language each, as the server's own playlist names them. None is shown unless somebody wants it.
  private static func subtitles(_ clip: ProxiedClip) -> String {
    clip.captions.enumerated().map { index, track in
      let language = quotable(track.language)
      // Names tell them from each other, so no two are the same.
      let isTaken = clip.captions[..<index].contains { $0.label == track.label }
      let name = quotable(track.label)
      return "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"captions\",LANGUAGE=\"\(language)\","
        + "NAME=\"\(name.isEmpty || isTaken ? "\(name) \(language)" : name)\",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,"
        + "URI=\"captions/\(index).m3u8\"\n"
    }.joined()
  }

  /// The whole file as one segment: from here where the disk has it, else at its own address.
  static func captions(_ clip: ProxiedClip, _ index: Int, isHere: Bool) -> String {
    let segments = clip.renditions.first?.segments ?? []
    let length = Double(segments.prefix(4_096).reduce(0) { $0 + Double($1.durationMs) }) / 1_000
    return """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-TARGETDURATION:\(Int(min(max(length, 1), 86_400).rounded(.up)))
      #EXT-X-PLAYLIST-TYPE:VOD
      #EXTINF:\(decimal(length)),
      \(isHere ? "\(index).vtt" : clip.captions[index].address)
      #EXT-X-ENDLIST

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
    let scalars = text.unicodeScalars.prefix(200).filter {
      $0.value >= 0x20 && $0 != "\"" && $0.value != 0x7F && !(0x80...0x9F).contains($0.value)
        && $0.value != 0x2028 && $0.value != 0x2029
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
