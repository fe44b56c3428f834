import Contract
import Foundation
import Persistence
import Playback

/// A start without any network: what the last visit left plays from disk, and how long that takes. How many
/// files are read for it, `scripts/bench-phone-start.sh` counts from outside.
@MainActor enum ColdStart {
  /// Nothing comes.
  private struct NoNetwork: SegmentTransport, FeedSource {
    func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
      AsyncThrowingStream { $0.finish(throwing: TransferFailure.network) }
    }

    func page(of tab: FeedTab, after cursor: String?, limit: Int) async throws -> FeedPage {
      throw URLError(.notConnectedToInternet)
    }

    func clip(_ id: String) async throws -> Clip { throw URLError(.notConnectedToInternet) }
  }

  /// 0, or 1 where nothing plays.
  static func run(_ options: Handset.Options, say: ([String]) -> Void) async throws -> Int {
    let clock = ContinuousClock()
    let began = clock.now
    let phone = try Handset(options, transport: NoNetwork(), source: NoNetwork())
    phone.setOnline(false)
    phone.start()
    let passed = { (duration: Duration) in clock.now - began > duration }
    while phone.inspector.firstSegmentAt == nil, !passed(.seconds(20)) {
      try await Task.sleep(for: .milliseconds(1))
    }
    let took = (clock.now - began).components
    let milliseconds = took.seconds * 1_000 + took.attoseconds / 1_000_000_000_000_000
    let isServed = phone.inspector.firstSegmentAt != nil
    // NB: GStreamer may want the clip's second segment before it shows the first.
    while isServed, phone.inspector.firstFrameAt == nil, !passed(.seconds(4)) {
      try await Task.sleep(for: .milliseconds(1))
    }
    let isDecoded = phone.inspector.firstFrameAt != nil
    let bytes = phone.inspector.largestMemory
    await phone.stop()
    guard isServed else {
      say(["BROKEN: nothing of the last visit reaches a player without a network"])
      return 1
    }
    say([
      "start without a network: first segment at the player after \(milliseconds) ms"
        + (isDecoded ? ", a frame was decoded" : ", no frame decoded within 4 s: one segment alone"),
      "  \(phone.restored) segments of the clips around it from disk, \(Figures.megabytes(bytes)) in memory",
    ])
    return 0
  }
}
