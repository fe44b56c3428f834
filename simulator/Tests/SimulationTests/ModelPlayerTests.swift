import CoreTypes
import Testing

@testable import Simulation

@Suite struct ModelPlayerTests {
  private var player = ModelPlayer(device: Device())
  private var store = MediaStore()

  init() {
    store.append(ClipLibrary(seed: 1).clip(0))
    for segment in -1...2 { store.put(0, rendition: 0, segment: segment) }
    player.load(0, store.clip(0), at: Instant(0))
  }

  /// Lets it run until a time; answers what it reported, with the time.
  private mutating func run(until end: Int64) -> [(at: Int64, report: ModelPlayer.Report)] {
    var reports: [(Int64, ModelPlayer.Report)] = []
    while let next = player.nextEvent, next.rawValue <= end {
      reports += player.advance(to: next, from: store).map { (next.rawValue, $0) }
    }
    reports += player.advance(to: Instant(end), from: store).map { (end, $0) }
    return reports
  }

  @Test mutating func showsItsFirstFrameAfterAttachingAndDecoding() {
    let reports = run(until: 500)
    #expect(reports.map(\.at) == [65])
    #expect(reports.map(\.report) == [.firstFrame])
    #expect(player.stage == .still)
  }

  @Test mutating func playsUntilTheTapeEndsAndGoesOnWhenMoreIsThere() {
    _ = run(until: 100)
    player.play(at: Instant(100))
    let reports = run(until: 8_000)
    // Segments 0, 1 and 2 are 5 s.
    #expect(reports.contains { $0.at == 116 && $0.report == .advanced })
    #expect(reports.contains { $0.at == 5_116 && $0.report == .stalled })
    #expect(player.position == Milliseconds(5_000))
    store.put(0, rendition: 0, segment: 3)
    // The host hands it over as it arrives.
    _ = run(until: 8_001)
    #expect(run(until: 8_017).last?.report == .advanced)
  }

  @Test mutating func betterSegmentsReplaceThoseThatAreASecondAhead() {
    _ = run(until: 100)
    player.play(at: Instant(100))
    _ = run(until: 316)
    for segment in -1...2 { store.put(0, rendition: 2, segment: segment) }
    let shown = run(until: 5_000).compactMap { entry -> [Int]? in
      guard case .shown(let rendition, let segment, _) = entry.report else { return nil }
      return [segment, rendition]
    }
    // The head is at 200 ms: segment 1 begins at 1,000, too near; segment 2 at 3,000.
    #expect(Set(shown) == [[0, 0], [1, 0], [2, 2]])
  }

  @Test mutating func aSeekLaysTheTapeAnew() {
    _ = run(until: 100)
    player.seek(to: Milliseconds(3_500), at: Instant(100))
    player.play(at: Instant(100))
    let reports = run(until: 2_000)
    #expect(reports.contains { $0.at == 1_616 && $0.report == .stalled })
    #expect(player.position == Milliseconds(5_000))
  }
}
