public import CoreTypes

/// Decides in which rendition a segment is fetched, from an estimate of the network's throughput.
///
/// It refuses to know which clip comes next and what is stored. It answers a question (also with "it
/// can wait") and emits no command; its state is the estimate alone.
///
/// Invariants:
/// - The chosen rendition exists and is not missing, unless all are.
/// - More throughput never lowers the choice, all else equal.
/// - Nothing sharper than the screen shows is chosen.
public struct Bitrate: Sendable {
  public enum Event: Sendable {
    /// A hint of 0 means unknown.
    case started(hint: BitsPerSecond, dataSaver: Bool)
    /// Short edge of the video area in device px.
    case viewportResized(shortEdge: Int64)
    /// So many bytes in so much time in which the link was busy, the wait for the first byte
    /// excluded.
    case transferMeasured(Bytes, busy: Milliseconds, firstByte: Milliseconds)
  }

  /// Before anything is known: a poor 3G link, so that the first clip starts on any network.
  public static let prior = BitsPerSecond(1_600_000)
  /// A hint from the browser counts at most this much: it is rounded and may be of another path.
  public static let largestHint = BitsPerSecond(10_000_000)
  /// Busy time that prior or hint weigh as much as.
  static let priorWeight = Milliseconds(300)
  /// Memory of the estimate in busy time. Long: short windows chase noise (shared measurements on
  /// white-noise-like traces: a byte-weighted long mean predicts best).
  static let memory = Milliseconds(15_000)
  /// Transfers smaller than this measure slow start, not the link.
  static let smallestSample = Bytes(16_384)
  /// The first segment of a clip that the person waits for may take this long to transfer.
  static let firstFrameBudget = Milliseconds(400)
  /// A prefetched segment may take this long: a swipe in between waits behind it.
  static let prefetchBudget = Milliseconds(1_200)
  /// What a request brings within this time after a swipe need not be there before it.
  static let inTime = Milliseconds(400)
  /// The second segment has the length of the first (1 s) to arrive; half of it is left for chance.
  static let secondInTime = Milliseconds(500)
  /// Kept in hand when a transfer is set against the buffer.
  static let reserve = Milliseconds(500)
  /// With less buffer than this, quality does not rise.
  static let upSwitchBuffer = Milliseconds(2_000)
  /// From here on the clips around have their first frames (`Prefetch` saw to it), and more of the
  /// link may go into quality.
  static let richBuffer = Milliseconds(4_500)
  /// With data saver nothing sharper than this is fetched.
  static let dataSaverEdge: Int32 = 540

  private var bits: Int64
  private var busy: Milliseconds
  private var samples: Int32 = 0
  private var shortEdge = Int64.max
  private var dataSaver = false
  /// Smoothed wait for the first byte; what a request costs before any byte moves.
  public private(set) var latency = Milliseconds(100)

  public init() {
    bits = 0
    busy = .zero
    reset(to: Self.prior)
  }

  /// Mean over the memory, weighted by bytes.
  public var estimate: BitsPerSecond {
    BitsPerSecond(max(1_000, saturatingProduct(bits, 1_000) / max(1, busy.rawValue)))
  }

  public mutating func handle(_ event: Event) {
    switch event {
    case .started(let hint, let dataSaver):
      self.dataSaver = dataSaver
      reset(to: hint > .zero ? min(hint, Self.largestHint) : Self.prior)
    case .viewportResized(let edge): if edge > 0 { shortEdge = edge }
    case .transferMeasured(let bytes, let time, let firstByte):
      measure(bytes, in: time, firstByte: firstByte)
    }
  }

  private mutating func reset(to rate: BitsPerSecond) {
    bits = rate.rawValue * Self.priorWeight.rawValue / 1_000
    busy = Self.priorWeight
    samples = 0
  }

