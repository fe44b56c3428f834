internal import Foundation

/// Which guest of a server an upload is: a small file beside that of the upload. The key of an upload means
/// something for the same guest alone, so without it a command that was killed would begin anew.
struct GuestMemory: Sendable {
  let url: URL

  /// As a `Cookie` header has it.
  func load() -> String? {
    guard let data = try? Data(contentsOf: url), data.count <= 4096 else { return nil }
    return String(data: data, encoding: .utf8)
  }

  func forget() { try? FileManager.default.removeItem(at: url) }

  /// `fields`: those of `Set-Cookie`. If it cannot be kept, an upload that is interrupted begins anew.
  func store(_ fields: [String]) {
    let pairs = fields.compactMap {
      $0.utf8.split(separator: UInt8(ascii: ";")).first.map { String(Substring($0)) }
    }
    guard !pairs.isEmpty else { return }
    let files = FileManager.default
    try? files.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // Whoever has it is this guest.
    _ = files.createFile(
      atPath: url.path, contents: Data(pairs.joined(separator: "; ").utf8),
      attributes: [.posixPermissions: 0o600])
  }
}
