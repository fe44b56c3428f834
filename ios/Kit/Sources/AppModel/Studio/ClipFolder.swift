internal import CoreTypes
public import Foundation
internal import Persistence
internal import Recording

/// The record screen's files: clips, the list of them, what was chosen, and scratch.
///
/// A clip lies in its file from the first second on, under a name that says how it was recorded. The list
/// beside them has lengths and order. After a kill both are read: what the list lacks is taken from the
/// files, and what has no file is no clip. It refuses to know what is in a file.
@MainActor public final class ClipFolder {
  private let clips: URL
  /// Videos that are being made, and copies from the photo library. Emptied at each start.
  private let scratch: URL
  private let list: StoredFile<StoredTakes>
  let preferences: StoredFile<StudioPreferences>
  private let files = FileManager.default
  private var planned: [Int32: StoredTakes.Clip] = [:]
  private var count = 0
  private var isInUse = false
  private var hasBegun = false
  private var waiting: [ClipStamp] = []

  public init(root: URL) {
    clips = root.appending(path: "clips")
    scratch = root.appending(path: "scratch")
    list = StoredFile(root.appending(path: "takes"))
    preferences = StoredFile(root.appending(path: "preferences"))
  }

  /// A visit of the record screen: makes the folders. What an earlier run of the app left in scratch goes;
  /// what this one did may be on its way to be uploaded.
  func begin() {
    isInUse = true
    if !hasBegun { try? files.removeItem(at: scratch) }
    hasBegun = true
    for folder in [clips, scratch] {
      try? files.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  /// A place for a file that this app makes, or is handed.
  public func scratchFile(_ ending: String) -> URL {
    count += 1
    return scratch.appending(path: "\(count)-\(UUID().uuidString).\(ending)")
  }

  // MARK: The list

  /// Whether it is written. The one of before stays if not.
  func store(_ takes: StoredTakes) -> Bool {
    planned = Dictionary(takes.clips.map { ($0.clip, $0) }, uniquingKeysWith: { first, _ in first })
    return list.save(takes)
  }

  /// What an earlier run left, in the order of the clips: `length` reads a file, and is asked only where
  /// nothing else says it. `nil`: there is nothing.
  func restore(length: (URL) async -> Milliseconds?) async -> (limit: Milliseconds, clips: [RecordedClip])? {
    let stored = list.load()
    let found = self.found()
    guard stored != nil || !found.isEmpty else { return nil }
    var known: [Int32: Int64] = [:]
    for clip in stored?.clips ?? [] { known[clip.clip] = clip.captured }
    // With a list, a file that it does not name was deleted by the person; the deletion did not come to its
    // end.
    let kept = found.filter { stored == nil || known[$0.clip] != nil }
    for clip in found where !kept.contains(clip) { remove(clip) }
    var clips: [RecordedClip] = []
    for clip in kept.prefix(Recording.listLimit) {
      var captured = Milliseconds(max(0, known[clip.clip] ?? 0))
      if captured == .zero { captured = await length(url(of: clip)) ?? .zero }
      clips.append(clip.recorded(captured))
    }
    planned = Dictionary(kept.map { ($0.clip, $0) }, uniquingKeysWith: { first, _ in first })
    return (Milliseconds(stored?.limit ?? Recording.longest.rawValue), clips)
  }

  /// Clips by their files, in the order of their numbers.
  private func found() -> [StoredTakes.Clip] {
    let names = (try? files.contentsOfDirectory(atPath: clips.path)) ?? []
    return names.compactMap(StoredTakes.Clip.init(fileName:)).sorted { $0.clip < $1.clip }
  }

  // MARK: Files

  private func url(of clip: StoredTakes.Clip) -> URL { clips.appending(path: clip.fileName) }

  /// Where the clip of that number lies, or will lie. `nil`: no list has named it.
  func file(_ clip: Int32) -> URL? { planned[clip].map(url(of:)) }

  func remove(_ clip: Int32) {
    for found in found() where found.clip == clip { remove(found) }
  }

  private func remove(_ clip: StoredTakes.Clip) { try? files.removeItem(at: url(of: clip)) }

  /// Bytes that this app may still write there. `nil`: nobody says.
  public func room() -> Int64? {
    let attributes = try? files.attributesOfFileSystem(forPath: clips.deletingLastPathComponent().path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  // MARK: What was published

  /// Clips as they are now, for `discard`.
  func stamps(_ clips: [Int32]) -> [ClipStamp] {
    found().filter { clips.contains($0.clip) }.compactMap(stamp)
  }

  private func stamp(_ clip: StoredTakes.Clip) -> ClipStamp? {
    guard let attributes = try? files.attributesOfItem(atPath: url(of: clip).path),
      let size = attributes[.size] as? NSNumber, let date = attributes[.modificationDate] as? Date
    else { return nil }
    let modified = (date.timeIntervalSince1970 * 1_000).rounded()
    return ClipStamp(
      clip: clip.clip, size: size.int64Value, modified: Int64(exactly: modified) ?? 0)
  }

  /// Forgets clips whose video was published, if their files are still the same. While the record screen is
  /// open that waits for its end.
  public func discard(_ published: [ClipStamp]) {
    guard !isInUse else { return waiting += published }
    let gone = found().filter { clip in stamp(clip).map(published.contains) ?? false }
    guard !gone.isEmpty else { return }
    // With a list that cannot be read the files alone say what there is.
    if let stored = list.load() {
      let kept = stored.clips.filter { clip in !gone.contains { $0.clip == clip.clip } }
      guard store(StoredTakes(limit: stored.limit, clips: kept)) else { return }
    }
    for clip in gone { remove(clip) }
  }

  /// The record screen is gone.
  func end() {
    isInUse = false
    let published = waiting
    waiting = []
    if !published.isEmpty { discard(published) }
  }
}
