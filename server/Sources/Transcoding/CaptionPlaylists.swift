public import Contract
public import Foundation
public import Platform

/// Clips whose captions are to be found by players that read playlists. `made` is what was read by
/// `uncaptioned`.
public protocol CaptionShowing: Sendable {
  /// What a visible clip is played from without captions, and its tracks; nil: nobody can see it.
  func uncaptioned(_ clipID: String) async throws -> (playback: Playback, tracks: [CaptionTrack])?
  /// Shows the clip with this master playlist, unless something has changed since: then it asks for the work
  /// again.
  func setCaptioned(
    _ clipID: String, made: (playback: Playback, tracks: [CaptionTrack]), hlsUrl: String,
    playlists: [BlobName], in transaction: any Transaction) throws
}

/// The job that makes the master playlist of a clip with captions, from the one without. The job's key is the
/// clip. It is asked for with every change of either, reads what is there now, and can be done any number of
/// times.
public struct CaptionPlaylists: JobHandler {
  public static let kind = "caption-playlists"

  private let media: any BlobStore
  private let clips: any CaptionShowing
  private let workFolder: URL

  public init(media: any BlobStore, clips: any CaptionShowing, workFolder: URL) {
    self.media = media
    self.clips = clips
    self.workFolder = workFolder
  }

  public var kind: String { Self.kind }

  public func run(
    _ job: Job, under lease: JobLease
  ) async throws -> @Sendable (any Transaction) throws -> Void {
    guard let made = try await clips.uncaptioned(job.key), !made.tracks.isEmpty else { return { _ in } }
    var playlists: [BlobName] = []
    for track in made.tracks {
      let text = Playlists.captions(track, durationMs: made.playback.durationMs)
      try PlaylistRules.check(text, .captions)
      playlists.append(try await media.put(Data(text.utf8), ext: "m3u8", in: workFolder))
    }
    let master = Playlists.captioned(
      try await text(of: made.playback.hlsUrl), made.tracks, playlists: playlists.map(\.description))
    try PlaylistRules.check(master, .master)
    let name = try await media.put(Data(master.utf8), ext: "m3u8", in: workFolder)
    return { [clips, playlists] in
      try clips.setCaptioned(
        job.key, made: made, hlsUrl: Route.media.path(name.description), playlists: playlists, in: $0)
    }
  }

  public func gaveUp(_ job: Job, because error: AppError, in transaction: any Transaction) throws {}

  public func ended(_ job: Job, failure: AppError?) async {}

  private func text(of url: String) async throws -> String {
    guard let name = BlobName(String(url.split(atByte: UInt8(ascii: "/")).last ?? "")),
      let bytes = try await media.bytes(name)
    else { throw AppError(.transcodingFailed, "The clip's master playlist is gone.") }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Playlists {
  /// One segment: the whole file of a track.
  static func captions(_ track: CaptionTrack, durationMs: Int) -> String {
    let lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, (durationMs + 999) / 1000))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXTINF:\(seconds(durationMs)),",
      fileName(track.url), "#EXT-X-ENDLIST", "",
    ]
    return lines.joined(separator: "\n")
  }

  /// A master playlist with these tracks beside its variants. `names` are the files of the tracks' playlists.
  static func captioned(_ master: String, _ tracks: [CaptionTrack], playlists names: [String]) -> String {
    let group = "captions"
    var known: Set<String> = []
    let media = zip(tracks, names).map { track, name in
      // The names in a group differ.
      let label = known.insert(track.label).inserted ? track.label : "\(track.label) (\(track.language))"
      return "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(label)\","
        + "LANGUAGE=\"\(track.language)\",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI=\"\(name)\""
    }
    var out: [String] = []
    for line in master.split(atByte: UInt8(ascii: "\n"), omittingEmpty: false).map(String.init) {
      let isVariant = line.starts(withBytesOf: "#EXT-X-STREAM-INF:")
      if isVariant, !out.contains(where: { $0.starts(withBytesOf: "#EXT-X-MEDIA:") }) { out += media }
      out.append(isVariant ? line + ",SUBTITLES=\"\(group)\"" : line)
    }
    return out.joined(separator: "\n")
  }
}
