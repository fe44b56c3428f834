internal import Contract
internal import Foundation
internal import Platform

/// Turns encoded files into stored blobs and a descriptor of them, and lets nothing through that a player could
/// stumble over: every segment starts with a key frame, all renditions have theirs at the same instants, also those
/// of an earlier run, playlists obey RFC 8216, bit rates keep to the caps. It knows nothing of jobs and clips.
struct Packager {
  let tools: any MediaTools
  let media: any BlobStore
  let folder: URL

  /// What is stored so far, in ascending quality.
  struct Made {
    var renditions: [Rendition]
    var poster: Poster?
    var hlsUrl = ""
    /// Media playlists, in the order of the renditions.
    var playlists: [BlobName] = []
  }

  /// The poster, the descriptor and the media playlists of what was made.
  func whole(_ made: Made) throws -> (poster: Poster, playback: Playback, playlists: [BlobName]) {
    guard let poster = made.poster, let first = made.renditions.first else {
      throw AppError(.transcodingFailed, "No rendition of the clip was made.")
    }
    let length = first.segments.reduce(0) { $0 + $1.durationMs }
    return (
      poster, Playback(durationMs: length, hlsUrl: made.hlsUrl, renditions: made.renditions), made.playlists
    )
  }

  /// Stores these files beside what there is. The poster is made anew: it may now come from a better rendition.
  func add(_ files: [URL], _ ladder: Ladder, to made: Made) async throws -> Made {
    var made = made
    async let still = makeStill(files, ladder)
    let packed = try zip(files, ladder.steps).map { try pack($0, $1) }
    made.poster = try await store(still)
    for one in packed { made.renditions.append(try await store(one)) }
    made.renditions.sort { ($0.width * $0.height, $0.name) < ($1.width * $1.height, $1.name) }
    guard Set(made.renditions.map { $0.segments.map(\.durationMs) }).count == 1 else {
      throw AppError(.transcodingFailed, "The renditions do not have their key frames at the same instants.")
    }
    made.playlists = []
    for rendition in made.renditions {
      let playlist = Playlists.media(rendition)
      try PlaylistRules.check(playlist, .media)
      made.playlists.append(try await media.put(Data(playlist.utf8), ext: "m3u8", in: folder))
    }
    let master = Playlists.master(made.renditions, playlists: made.playlists.map(\.description))
    try PlaylistRules.check(master, .master)
    made.hlsUrl = Route.media.path(
      try await media.put(Data(master.utf8), ext: "m3u8", in: folder).description)
    return made
  }

  private func makeStill(_ files: [URL], _ ladder: Ladder) async throws -> (Still, Ladder.Step) {
    // 540 is sharp enough on a phone while the video is on its way.
    let place = ladder.steps.lastIndex { min($0.width, $0.height) <= 540 } ?? 0
    let step = ladder.steps[place]
    let thumbnail = ThumbHash.size(of: (step.width, step.height))
    let still = try await tools.still(
      of: files[place], frame: 0, size: (step.width, step.height), thumbnail: thumbnail, in: folder)
    return (still, step)
  }

  private func store(_ poster: (still: Still, step: Ladder.Step)) async throws -> Poster {
    let (still, step) = poster
    let name = try await media.put(fileAt: still.jpeg, ext: "jpg")
    return Poster(
      url: Route.media.path(name.description), width: step.width, height: step.height,
      placeholder: ThumbHash.text(of: still, ThumbHash.size(of: (step.width, step.height))))
  }

  /// A rendition as it will be stored, and what is known of it.
  private struct Packed {
    var file: URL
    var step: Ladder.Step
    var index: FragmentIndex
    var segments: [Segment]
    var averageBps: Int
  }

  /// Writes a file of its own: the encoder's is being read for the poster.
  private func pack(_ encodedFile: URL, _ step: Ladder.Step) throws -> Packed {
    let file = folder.appendingPathComponent("\(step.name)-packed.mp4")
    let index: FragmentIndex
    do {
      let encoded = [UInt8](try Data(contentsOf: encodedFile))
      let raw = try FragmentIndex(encoded)
      try raw.validate()
      let packaged = Repackager(bytes: encoded, index: raw).write()
      index = try FragmentIndex(packaged)
      try index.validate()
      try index.requireKeyFramesOnlyAtCuts(in: packaged)
      try Data(packaged).write(to: file)
    } catch let error as BoxReader.Malformed {
      throw AppError(
        .transcodingFailed, "The \(step.name) rendition is not as it must be: \(error.reason).")
    }
    let segments = zip(index.fragments, index.durationsMs).map {
      Segment(offset: $0.range.lowerBound, size: $0.range.count, durationMs: $1)
    }
    let seconds = Double(index.duration) / Double(index.timescale)
    let average = Int(Double((index.end - index.initialization.count) * 8) / seconds)
    // A clip of a few frames is hardly more than its key frame; there is no average to speak of.
    guard average <= step.capBps || seconds < 1 else {
      throw AppError(
        .transcodingFailed, "The \(step.name) rendition has \(average) b/s, more than its \(step.capBps).")
    }
    return Packed(file: file, step: step, index: index, segments: segments, averageBps: average)
  }

  private func store(_ packed: Packed) async throws -> Rendition {
    let (step, index, segments) = (packed.step, packed.index, packed.segments)
    let name = try await media.put(fileAt: packed.file, ext: "mp4")
    return Rendition(
      name: step.name, url: Route.media.path(name.description), width: step.width, height: step.height,
      frameRate: (step.rate.perSecond * 1000).rounded() / 1000, codecs: index.codecs,
      peakBps: segments.map { $0.size * 8 * 1000 / max(1, $0.durationMs) }.max() ?? 0,
      averageBps: packed.averageBps,
      initialization: ByteRange(offset: 0, size: index.initialization.count), segments: segments)
  }
}
