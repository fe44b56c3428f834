public import Foundation

/// Segments on disk, over the end of the app: parts of renditions, by clip.
///
/// Decides what bytes are worth believing: a part is read back exactly as it was written, or it is not there.
/// It refuses to know what stays and what goes; the core's commands say so. There is no index that could
/// disagree with the files: a folder is a clip, a file in it is a part, the folder's time is when the clip
/// was used last. So a kill at any moment leaves whole parts and scratch, and scratch goes at the next start.
public actor DiskStore {
  /// What is there of one clip.
  private struct Entry {
    var parts: Set<MediaPart> = []
    var used: Date
    var isSaved = false

    var size: Int { parts.reduce(0) { $0 + $1.size } }
  }

  private static let savedMark = ".saved"
  private static let scratchName = ".scratch"

  /// Has a file there whole or not at all: its bytes, its path, a folder for what is not whole yet.
  package typealias Writer = @Sendable (Data, String, String) throws -> Void

  private let root: URL
  private let writeFile: Writer
  private var entries: [String: Entry]
  /// Clips that this visit has asked about.
  private var named: Set<String> = []

  /// Reads what earlier visits left. A file whose length is not that of its part is dropped; what its bytes
  /// are worth is found out when they are read.
  public init(root: URL) throws { try self.init(root: root, writeFile: SealedFile.write(_:to:scratch:)) }

  package init(root: URL, writeFile: @escaping Writer) throws {
    self.root = root
    self.writeFile = writeFile
    try? FileManager.default.removeItem(at: root.appending(path: Self.scratchName))
    try FileManager.default.createDirectory(
      at: root.appending(path: Self.scratchName), withIntermediateDirectories: true)
    entries = Self.scan(root)
  }

  /// Bytes of all clips that nobody has saved.
  public var used: Int { entries.values.reduce(0) { $0 + ($1.isSaved ? 0 : $1.size) } }

  /// Bytes of all clips.
  public var size: Int { entries.values.reduce(0) { $0 + $1.size } }

  public var clips: [String] { Array(entries.keys) }

  /// What is there of a clip. From now on it is named: `evictUnnamed` passes over it.
  public func holds(_ clip: String) -> (parts: Set<MediaPart>, used: Date, isSaved: Bool)? {
    named.insert(clip)
    return entries[clip].map { ($0.parts, $0.used, $0.isSaved) }
  }

  /// Has a part on disk. What is there already is not written again.
  public func write(_ bytes: Data, as part: MediaPart, of clip: String) throws {
    named.insert(clip)
    guard bytes.count == part.size, let name = part.fileName, let folder = folder(of: clip) else {
      throw DiskError(22)
    }
    guard entries[clip]?.parts.contains(part) != true else { return use(clip) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try writeFile(bytes, folder.appending(path: name).path, root.appending(path: Self.scratchName).path)
    } catch {
      // A folder that holds nothing is no clip.
      if entries[clip] == nil { try? FileManager.default.removeItem(at: folder) }
      throw error as? DiskError ?? DiskError(error)
    }
    entries[clip, default: Entry(used: Date())].parts.insert(part)
    use(clip)
  }

  /// The bytes as they were written; `nil` if they are not there. Those that are not what was written are
  /// dropped.
  public func read(_ part: MediaPart, of clip: String) -> Data? {
    guard entries[clip]?.parts.contains(part) == true, let url = url(of: part, of: clip) else { return nil }
    use(clip)
    if let bytes = SealedFile.read(url.path, size: part.size) { return bytes }
    drop([part], of: clip)
    return nil
  }

  /// A whole file that lies beside the segments of a clip, by its address; `nil` as `read` says it.
  public func file(_ address: String, of clip: String) -> Data? {
    let part = entries[clip]?.parts.first { $0.blob == address && $0.offset == 0 }
    return part.flatMap { read($0, of: clip) }
  }

  /// Drops of a clip all parts but these.
  public func keep(_ parts: Set<MediaPart>, of clip: String) {
    guard let entry = entries[clip] else { return }
    drop(entry.parts.subtracting(parts), of: clip)
  }

  /// Makes room by clips that are neither saved nor named since the start, least recently used first.
  public func evictUnnamed(_ bytes: Int) {
    var missing = bytes
    let old = entries.filter { !named.contains($0.key) && !$0.value.isSaved }
      .sorted { $0.value.used < $1.value.used }
    for (clip, entry) in old where missing > 0 {
      missing -= entry.size
      drop(entry.parts, of: clip)
    }
  }

  /// Drops clips that are neither saved nor named since the start, and were used last before `date`.
  public func evictUnused(since date: Date) {
    for (clip, entry) in entries where !named.contains(clip) && !entry.isSaved && entry.used < date {
      drop(entry.parts, of: clip)
    }
  }

  /// Whether a person keeps the clip. Survives the app, as its parts do.
  public func setSaved(_ isSaved: Bool, _ clip: String) {
    guard let mark = folder(of: clip)?.appending(path: Self.savedMark), entries[clip] != nil else { return }
    if isSaved {
      _ = FileManager.default.createFile(atPath: mark.path, contents: nil)
    } else {
      try? FileManager.default.removeItem(at: mark)
    }
    entries[clip]?.isSaved = isSaved
  }

  /// Reads every part; answers how many were dropped because they are not what was written.
  public func verify() -> Int { entries.keys.reduce(0) { $0 + verify($1) } }

  /// The same of one clip.
  public func verify(_ clip: String) -> Int {
    var bad = 0
    for part in entries[clip]?.parts ?? [] {
      guard let url = url(of: part, of: clip) else { continue }
      if SealedFile.read(url.path, size: part.size) != nil { continue }
      drop([part], of: clip)
      bad += 1
    }
    return bad
  }

  private func use(_ clip: String) {
    let now = Date()
    entries[clip]?.used = now
    guard let folder = folder(of: clip) else { return }
    try? FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: folder.path)
  }

  private func drop(_ parts: Set<MediaPart>, of clip: String) {
    for part in parts {
      if let url = url(of: part, of: clip) { try? FileManager.default.removeItem(at: url) }
    }
    entries[clip]?.parts.subtract(parts)
    guard entries[clip]?.parts.isEmpty == true, let folder = folder(of: clip) else { return }
    entries[clip] = nil
    try? FileManager.default.removeItem(at: folder)
  }

  private func folder(of clip: String) -> URL? { FileName.of(clip).map { root.appending(path: $0) } }

  private func url(of part: MediaPart, of clip: String) -> URL? {
    guard let name = part.fileName else { return nil }
    return folder(of: clip)?.appending(path: name)
  }

  private static func scan(_ root: URL) -> [String: Entry] {
    let files = FileManager.default
    var entries: [String: Entry] = [:]
    for name in (try? files.contentsOfDirectory(atPath: root.path)) ?? [] where name != scratchName {
      let folder = root.appending(path: name)
      guard let clip = FileName.text(of: name) else {
        try? files.removeItem(at: folder)
        continue
      }
      let attributes = try? files.attributesOfItem(atPath: folder.path)
      var entry = Entry(used: attributes?[.modificationDate] as? Date ?? .distantPast)
      for file in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
        if file == savedMark {
          entry.isSaved = true
          continue
        }
        let path = folder.appending(path: file).path
        let length = (try? files.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
        if let part = MediaPart(fileName: file), length == SealedFile.headerSize + part.size {
          entry.parts.insert(part)
        } else {
          try? files.removeItem(atPath: path)
        }
      }
      if entry.parts.isEmpty { try? files.removeItem(at: folder) } else { entries[clip] = entry }
    }
    return entries
  }
}
