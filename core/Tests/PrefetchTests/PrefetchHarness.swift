import CoreTesting
import CoreTypes
import Lookahead
import Prefetch

/// A prefetch with clips 0 ..< n of the sample shape, a clock moved by hand, and a server that
/// answers when a test says so.
struct PrefetchHarness {
  var prefetch: Prefetch
  var now = Instant(0)
  var commands: [Prefetch.Command] = []
  var running: [Download] = []
  /// All that was ever asked for.
  var fetched: [Download] = []
  private var idles = 0

  init(
    clips: Int32 = 8, seconds: Int64 = 9, hint: BitsPerSecond = .zero,
    leastEffort: Bool = false, objective: Objective = .clipfeed
  ) {
    prefetch = Prefetch(objective, leastEffort: leastEffort)
    send(.started(throughputHint: hint, isEnabled: true))
    for clip in 0..<clips { send(.itemAppended(ItemID(clip), .sample(seconds: seconds))) }
    commands = []
  }

  mutating func send(_ events: Prefetch.Event...) {
    for event in events {
      var emitted: [Prefetch.Command] = []
      prefetch.handle(event, at: now) { emitted.append($0) }
      for command in emitted { follow(command) }
      commands += emitted
    }
  }

  private mutating func follow(_ command: Prefetch.Command) {
    switch command {
    case .fetch(let download):
      running.append(download)
      fetched.append(download)
    case .cancel(let request): running.removeAll { $0.request == request }
    case .itemGone: break
    }
  }

  mutating func focus(on clip: Int32, of clips: Int32 = 8) {
    let first = max(0, clip - Int32(Prefetch.reach.behind))
    let last = min(clips - 1, clip + Int32(Prefetch.reach.ahead))
    send(.focusMoved(window: (first...last).map { ItemID($0) }, focus: Int(clip - first)))
  }

  /// A clip has its first segments in one rendition already.
  mutating func storeAll(of clip: Int32, segments: Int32, rendition: Int32) {
    for segment in -1..<segments {
      send(.segmentStored(ItemID(clip), rendition: rendition, segment: segment))
    }
  }

  /// The oldest running download arrives whole.
  mutating func deliver(taking milliseconds: Int64 = 100) {
    guard let download = running.first else { return }
    running.removeFirst()
    now = now + Milliseconds(milliseconds)
    for segment in download.storedSegments {
      send(
        .segmentStored(download.item, rendition: download.rendition, segment: segment))
    }
    send(
      .fetchFinished(
        download.request, download.range.size, elapsed: Milliseconds(milliseconds),
        firstByte: .zero))
  }

  /// Lets time pass as a host does, answering each request at the rate of a link, until nothing is asked
  /// for any more; the downloads in order.
  mutating func deliverAll(at rate: BitsPerSecond = BitsPerSecond(20_000_000), limit: Int = 100) -> [Download]
  {
    var delivered: [Download] = []
    for _ in 0..<limit {
      if let next = running.first {
        delivered.append(next)
        deliver(taking: max(1, next.range.size.transferTime(at: rate).rawValue))
      } else if let wake = prefetch.nextWake, wake < now + Milliseconds(5_000) {
        let before = delivered.count
        now = max(wake, now)
        send(.woke)
        if running.isEmpty, before == delivered.count, idles >= 20 { break }
        idles += 1
      } else {
        break
      }
    }
    idles = 0
    return delivered
  }
}

extension Download {
  /// What the host reports of it, the initialisation section first.
  var storedSegments: [Int32] {
    (includesInitialization ? [-1] : []) + (0..<segmentCount).map { firstSegment + $0 }
  }
}
