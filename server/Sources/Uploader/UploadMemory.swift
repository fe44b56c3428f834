internal import CoreTypes
internal import Crypto
public import Foundation
internal import Upload

/// What of an upload outlives this process: a small file for each file and server.
public struct UploadMemory: Sendable {
  private let url: URL
  let guest: GuestMemory

  /// `folder`: where programs keep such things; nil: where the XDG base directories say.
  public init(of file: URL, on server: URL, in folder: URL? = nil) {
    let name = SHA256.hash(data: Data("\(server.absoluteString)\n\(file.standardizedFileURL.path)".utf8))
      .map { String(format: "%02x", $0) }.joined()
    let folder = folder ?? Self.folder
    url = folder.appendingPathComponent("\(name.prefix(32)).json")
    guest = GuestMemory(url: url.deletingPathExtension().appendingPathExtension("guest"))
  }

  private static var folder: URL {
    let environment = ProcessInfo.processInfo.environment
    let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
    let state = environment["XDG_STATE_HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) } ?? home
    return state.appendingPathComponent("clipfeed/uploads", isDirectory: true)
  }

  /// Removes what uploads left that nobody went on with for longer than any server remembers them.
  public static func forgetOld() {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
      let url = folder.appendingPathComponent(name)
      guard let changed = try? files.attributesOfItem(atPath: url.path)[.modificationDate] as? Date,
        changed.timeIntervalSinceNow < -8 * 86_400
      else { continue }
      try? files.removeItem(at: url)
    }
  }

  func load() -> Snapshot? {
    guard let data = try? Data(contentsOf: url),
      let words = try? JSONDecoder().decode([Int64].self, from: data)
    else { return nil }
    return Snapshot(words: words)
  }

  func store(_ snapshot: Snapshot) throws {
    try makeFolder()
    try JSONEncoder().encode(snapshot.words).write(to: url, options: .atomic)
  }

  func forget() {
    guest.forget()
    try? FileManager.default.removeItem(at: url)
  }

  /// Where a file that was made for this upload lies, by its number.
  func product(_ number: Int) -> URL {
    url.deletingPathExtension().appendingPathExtension("\(number).video")
  }

  func products() -> [(number: Int, url: URL)] {
    let (folder, prefix) = (
      url.deletingLastPathComponent(), url.deletingPathExtension().lastPathComponent + "."
    )
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).compactMap { name in
      guard name.hasPrefix(prefix), name.hasSuffix(".video") else { return nil }
      return Int(name.dropFirst(prefix.count).dropLast(6)).map { ($0, folder.appendingPathComponent(name)) }
    }
  }

  func makeFolder() throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
  }
}
