import Foundation
import UIKit

/// Where the app keeps what.
struct Folders {
  /// What has to stay: nothing of it can be made anew.
  let root: URL
  /// What the system may empty.
  let caches: URL

  init() {
    root = URL.applicationSupportDirectory.appending(path: "Clipfeed")
    caches = URL.cachesDirectory.appending(path: "Clipfeed")
    try? FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  /// Of one server, so that one's drafts never reach another.
  func root(of server: URL) -> URL { folder(root, server) }
  func caches(of server: URL) -> URL { folder(caches, server) }

  /// Segments that are kept and fetched ahead. Beside the rest and not among the caches, since what a person
  /// keeps must not go when the system needs room; in no backup, since it can be fetched again.
  func media(of server: URL) -> URL {
    var media = root(of: server).appending(path: "media")
    try? FileManager.default.createDirectory(at: media, withIntermediateDirectories: true)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try? media.setResourceValues(values)
    return media
  }

  /// A name of a server that is one of a folder too.
  func name(of server: URL) -> String {
    "\(server.scheme ?? "")-\(server.host() ?? "")-\(server.port ?? 0)"
  }

  private func folder(_ parent: URL, _ server: URL) -> URL {
    let folder = parent.appending(path: name(of: server))
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
