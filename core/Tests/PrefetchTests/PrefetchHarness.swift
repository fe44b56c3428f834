import CoreTesting
import CoreTypes
import Prefetch

/// A prefetch with clips 0 ..< n of the sample shape, a clock moved by hand, and a server that
/// answers when a test says so.
struct PrefetchHarness {
  var prefetch = Prefetch()
  var now = Instant(0)
  var commands: [Prefetch.Command] = []
  /// What `Bitrate` would say.
  var rendition: Int? = 0
  var running: [Download] = []

  init(clips: Int32 = 8, seconds: Int64 = 9, budget: Bytes = .zero, dataSaver: Bool = false) {
    send(.started(budget: budget, dataSaver: dataSaver, isEnabled: true))
    for clip in 0..<clips { send(.itemAppended(ItemID(clip), .sample(seconds: seconds))) }
    commands = []
  }

  mutating func send(_ events: Prefetch.Event...) {
    let rendition = rendition
    for event in events {
      var emitted: [Prefetch.Command] = []
      prefetch.handle(event, at: now, choose: { _ in rendition }) { emitted.append($0) }
      for command in emitted { follow(command) }
      commands += emitted
    }
  }

  private mutating func follow(_ command: Prefetch.Command) {
    switch command {
    case .fetch(let download): running.append(download)
    case .cancel(let request): running.removeAll { $0.request == request }
    case .discard, .measured, .itemGone: break
    }
  }

  mutating func focus(on clip: Int32, of clips: Int32 = 8) {
    let first = max(0, clip - Int32(Prefetch.reach.behind))
    let last = min(clips - 1, clip + Int32(Prefetch.reach.ahead))
    send(.focusMoved(window: (first...last).map { ItemID($0) }, focus: Int(clip - first)))
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

  /// Delivers until nothing is asked for any more; the downloads in order.
  mutating func deliverAll(limit: Int = 200) -> [Download] {
    var delivered: [Download] = []
    while let next = running.first, delivered.count < limit {
      delivered.append(next)
      deliver()
    }
    return delivered
  }
}

extension Download {
  /// What the host reports of it, the initialisation section first.
  var storedSegments: [Int32] {
    (includesInitialization ? [-1] : []) + (0..<segmentCount).map { firstSegment + $0 }
  }
}
