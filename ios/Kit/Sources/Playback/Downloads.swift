internal import Contract
internal import CoreTypes
internal import Foundation
internal import MediaStore
internal import Prefetch
internal import Session

/// Carries out `fetch` and `cancel`: one request for a range each, its bytes cut into segments that are
/// stored and reported one by one while the rest still comes.
///
/// It refuses to know what to download next and what is worth keeping, and never tries again.
@MainActor final class Downloads {
  /// As on the web: a rate is believed after so long, and what is left of a segment may take so much of the
  /// time in which it plays.
  private static let shortestMeasure = Milliseconds(20)
  private static let inTime = 0.6

  private let feed: Feed
  private let base: URL
  private let memory: SegmentMemory
  private let transport: any SegmentTransport
  private let clock: any HostClock
  private let report: (FeedSession.Event) -> Void
  private struct Running {
    let task: Task<Void, Never>
    let keys: [SegmentKey]
    /// The clip's first segment is coming, and in time.
    var bringsStart = false
  }

  private var running: [Int32: Running] = [:]

  init(
    feed: Feed, base: URL, memory: SegmentMemory, transport: any SegmentTransport, clock: any HostClock,
    report: @escaping (FeedSession.Event) -> Void
  ) {
    self.feed = feed
    self.base = base
    self.memory = memory
    self.transport = transport
    self.clock = clock
    self.report = report
  }

  func fetch(_ download: Download) {
    let request = download.request.rawValue
    guard let clip = feed.clip(download.item), var splitter = SegmentSplitter(download, of: clip),
      let url = URL(string: clip.renditions[Int(download.rendition)].url, relativeTo: base)
    else { return report(.fetchFailed(download.request, .gone)) }
    for key in splitter.keys { memory.begin(key, size: splitter.size(of: key)) }
    let bytes = transport.bytes(
      of: RangeRequest(
        url: url.absoluteURL, offset: Int(download.range.offset.rawValue),
        size: Int(download.range.size.rawValue)))
    let began = clock.now
    let keys = splitter.keys
    let task = Task {
      var firstByte: Milliseconds?
      var count = 0
      do {
        for try await chunk in bytes {
          guard running[request] != nil else { break }
          firstByte = firstByte ?? clock.now - began
          count += chunk.count
          take(chunk, of: download, by: &splitter)
          let elapsed = clock.now - began - (firstByte ?? .zero)
          running[request]?.bringsStart = Self.isStartInTime(splitter, of: clip, bytes: count, in: elapsed)
        }
        try Task.checkCancellation()
        guard splitter.keys.isEmpty else { throw TransferFailure.network }
        end(
          download,
          .fetchFinished(
            download.request, Bytes(Int64(count)), elapsed: clock.now - began,
            firstByte: firstByte ?? clock.now - began))
      } catch {
        if running[request] != nil { for key in splitter.keys { memory.abandon(key) } }
        await fail(download, error as? TransferFailure ?? .network)
      }
    }
    running[request] = Running(task: task, keys: keys)
  }

  /// No event follows for it.
  func cancel(_ request: RequestID) {
    guard let ended = running.removeValue(forKey: request.rawValue) else { return }
    ended.task.cancel()
    // What has come of a segment goes with it; what was whole is stored.
    for key in ended.keys { memory.abandon(key) }
  }

  /// Whether a clip's first segment is coming, and what is left of it sooner than it is played.
  func bringsStart(of item: ItemID) -> Bool {
    running.values.contains { one in
      one.bringsStart && one.keys.contains { $0.item == item.rawValue }
    }
  }

  /// The same at the rate of these bytes.
  private static func isStartInTime(
    _ splitter: SegmentSplitter, of clip: FeedClip, bytes: Int, in elapsed: Milliseconds
  ) -> Bool {
    guard let (key, left) = splitter.coming, key.segment == 0, elapsed >= shortestMeasure else {
      return false
    }
    let duration = clip.renditions[Int(key.rendition)].segments[0].durationMs
    return Double(left) * Double(elapsed.rawValue) <= inTime * Double(duration) * Double(bytes)
  }

  /// Ends all, for a host that ends.
  func cancelAll() {
    for request in running.keys { cancel(RequestID(request)) }
  }

  private func take(_ chunk: Data, of download: Download, by splitter: inout SegmentSplitter) {
    for piece in splitter.push(chunk) {
      switch piece {
      case .more(let key, let bytes): memory.append(bytes, to: key)
      case .whole(let key, let bytes):
        memory.put(bytes, as: key)
        report(
          .segmentStored(
            download.request, download.item, rendition: download.rendition, segment: key.segment))
        // What is reported may lead to its end.
        if running[download.request.rawValue] == nil { return }
      }
    }
  }

  private func fail(_ download: Download, _ failure: TransferFailure) async {
    var reason = Prefetch.FailureReason(rawValue: failure.rawValue) ?? .network
    if failure == .refused, running[download.request.rawValue] != nil, await feed.renew(download.item) {
      reason = .gone
    }
    end(download, .fetchFailed(download.request, reason))
  }

  private func end(_ download: Download, _ event: FeedSession.Event) {
    guard running.removeValue(forKey: download.request.rawValue) != nil else { return }
    report(event)
  }
}
