internal import Crypto
internal import Foundation

/// Which guest of a server this person's uploads are: a file for each server. The key of an upload means something for the
/// same guest alone, so without it a command that was killed would begin anew.
struct GuestMemory: Sendable {
  private let url: URL

  init(of server: URL, in folder: URL) {
    let name = SHA256.hash(data: Data("guest\n\(server.absoluteString)".utf8))
      .map { String(format: "%02x", $0) }.joined()
    url = folder.appendingPathComponent("\(name.prefix(32)).guest")
  }

  /// As a `Cookie` header has it.
  func load() -> String? {
    guard let data = try? Data(contentsOf: url), data.count <= 4096 else { return nil }
    return String(data: data, encoding: .utf8)
  }

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
