internal import Contract
internal import Foundation
internal import Platform

/// HLS of RFC 8216 over the same files and byte ranges that the playback descriptor names.
enum Playlists {
  static func media(_ rendition: Rendition) -> String {
    let file = fileName(rendition.url)
    let longest = rendition.segments.map(\.durationMs).max() ?? 0
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7",
      "#EXT-X-TARGETDURATION:\(Int(clamping: (Double(longest) / 1000).rounded(.up)))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-INDEPENDENT-SEGMENTS",
      "#EXT-X-MAP:URI=\"\(file)\",BYTERANGE=\"\(rendition.initialization.size)@\(rendition.initialization.offset)\"",
    ]
    for segment in rendition.segments {
      lines.append("#EXTINF:\(seconds(segment.durationMs)),")
      lines.append("#EXT-X-BYTERANGE:\(segment.size)@\(segment.offset)")
      lines.append(file)
    }
    return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
  }

  /// `names` are the file names of the media playlists, in the order of the renditions.
  static func master(_ renditions: [Rendition], playlists names: [String]) -> String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    for (rendition, name) in zip(renditions, names) {
      lines.append(
        "#EXT-X-STREAM-INF:BANDWIDTH=\(rendition.peakBps),AVERAGE-BANDWIDTH=\(rendition.averageBps),"
          + "CODECS=\"\(rendition.codecs)\",RESOLUTION=\(rendition.width)x\(rendition.height),"
          + "FRAME-RATE=\(String(format: "%.3f", rendition.frameRate))")
      lines.append(name)
    }
    return (lines + [""]).joined(separator: "\n")
  }

  static func seconds(_ ms: Int) -> String { String(format: "%.3f", Double(ms) / 1000) }

  /// All files of a clip lie in one folder, so a playlist names them without a path.
  static func fileName(_ url: String) -> String { String(url.split(atByte: UInt8(ascii: "/")).last ?? "") }
}
