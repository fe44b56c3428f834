public import Foundation
internal import Glibc
internal import Platform

/// Keeps other users of this machine out of a data folder: keys, addresses and private clips are in it.
///
/// New files and folders are nobody else's since the process has `umask`; this mends what an older version,
/// another program or a restored backup left.
public enum PrivateFolder {
  /// Readable by nobody else, whatever is made from now on.
  public static func keepOthersOut() { umask(0o077) }

  /// What could be read by others and is closed now, and what still can since it is not ours; relative names.
  struct Outcome: Equatable {
    var closed: [String] = []
    var open: [String] = []
  }

  /// Makes the folder if it is not there.
  public static func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Closes what is ours in it. The folder itself too, unless somebody else's things lie in it as well
  /// (`--data .`).
  static func close(_ folder: URL, holding names: [String]) -> Outcome {
    var outcome = Outcome()
    let there = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let ours = there.filter { name in names.contains { name == $0 || name.hasPrefix("\($0)-") } }
    for name in ours { close(folder.appendingPathComponent(name).path, name, &outcome) }
    if ours.count == there.count { close(folder.path, ".", &outcome) }
    return outcome
  }

  private static func close(_ path: String, _ name: String, _ outcome: inout Outcome) {
    // NB: never through a link, which may lead anywhere.
    guard let status = FileStatus(of: path, followingLinks: false), status.kind != .link,
      status.permissions & 0o077 != 0
    else { return }
    if status.owner == geteuid(), chmod(path, status.permissions & 0o700) == 0 {
      outcome.closed.append(name)
    } else {
      outcome.open.append(name)
    }
  }
}
