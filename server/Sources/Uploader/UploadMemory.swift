internal import CoreTypes
internal import Crypto
public import Foundation
internal import Upload

/// What of an upload outlives this process: a small file for each file and server.
public struct UploadMemory: Sendable {
  private let url: URL

  /// `folder`: where programs keep such things; nil: where the XDG base directories say.
  public init(of file: URL, on server: URL, in folder: URL? = nil) {
    let environment = ProcessInfo.processInfo.environment
    let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/state")
    let state = environment["XDG_STATE_HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) } ?? home
    let name = SHA256.hash(data: Data("\(server.absoluteString)\n\(file.standardizedFileURL.path)".utf8))
      .map { String(format: "%02x", $0) }.joined()
    url = (folder ?? state.appendingPathComponent("clipfeed/uploads", isDirectory: true))
      .appendingPathComponent("\(name.prefix(32)).json")
  }

  func load() -> Snapshot? {
    guard let data = try? Data(contentsOf: url),
      let words = try? JSONDecoder().decode([Int64].self, from: data)
    else { return nil }
    return Snapshot(words: words)
  }

  func store(_ snapshot: Snapshot) throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try JSONEncoder().encode(snapshot.words).write(to: url, options: .atomic)
  }

  func forget() {
    try? FileManager.default.removeItem(at: url)
  }
}
