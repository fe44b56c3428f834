package import Contract
package import CoreTypes
package import Foundation
package import MediaStore
package import Playback
package import Session
internal import Synchronization

@MainActor package final class FakePlayer: PlayerPort {
  package init() {}

  package var report: ((PlayerReport) -> Void)?
  package var calls: [String] = []

  package func load(_ media: PlayerMedia) { calls.append("load \(media.item.rawValue)") }
  package func play() { calls.append("play") }
  package func pause() { calls.append("pause") }
  package func seek(to position: Milliseconds) { calls.append("seek \(position.rawValue)") }
  package func release() { calls.append("release") }
  package func setMuted(_ isMuted: Bool) { calls.append(isMuted ? "muted" : "heard") }
}

@MainActor package final class FakeScreen: FeedScreen {
  package init() {}

  package var commands: [FeedSession.Command] = []
  package var onShow: ((FeedSession.Command, SessionHost) -> Void)?

  package func show(_ command: FeedSession.Command, in host: SessionHost) {
    commands.append(command)
    onShow?(command, host)
  }
}

@MainActor package final class ManualClock: HostClock {
  package var now = Instant(0)
  package private(set) var wakeAt: Instant?
  private var ring: (@MainActor () -> Void)?

  package init() {}

  package func wake(at instant: Instant, _ ring: @escaping @MainActor () -> Void) {
    wakeAt = instant
    self.ring = ring
  }

  /// Lets time pass; rings if it is time.
  package func advance(by milliseconds: Int64) {
    now = now + Milliseconds(milliseconds)
    guard let wakeAt, wakeAt <= now, let ring else { return }
    self.wakeAt = nil
    self.ring = nil
    ring()
  }
}

@MainActor package final class FakeAddressing: MediaAddressing {
  package init() {}

  private var count = 0
  package private(set) var open: Set<Int> = []
  package var onStale: ((MediaLoad) -> Void)?

  package func open(_ clip: FeedClip) -> MediaLoad {
    count += 1
    open.insert(count)
    return MediaLoad(number: count, address: URL(string: "http://127.0.0.1:9/\(count)")!)
  }
  package func close(_ load: MediaLoad) { open.remove(load.number) }
}

/// Answers each request by hand.
package final class FakeTransport: SegmentTransport {
  package init() {}

  package struct Request {
    package let range: RangeRequest
    package let answer: AsyncThrowingStream<Data, any Error>.Continuation
  }
  private let all = Mutex<[Request]>([])
  private let ended = Mutex(0)

  package var requests: [Request] { all.withLock { $0 } }
  /// Streams that nobody reads any more.
  package var endedCount: Int { ended.withLock { $0 } }

  package func bytes(of request: RangeRequest) -> AsyncThrowingStream<Data, any Error> {
    AsyncThrowingStream { continuation in
      continuation.onTermination = { _ in self.ended.withLock { $0 += 1 } }
      all.withLock { $0.append(Request(range: request, answer: continuation)) }
    }
  }
}

package final class FakeSource: FeedSource {
  private let answers: Mutex<[Result<FeedPage, Problem>]>
  private let asked = Mutex<[String?]>([])
  package let renewed: Clip?
  /// What is answered in the place of any clip.
  package let refusal: Problem?

  package init(
    _ answers: [Result<FeedPage, Problem>] = [], renewed: Clip? = nil, refusal: Problem? = nil
  ) {
    self.answers = Mutex(answers)
    self.renewed = renewed
    self.refusal = refusal
  }

  package var cursors: [String?] { asked.withLock { $0 } }

  package func page(of tab: FeedTab, after cursor: String?, limit: Int) async throws -> FeedPage {
    asked.withLock { $0.append(cursor) }
    let next = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let next else { throw CancellationError() }
    return try next.get()
  }

  package func clip(_ id: String) async throws -> Clip {
    if let refusal { throw refusal }
    guard let renewed else { throw CancellationError() }
    return renewed
  }
}

/// Clips of two renditions with segments of 100 and 200 bytes behind an initialisation section of 50.
package func sampleClip(_ id: String, segments: Int = 3, visibility: Visibility? = nil) -> Clip {
  let renditions = [1, 2].map { level in
    Contract.Rendition(
      name: "\(360 * level)", url: "/media/\(id)-\(level).mp4", width: 360 * level, height: 640 * level,
      frameRate: 30, codecs: "avc1.64001f,mp4a.40.2", peakBps: 800 * level, averageBps: 700 * level,
      initialization: ByteRange(offset: 0, size: 50),
      segments: (0..<segments).map {
        Contract.Segment(offset: 50 + $0 * 100 * level, size: 100 * level, durationMs: 1_000)
      })
  }
  return Clip(
    id: id, caption: id, createdAt: Date(timeIntervalSince1970: 0),
    author: Author(id: "a", handle: "ann", name: "Ann"), counts: Counts(), width: 720, height: 1280,
    poster: Poster(url: "/media/\(id).jpg", width: 720, height: 1280, placeholder: ""),
    playback: Playback(durationMs: 1_000 * segments, hlsUrl: "/hls/\(id).m3u8", renditions: renditions),
    visibility: visibility)
}

@MainActor package func samplePorts(
  players: [FakePlayer] = (0..<3).map { _ in FakePlayer() }, transport: FakeTransport = FakeTransport(),
  source: FakeSource = FakeSource(), screen: FakeScreen = FakeScreen(), clock: ManualClock = ManualClock(),
  addressing: FakeAddressing = FakeAddressing(), memory: SegmentMemory = SegmentMemory(),
  disk: (store: DiskStore, budget: Int)? = nil, left: [Clip] = []
) -> SessionHost.Ports {
  SessionHost.Ports(
    players: players, transport: transport, source: source, screen: screen, clock: clock,
    addressing: addressing, memory: memory, disk: disk, base: URL(string: "http://origin.test/")!,
    left: left)
}

/// Lets tasks, sockets and disks work until this is so.
@MainActor package func eventually(_ condition: () async -> Bool) async -> Bool {
  for _ in 0..<20_000 {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return false
}
