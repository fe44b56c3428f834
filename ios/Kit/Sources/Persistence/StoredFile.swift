internal import Contract
public import Foundation
internal import MediaStore

/// One value in one file: there whole or not at all.
///
/// What cannot be read (torn, flipped, of another version, somebody else's) is nothing, never an error: these
/// files make a start nicer, and no start may fail by them.
public struct StoredFile<Value: Codable & Sendable>: Sendable {
  private struct Envelope: Codable {
    let version: Int
    let value: Value
  }

  private let url: URL
  private let version: Int

  /// `version` goes up when older values have another meaning.
  public init(_ url: URL, version: Int = 1) {
    self.url = url
    self.version = version
  }

  public func load() -> Value? {
    guard let bytes = SealedFile.read(url.path),
      let envelope = try? WireCoding.decode(Envelope.self, from: bytes), envelope.version == version
    else { return nil }
    return envelope.value
  }

  /// Whether it is written. The value of before stays if not.
  @discardableResult public func save(_ value: Value) -> Bool {
    let folder = url.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard let bytes = try? WireCoding.encode(Envelope(version: version, value: value)) else { return false }
    let temporary = folder.appending(path: scratchPrefix + ownScratch + UUID().uuidString)
    guard (try? SealedFile.write(bytes, to: url.path, by: temporary.path)) != nil else { return false }
    removeScratch(in: folder)
    return true
  }

  private var scratchPrefix: String { ".\(url.lastPathComponent)." }
  private var ownScratch: String { "\(ProcessInfo.processInfo.processIdentifier)." }

  /// What a kill of an earlier process left of this file. Not of this one: another task may be writing.
  private func removeScratch(in folder: URL) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix(scratchPrefix) && !name.hasPrefix(scratchPrefix + ownScratch) {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  /// Bytes on disk.
  public var size: Int {
    (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0
  }

  public func remove() { try? FileManager.default.removeItem(at: url) }
}
