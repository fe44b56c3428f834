import CoreTypes
public import Foundation
import Lookahead
import Prefetch

/// Lets an outside simulator of short-video streaming ask the core for its decisions, a JSON object
/// a line: what the simulator says becomes events of `Prefetch`, and the `fetch` that comes back, or
/// the time for which none does, becomes the answer.
///
/// It decides nothing. The outside simulator fetches one chunk after the other, in order, and scores by
/// its own formula: that is the objective `challenge`.
public struct PolicyBridge {
  /// Why a line cannot be answered.
  public enum Failure: Error, CustomStringConvertible {
    case unreadable(String)
    case incomplete(String)
    case impossibleClip(Int32)

    public var description: String {
      switch self {
      case .unreadable(let reason): "not a message: \(reason)"
      case .incomplete(let field): "the message lacks \(field)"
      case .impossibleClip(let id): "the sizes of video \(id) describe no clip"
      }
    }
  }

  /// What every request of the outside simulator waits before its first byte: it reports only the sum
  /// of this and the transfer.
  private let latency: Milliseconds
  private var kbps: [Int64] = []
  private var chunk = Milliseconds(1_000)
  private var prefetch = Prefetch(.challenge)
  private var now = Instant(0)
  private var known: Set<Int32> = []
  private var running: Download?
  private let decoder = JSONDecoder()
  private let encoder = JSONEncoder()

  public init(latencyMilliseconds: Int64 = 80) {
    latency = Milliseconds(max(0, latencyMilliseconds))
  }

  /// The answer to a line, if it asks for one.
  public mutating func answer(to line: Data) throws -> Data? {
    let message: Message
    do { message = try decoder.decode(Message.self, from: line) } catch {
      throw Failure.unreadable("\(error)")
    }
    switch message.kind {
    case .hello:
      kbps = try require(message.kbps, "kbps")
      chunk = Milliseconds(max(1, message.chunkMilliseconds ?? 1_000))
    case .begin: begin()
    case .video: try add(message)
    case .step: return try encoder.encode(try step(message))
    case .end, .bye: break
    }
    return nil
  }

  private mutating func begin() {
    prefetch = Prefetch(.challenge)
    now = Instant(0)
    known = []
    running = nil
    send(.started(throughputHint: .zero, isEnabled: true))
  }

  private mutating func add(_ message: Message) throws {
    let id = try require(message.id, "id")
    let sizes = try require(message.sizes, "sizes")
    guard let descriptor = descriptor(sizes) else { throw Failure.impossibleClip(id) }
    let item = ItemID(id)
    send(.backgrounded)
    send(.itemAppended(item, descriptor))
    // Chunks of the outside simulator come without an initialisation section.
    for rendition in descriptor.renditions.indices {
      send(.segmentStored(item, rendition: Int32(rendition), segment: -1))
    }
    let shares = (message.retention ?? []).map { Int32(min(max($0, 0), 1) * Double(Retention.whole)) }
    if let retention = Retention(shares: shares) { send(.retentionKnown(item, retention)) }
    known.insert(id)
  }

  private func descriptor(_ sizes: [[Int64]]) -> PlaybackDescriptor? {
    guard sizes.count == kbps.count else { return nil }
    var renditions: [Rendition] = []
    for (rate, chunks) in sizes.enumerated() {
      var offset: Int64 = 1
      var segments: [Segment] = []
      for size in chunks {
        let range = ByteRange(offset: Bytes(offset), size: Bytes(size))
        guard let segment = Segment(range: range, duration: chunk) else { return nil }
        segments.append(segment)
        offset += max(0, size)
      }
      let nominal = BitsPerSecond(kbps[rate] * 1_000)
      renditions.append(
        Rendition(
          shortEdge: Int32(rate + 1), peak: nominal, average: nominal,
          initialization: ByteRange(offset: .zero, size: Bytes(1)), segments: segments))
    }
    let count = sizes.first?.count ?? 0
    return PlaybackDescriptor(duration: chunk * Int64(count), renditions: renditions)
  }

  /// All that has happened is told first, while nothing may be fetched; then one decision is asked for.
  private mutating func step(_ message: Message) throws -> Answer {
    let playing = try require(message.playing, "play")
    let queue = try require(message.queue, "q")
    let delay = Milliseconds(Int64(min(max(message.delay ?? 0, 0), 1e9)))
    send(.backgrounded)
    now = now + delay
    if let download = running, let size = message.size, size > 0 {
      send(
        .segmentStored(
          download.item, rendition: download.rendition, segment: download.firstSegment))
      send(
        .fetchFinished(
          download.request, Bytes(size), elapsed: delay, firstByte: min(latency, delay)))
    }
    running = nil
    let window = queue.indices.map { ItemID(playing + Int32($0)) }
    send(.focusMoved(window: window, focus: 0))
    if let played = queue.first, played.count >= 3 {
      send(.positionChanged(ItemID(playing), Milliseconds(Int64(min(max(played[2], 0), 1e9)))))
    }
    send(.foregrounded)
    if let running {
      return Answer(clip: running.item.rawValue, rate: running.rendition, pause: 0)
    }
    let wake = prefetch.nextWake ?? now + Milliseconds(500)
    return Answer(clip: playing, rate: 0, pause: max(1, (wake - now).rawValue))
  }

  private mutating func send(_ event: Prefetch.Event) {
    prefetch.handle(event, at: now) { command in
      switch command {
      case .fetch(let download): running = download
      case .cancel(let request): if running?.request == request { running = nil }
      case .itemGone: break
      }
    }
  }

  private func require<Value>(_ value: Value?, _ field: String) throws -> Value {
    guard let value else { throw Failure.incomplete(field) }
    return value
  }
}
