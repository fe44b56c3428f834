public import Foundation
internal import Synchronization

/// One segment of one rendition of a clip, by the numbers under which the core knows them.
public struct SegmentKey: Hashable, Sendable {
  /// The number of the initialisation section.
  public static let initialization: Int32 = -1

  public let item: Int32
  public let rendition: Int32
  public let segment: Int32

  public init(item: Int32, rendition: Int32, segment: Int32) {
    self.item = item
    self.rendition = rendition
    self.segment = segment
  }
}

/// Segments in memory, those that are there and those that are coming.
///
/// The host writes, players read by the proxy, each in its own time: a reader of what is still coming gets
/// what has come and waits for more, and any number of readers share one download. It refuses to know what
/// to fetch and what to drop.
public final class SegmentMemory: Sendable {
  /// What there is of a segment from some byte on.
  public enum Portion: Equatable, Sendable {
    case bytes(Data)
    /// More may come.
    case pending
    case end
  }

  fileprivate struct Coming {
    let size: Int
    var bytes = Data()
  }

  fileprivate struct Clip {
    var stored: [SegmentKey: Data] = [:]
    var coming: [SegmentKey: Coming] = [:]
    /// When it changed last, so that nothing is missed between looking and waiting.
    var version = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  }

  fileprivate struct State {
    var clips: [Int32: Clip] = [:]
    var size = 0
    /// Counts all changes: a clip that is forgotten and comes back has a new version.
    var changes = 0
    var tickets: UInt64 = 0
    /// Waits that were cancelled before they began.
    var cancelled: Set<UInt64> = []
  }

  private let state = Mutex(State())

  public init() {}

  /// Bytes of whole segments.
  public var size: Int { state.withLock { $0.size } }

  /// A download of it has begun.
  public func begin(_ key: SegmentKey, size: Int) {
    change(key.item) { clip, _ in
      if clip.stored[key] == nil { clip.coming[key] = Coming(size: size) }
    }
  }

  /// So many more bytes of it are there.
  public func append(_ bytes: Data, to key: SegmentKey) {
    change(key.item) { clip, _ in clip.coming[key]?.bytes.append(bytes) }
  }

  /// It is there whole.
  public func put(_ bytes: Data, as key: SegmentKey) {
    change(key.item) { clip, size in
      clip.coming[key] = nil
      size += bytes.count - (clip.stored.updateValue(bytes, forKey: key)?.count ?? 0)
    }
  }

  /// The rest of it does not come by this download.
  public func abandon(_ key: SegmentKey) {
    change(key.item) { clip, _ in clip.coming[key] = nil }
  }

  /// Keeps of a clip its initialisation sections and the first so many segments; of 0 nothing.
  public func trim(_ item: Int32, keeping count: Int32) {
    change(item) { clip, size in
      for (key, bytes) in clip.stored where count == 0 || key.segment >= count {
        clip.stored[key] = nil
        size -= bytes.count
      }
    }
  }

  /// The clip is never asked for again.
  public func forget(_ item: Int32) {
    trim(item, keeping: 0)
    state.withLock { state in
      guard let clip = state.clips[item], clip.coming.isEmpty, clip.waiting.isEmpty else { return }
      state.clips[item] = nil
    }
  }

  public func bytes(of key: SegmentKey) -> Data? { state.withLock { $0.clips[key.item]?.stored[key] } }

  /// The highest rendition that holds this segment and its initialisation section.
  public func best(_ item: Int32, _ segment: Int32) -> Int32? {
    state.withLock { $0.clips[item]?.best(segment) }
  }

  /// What the proxy may answer with for this segment: the best that is stored, else what is coming.
  public func choice(_ item: Int32, _ segment: Int32) -> Int32? {
    state.withLock { state in
      guard let clip = state.clips[item] else { return nil }
      return clip.best(segment) ?? clip.coming.keys.filter { $0.segment == segment }.map(\.rendition).max()
    }
  }

  /// Whether it is stored or coming.
  public func has(_ key: SegmentKey) -> Bool {
    state.withLock { state in
      guard let clip = state.clips[key.item] else { return false }
      return clip.stored[key] != nil || clip.coming[key] != nil
    }
  }

  /// Lets all who wait for something of the clip look again.
  public func touch(_ item: Int32) { change(item) { _, _ in } }

  /// At most `most` bytes from `offset` on, and the count of changes that this was seen at.
  public func read(_ key: SegmentKey, from offset: Int, most: Int) -> (portion: Portion, version: Int) {
    state.withLock { state in
      let clip = state.clips[key.item]
      let version = clip?.version ?? 0
      if let bytes = clip?.stored[key] {
        return (offset < bytes.count ? .bytes(bytes.portion(from: offset, most: most)) : .end, version)
      }
      if let coming = clip?.coming[key], offset < coming.bytes.count {
        return (.bytes(coming.bytes.portion(from: offset, most: most)), version)
      }
      return (.pending, version)
    }
  }

  public func version(of item: Int32) -> Int { state.withLock { $0.clips[item]?.version ?? 0 } }

  /// Returns when something has changed about the clip since `version`, or the task is cancelled.
  public func changed(_ item: Int32, since version: Int) async {
    let ticket = state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.remove(ticket) != nil { return true }
          if (state.clips[item]?.version ?? 0) != version { return true }
          state.clips[item, default: Clip()].waiting[ticket] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        let waiting = state.clips[item]?.waiting.removeValue(forKey: ticket)
        if waiting == nil { state.cancelled.insert(ticket) }
        return waiting
      }
      continuation?.resume()
    }
    state.withLock { _ = $0.cancelled.remove(ticket) }
  }

  private func change(_ item: Int32, _ act: (inout Clip, inout Int) -> Void) {
    let waiting = state.withLock { state in
      act(&state.clips[item, default: Clip()], &state.size)
      state.changes += 1
      state.clips[item]?.version = state.changes
      let waiting = state.clips[item]?.waiting ?? [:]
      state.clips[item]?.waiting = [:]
      return waiting
    }
    for continuation in waiting.values { continuation.resume() }
  }
}

extension SegmentMemory.Clip {
  fileprivate func best(_ segment: Int32) -> Int32? {
    stored.keys.filter { key in
      key.segment == segment
        && stored[
          SegmentKey(item: key.item, rendition: key.rendition, segment: SegmentKey.initialization)] != nil
    }.map(\.rendition).max()
  }
}

extension Data {
  fileprivate func portion(from offset: Int, most: Int) -> Data {
    Data(dropFirst(offset).prefix(most))
  }
}