  private mutating func measure(_ bytes: Bytes, in time: Milliseconds, firstByte: Milliseconds) {
    let wait = min(max(firstByte.rawValue, 0), 10_000)
    latency = Milliseconds((latency.rawValue * 3 + wait) / 4)
    guard bytes >= Self.smallestSample, bytes.rawValue < 1 << 32 else { return }
    let time = min(max(time.rawValue, 1), 60_000)
    let kept = max(0, Self.memory.rawValue - time)
    bits = bits * kept / Self.memory.rawValue + bytes.rawValue * 8
    busy = Milliseconds(busy.rawValue * kept / Self.memory.rawValue + time)
    samples = min(samples + 1, 1_000)
  }

  // MARK: The choice

  /// Index of the rendition to fetch the segment in; `nil` if the segment can wait until the person
  /// is nearer to it.
  public func rendition(for need: RenditionNeed) -> Int? {
    let allowed = allowedRenditions(need)
    let lowest = allowed.first ?? 0
    switch need.purpose {
    case .firstFrame:
      return highest(of: allowed, else: lowest) {
        transfer($0, need) <= Self.firstFrameBudget && isSustainable($0, need, percent: 60)
      }
    case .prefetch(let distance):
      if canWait(need, lowest, distance) { return nil }
      // What is fetched ahead shares the link with what plays: half of it, a third if far.
      let percent: Int64 = distance <= 1 ? 50 : 35
      return highest(of: allowed, else: lowest) {
        transfer($0, need) <= Self.prefetchBudget && isSustainable($0, need, percent: percent)
      }
    case .playback(let ahead): return duringPlayback(need, allowed, lowest, ahead)
    }
  }

  /// First segments of the clips next to the current one never wait.
  private func canWait(_ need: RenditionNeed, _ rendition: Int, _ distance: Int32) -> Bool {
    let arrival = latency + transfer(rendition, need)
    if need.segment > 0 { return arrival <= Self.secondInTime }
    return distance > 2 && arrival <= Self.inTime
  }

  private func duringPlayback(
    _ need: RenditionNeed, _ allowed: [Int], _ lowest: Int, _ ahead: Milliseconds
  ) -> Int {
    let spare = ahead - Self.reserve - latency
    let percent: Int64 = ahead >= Self.richBuffer ? 80 : 60
    let fitting = highest(of: allowed, else: lowest) {
      transfer($0, need) <= spare && isSustainable($0, need, percent: percent)
    }
    guard let previous = need.previous, allowed.contains(previous) else { return fitting }
    // Rise only from a safe place; fall only when the old quality does not fit any more.
    if fitting > previous { return ahead >= Self.upSwitchBuffer ? fitting : previous }
    if transfer(previous, need) <= spare, isSustainable(previous, need, percent: 90) {
      return previous
    }
    return fitting
  }

  /// What exists and is not wasted on this screen: up to the first rendition that fills it.
  private func allowedRenditions(_ need: RenditionNeed) -> [Int] {
    let renditions = need.descriptor.renditions
    var allowed: [Int] = []
    for index in renditions.indices where !need.missing.contains(index) {
      let edge = renditions[index].shortEdge
      if !allowed.isEmpty, dataSaver, edge > Self.dataSaverEdge { break }
      allowed.append(index)
      if Int64(edge) >= shortEdge { break }
    }
    return allowed
  }

  private func highest(of allowed: [Int], else lowest: Int, _ fits: (Int) -> Bool) -> Int {
    allowed.last(where: fits) ?? lowest
  }

  private func transfer(_ rendition: Int, _ need: RenditionNeed) -> Milliseconds {
    let segments = need.descriptor.renditions[rendition].segments
    guard segments.indices.contains(need.segment) else { return Milliseconds(.max) }
    return segments[need.segment].range.size.transferTime(at: cautiousEstimate)
  }

  private func isSustainable(_ rendition: Int, _ need: RenditionNeed, percent: Int64) -> Bool {
    need.descriptor.renditions[rendition].average.rawValue
      <= saturatingProduct(estimate.rawValue, percent) / 100
  }

  /// Few samples say little: the estimate is taken at a discount then.
  private var cautiousEstimate: BitsPerSecond {
    BitsPerSecond(estimate.rawValue / 100 * (samples < 3 ? 70 : 85))
  }
}
