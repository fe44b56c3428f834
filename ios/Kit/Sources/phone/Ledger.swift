import Foundation
import Playback
import Synchronization

/// Every request for media and what came of it.
final class Ledger: Sendable {
  enum End: Sendable { case running, finished, cancelled, failed }

  struct Entry: Sendable {
    let request: RangeRequest
    var bytes = 0
    var end = End.running
  }

  private let entries = Mutex<[Entry]>([])

  var all: [Entry] { entries.withLock { $0 } }

  func began(_ request: RangeRequest) -> Int {
    entries.withLock { entries in
      entries.append(Entry(request: request))
      return entries.count - 1
    }
  }

  func came(_ number: Int, _ bytes: Int) { entries.withLock { $0[number].bytes += bytes } }

  func ended(_ number: Int, _ end: End) {
    entries.withLock { entries in
      if entries[number].end == .running { entries[number].end = end }
    }
  }

  /// Returns when nothing runs any more.
  func settled() async {
    for _ in 0..<500 {
      if !all.contains(where: { $0.end == .running }) { return }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }
}
