public import Foundation
internal import Platform

/// The folder in which files lie while somebody works on them.
public enum WorkFolder {
  /// Removes what killed processes left: copies of sources, and folders of jobs, which their next run clears
  /// only if it is on this machine.
  public static func sweep(_ work: URL) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: work.path)) ?? [] {
      let url = work.appendingPathComponent(name)
      // Another process on the same data may be at it right now: an hour is longer than any copy, six are
      // longer than any job may take.
      let hours = name.hasPrefix("intake-") ? 1.0 : 6.0
      let age = FileStatus(of: url.path).map { Date().timeIntervalSince1970 - Double($0.changedNs) / 1e9 }
      if let age, age > hours * 3600 { try? files.removeItem(at: url) }
    }
  }
}
