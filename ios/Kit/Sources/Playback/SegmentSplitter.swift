internal import Contract
internal import CoreTypes
internal import Foundation
internal import MediaStore
internal import Prefetch

/// Cuts a stream of bytes into the segments that one request asked for.
struct SegmentSplitter {
  enum Piece: Equatable {
    /// So much more of a segment that is still coming.
    case more(SegmentKey, Data)
    case whole(SegmentKey, Data)
  }

  private struct Part {
    let key: SegmentKey
    let offset: Int
    let size: Int
    var bytes = Data()
  }

  /// Those that are not whole yet, in the order of the file.
  private var parts: [Part]
  private var at: Int

  /// `nil` if the clip has no such parts.
  init?(_ download: Download, of clip: FeedClip) {
    let first = download.firstSegment
    var numbers = Array(first..<max(first, saturating(first, download.segmentCount)))
    if download.includesInitialization { numbers.append(SegmentKey.initialization) }
    self.init(
      numbers, of: clip, rendition: download.rendition, from: Int(download.range.offset.rawValue))
  }

  /// Segments (-1: the initialisation section) of a stream that begins at an offset of the file.
  init?(_ segments: [Int32], of clip: FeedClip, rendition: Int32, from offset: Int) {
    var parts: [Part] = []
    for segment in segments {
      guard let range = clip.range(rendition: rendition, segment: segment) else { return nil }
      let key = SegmentKey(item: clip.item.rawValue, rendition: rendition, segment: segment)
      parts.append(Part(key: key, offset: range.offset, size: range.size))
    }
    self.parts = parts.sorted { $0.offset < $1.offset }
    at = offset
  }

  var keys: [SegmentKey] { parts.map(\.key) }

  func size(of key: SegmentKey) -> Int { parts.first { $0.key == key }?.size ?? 0 }

  /// The one of which some bytes are here, and how many are not.
  var coming: (key: SegmentKey, left: Int)? {
    guard let part = parts.first, !part.bytes.isEmpty else { return nil }
    return (part.key, part.size - part.bytes.count)
  }

  /// Takes the next bytes; answers what they bring, in order.
  mutating func push(_ chunk: Data) -> [Piece] {
    let start = at
    at += chunk.count
    var pieces: [Piece] = []
    while let part = parts.first {
      let from = max(start, part.offset + part.bytes.count)
      let to = min(at, part.offset + part.size)
      guard from < to else { break }
      let bytes = Data(chunk.dropFirst(from - start).prefix(to - from))
      parts[0].bytes.append(bytes)
      guard parts[0].bytes.count == part.size else {
        pieces.append(.more(part.key, bytes))
        break
      }
      pieces.append(.whole(part.key, parts[0].bytes))
      parts.removeFirst()
    }
    return pieces
  }
}

private func saturating(_ first: Int32, _ count: Int32) -> Int32 {
  Int32(clamping: Int64(first) + Int64(max(0, count)))
}
