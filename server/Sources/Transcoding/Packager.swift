internal import Contract
internal import Foundation
internal import Platform

/// Turns encoded files into stored blobs and a descriptor of them, and lets nothing through that a player
/// could stumble over: every segment starts with a key frame, all renditions have theirs at the same
/// instants, also those of an earlier run, playlists obey RFC 8216. It knows nothing of jobs and clips.
struct Packager {
  let tools: any MediaTools
  let media: any BlobStore
  let folder: URL
  /// What the files say of where the picture comes from; nil: nothing.
  var provenance: Provenance?

  /// What is stored so far, in ascending quality.
  struct TranscodedClip {
    var renditions: [Rendition]
    var poster: Poster?
    var hlsUrl = ""
    /// Media playlists, in the order of the renditions.
    var playlists: [BlobName] = []
  }

  /// The poster, the descriptor and the media playlists of what was made.
  func whole(_ made: TranscodedClip) throws -> (poster: Poster, playback: Playback, playlists: [BlobName]) {
    guard let poster = made.poster, let first = made.renditions.first else {
      throw AppError(.transcodingFailed, "No rendition of the clip was made.")
    }
    let length = first.segments.reduce(0) { $0 + $1.durationMs }
    return (
      poster, Playback(durationMs: length, hlsUrl: made.hlsUrl, renditions: made.renditions), made.playlists
    )
  }

  /// Stores these pictures with their sound, by bit rate, beside what there is. The poster replaces the one
  /// before: it may come from a better rendition.
  func add(_ encoded: Encoded, _ sound: [Int: URL], _ ladder: Ladder, to made: TranscodedClip) async throws
    -> TranscodedClip
  {
    var made = made
    async let poster = store(encoded.poster, ladder)
    made.renditions += try await withThrowingTaskGroup(of: Rendition.self) { group in
      for (picture, step) in zip(encoded.files, ladder.steps) {
        group.addTask { try await store(pack(picture, sound[step.audioBps], step)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    made.renditions.sort { ($0.width * $0.height, $0.name) < ($1.width * $1.height, $1.name) }
    guard Set(made.renditions.map { $0.segments.map(\.durationMs) }).count == 1 else {
      throw AppError(.transcodingFailed, "The renditions do not have their key frames at the same instants.")
    }
    made.poster = try await poster
    let playlists = made.renditions.map(Playlists.media)
    for playlist in playlists { try PlaylistRules.check(playlist, .media) }
    made.playlists = try playlists.map(Self.name)
    let master = Playlists.master(made.renditions, playlists: made.playlists.map(\.description))
    try PlaylistRules.check(master, .master)
    made.hlsUrl = Route.media.path(try Self.name(master).description)
    // Each waits for the disk. Their names follow from what they say, and nobody can see one before all are
    // stored.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for text in playlists + [master] {
        group.addTask { _ = try await media.put(Data(text.utf8), ext: "m3u8", in: folder) }
      }
      try await group.waitForAll()
    }
    return made
  }

  /// Under which a playlist will be stored.
  private static func name(_ playlist: String) throws -> BlobName {
    guard let name = BlobName(hash: ContentHash.of(Data(playlist.utf8)), ext: "m3u8") else {
      throw AppError(.internalError, "blobs of kind m3u8 are not known")
    }
    return name
  }

  private func store(_ still: Still, _ ladder: Ladder) async throws -> Poster {
    let step = ladder.steps[ladder.posterPlace]
    try provenance?.sourceType?.add(toJPEGAt: still.jpeg)
    let name = try await media.put(fileAt: still.jpeg, ext: "jpg")
    return Poster(
      url: Route.media.path(name.description), width: step.width, height: step.height,
      placeholder: ThumbHash.text(of: still, ladder.posterThumbnail))
  }

  /// A rendition as it will be stored, and what is known of it.
  private struct Packed {
    var file: URL
    var step: Ladder.Step
    var index: FragmentIndex
    var segments: [Segment]
  }

  private func pack(_ picture: URL, _ sound: URL?, _ step: Ladder.Step) throws -> Packed {
    let file = folder.appendingPathComponent("\(step.name)-packed.mp4")
    let (bytes, index) = try Repackager.join(picture, sound, name: step.name, provenance: provenance)
    try Data(bytes).write(to: file)
    let segments = zip(index.fragments, index.durationsMs).map {
      Segment(offset: $0.range.lowerBound, size: $0.range.count, durationMs: $1)
    }
    // NB: what is above its cap is no reason to refuse a clip. The encoder keeps a minute to it; a second of
    // noise is hardly more than its key frame, and may be above it. Players are told what it really needs.
    return Packed(file: file, step: step, index: index, segments: segments)
  }

  private func store(_ packed: Packed) async throws -> Rendition {
    let (step, index, segments) = (packed.step, packed.index, packed.segments)
    let rates = SegmentRates(segments)
    let name = try await media.put(fileAt: packed.file, ext: "mp4")
    return Rendition(
      name: step.name, url: Route.media.path(name.description), width: step.width, height: step.height,
      frameRate: (step.rate.perSecond * 1000).rounded() / 1000, codecs: index.codecs,
      peakBps: rates.peakBps, averageBps: rates.averageBps,
      initialization: ByteRange(offset: 0, size: index.initialization.count), segments: segments)
  }
}
