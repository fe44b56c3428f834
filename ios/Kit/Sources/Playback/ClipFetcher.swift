public import Contract
internal import CoreTypes
public import Foundation
public import MediaStore

/// Brings segments of a clip onto the disk beside the session: all of a clip that a person keeps and what is
/// said in it, the first of one that is to stand there at the next start.
///
/// What the disk has of a segment, in whichever rendition, is not fetched again; what has come stays, so that
/// a fetch that is broken off goes on where it was. It refuses to know why a clip is fetched, and never tries
/// again.
public struct ClipFetcher: Sendable {
  public enum Failure: Error, Equatable {
    /// Clips that are not for everybody do not stay behind on the device.
    case notPublic
    /// The numbers of the server describe no clip.
    case notPlayable
    case diskFull
  }

  /// One request brings at most so much: what is broken off inside a segment is lost.
  private static let most = 4 * 1_048_576

  /// A file of captions as an instance writes it is a few times what people may send.
  private static let mostCaptions = 8 * Limits.captionsBytes
  private static let captionsMark = Data("WEBVTT".utf8)

  private let store: DiskStore
  private let transport: any SegmentTransport
  private let base: URL
  private let canPlay: @Sendable (String) -> Bool

  public init(
    store: DiskStore, transport: any SegmentTransport, base: URL,
    canPlay: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.store = store
    self.transport = transport
    self.base = base
    self.canPlay = canPlay
  }

  /// What the disk has of a clip, in bytes, and whether that is enough to play it to its end, and to read
  /// what is said in it.
  public func held(of clip: Clip) async -> (bytes: Int, isWhole: Bool) {
    guard let clip = FeedClip(clip, item: ItemID(0), canPlay: canPlay) else { return (0, false) }
    let parts = await store.holds(clip.diskName)?.parts ?? []
    let leading = Int(FeedClip.leadingSegments(clip.parts(in: parts)))
    let hasCaptions = clip.captions.allSatisfy { track in parts.contains { $0.blob == track.url } }
    return (
      parts.reduce(0) { $0 + $1.size }, hasCaptions && leading >= clip.renditions[0].segments.count
    )
  }

  /// Fetches the first `segments` (`nil`: all) of the best rendition whose short edge is at most `shortEdge`,
  /// or of the smallest. `saves` marks the clip as one that a person keeps as soon as a byte of it is there;
  /// its captions come with it. `progress`: how many bytes of segments have come, and how many come in all.
  public func fetch(
    _ clip: Clip, segments: Int? = nil, shortEdge: Int, saves: Bool,
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws {
    guard let clip = FeedClip(clip, item: ItemID(0), canPlay: canPlay), clip.descriptor != nil else {
      throw Failure.notPlayable
    }
    guard clip.staysOnDisk else { throw Failure.notPublic }
    let rendition =
      clip.renditions.lastIndex { min($0.width, $0.height) <= shortEdge } ?? clip.renditions.startIndex
    if saves { await store.setSaved(true, clip.diskName) }
    let runs = await missing(of: clip, rendition: Int32(rendition), segments: segments)
    let total = runs.reduce(0) { $0 + $1.end - $1.start }
    var done = 0
    progress(0, total)
    if saves { try await fetchCaptions(of: clip) }
    for run in runs {
      try await fetch(run, of: clip, Int32(rendition), saves: saves) { count in
        done += count
        progress(done, total)
      }
    }
  }

  private func fetchCaptions(of clip: FeedClip) async throws {
    for track in clip.captions {
      let parts = await store.holds(clip.diskName)?.parts ?? []
      guard !parts.contains(where: { $0.blob == track.url }) else { continue }
      guard let url = URL(string: track.url, relativeTo: base)?.absoluteURL else { throw Failure.notPlayable }
      var bytes = Data()
      do {
        for try await chunk in transport.bytes(of: .file(url, most: Self.mostCaptions)) { bytes += chunk }
        try Task.checkCancellation()
        // A network that wants people to sign in answers with a page.
        guard bytes.starts(with: Self.captionsMark) else { throw TransferFailure.network }
      } catch TransferFailure.gone {
        // Replaced or removed since. Without cues, and never asked for again: the clip is whole all the same.
        bytes = Self.captionsMark + Data("\n\n".utf8)
      }
      try await write(
        bytes, as: MediaPart(blob: track.url, offset: 0, size: bytes.count), of: clip, saves: true)
    }
  }

  /// No longer kept: its room is for others.
  public func drop(_ clip: Clip) async {
    guard let clip = FeedClip(clip, item: ItemID(0), canPlay: canPlay) else { return }
    await store.setSaved(false, clip.diskName)
    await store.keep([], of: clip.diskName)
  }

  /// Segments that lie beside each other in the file, and the initialisation section (-1).
  private struct Run {
    var segments: [Int32]
    var start: Int
    var end: Int
  }

  /// Stretches of the file that the disk lacks.
  private func missing(of clip: FeedClip, rendition: Int32, segments: Int?) async -> [Run] {
    let stored = clip.parts(in: await store.holds(clip.diskName)?.parts ?? [])
    let has = { (number: Int32, segment: Int32) in
      stored[SegmentKey(item: 0, rendition: number, segment: segment)] != nil
    }
    let isWhole = { (segment: Int32) in
      clip.renditions.indices.contains {
        has(Int32($0), segment) && has(Int32($0), SegmentKey.initialization)
      }
    }
    let count = min(segments ?? .max, clip.renditions[Int(rendition)].segments.count)
    let lacking = (0..<Int32(clamping: max(0, count))).filter { !isWhole($0) && !has(rendition, $0) }
    // A segment may be there without what makes it whole.
    let needsInitialization =
      !has(rendition, SegmentKey.initialization)
      && (0..<Int32(clamping: max(0, count))).contains { !isWhole($0) }
    var runs: [Run] = []
    for segment in (needsInitialization ? [SegmentKey.initialization] : []) + lacking {
      guard let place = clip.range(rendition: rendition, segment: segment) else { continue }
      // NB: the descriptor is whole, so places are in order and add up.
      let end = place.offset + place.size
      if let last = runs.last, last.end == place.offset, end - last.start <= Self.most {
        runs[runs.count - 1].segments.append(segment)
        runs[runs.count - 1].end = end
      } else {
        runs.append(Run(segments: [segment], start: place.offset, end: end))
      }
    }
    return runs
  }

  private func fetch(
    _ run: Run, of clip: FeedClip, _ rendition: Int32, saves: Bool, count: (Int) -> Void
  ) async throws {
    guard
      var splitter = SegmentSplitter(
        run.segments, of: clip, rendition: rendition, from: run.start),
      let url = URL(string: clip.renditions[Int(rendition)].url, relativeTo: base)
    else { throw Failure.notPlayable }
    let request = RangeRequest(url: url.absoluteURL, offset: run.start, size: run.end - run.start)
    for try await chunk in transport.bytes(of: request) {
      try Task.checkCancellation()
      for case .whole(let key, let bytes) in splitter.push(chunk) {
        guard let part = clip.part(key) else { throw Failure.notPlayable }
        try await write(bytes, as: part, of: clip, saves: saves)
      }
      count(chunk.count)
    }
    try Task.checkCancellation()
    guard splitter.keys.isEmpty else { throw TransferFailure.network }
  }

  private func write(_ bytes: Data, as part: MediaPart, of clip: FeedClip, saves: Bool) async throws {
    do {
      try await store.write(bytes, as: part, of: clip.diskName)
    } catch {
      throw (error as? DiskError)?.isFull == true ? Failure.diskFull : error
    }
    if saves { await store.setSaved(true, clip.diskName) }
  }
}
