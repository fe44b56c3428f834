import Bitrate
import CoreTesting
import CoreTypes
import Testing

@Suite struct BitrateTests {
  /// 360, 540, 720 and 1080 at the ladder's usual averages.
  private let clip = PlaybackDescriptor.sample(
    seconds: 9, rates: [(360, 450_000), (540, 1_100_000), (720, 2_200_000), (1_080, 4_500_000)])

  private func need(
    _ purpose: RenditionNeed.Purpose, segment: Int = 0, previous: Int? = nil,
    missing: RenditionSet = RenditionSet()
  ) -> RenditionNeed {
    RenditionNeed(
      descriptor: clip, segment: segment, purpose: purpose, previous: previous, missing: missing)
  }

  /// After ten transfers at this rate.
  private func bitrate(at rate: Int64) -> Bitrate {
    var bitrate = Bitrate()
    for _ in 0..<10 {
      bitrate.handle(
        .transferMeasured(
          Bytes(rate / 8), busy: Milliseconds(1_000), firstByte: Milliseconds(50)))
    }
    return bitrate
  }

  @Test func theEstimateFollowsTheNetwork() {
    let slow = bitrate(at: 800_000).estimate.rawValue
    #expect((750_000...900_000).contains(slow))
    var bitrate = bitrate(at: 800_000)
    for _ in 0..<30 {
      bitrate.handle(
        .transferMeasured(
          Bytes(1_000_000), busy: Milliseconds(1_000), firstByte: Milliseconds(50)))
    }
    #expect(bitrate.estimate.rawValue > 6_500_000)
  }

  @Test func smallTransfersDoNotMoveTheEstimate() {
    var bitrate = bitrate(at: 800_000)
    let before = bitrate.estimate
    bitrate.handle(
      .transferMeasured(Bytes(2_000), busy: Milliseconds(1), firstByte: Milliseconds(50)))
    #expect(bitrate.estimate == before)
  }

  @Test func startsLowOn3GAndHighOnWifi() {
    #expect(bitrate(at: 1_500_000).rendition(for: need(.firstFrame)) == 0)
    #expect(bitrate(at: 50_000_000).rendition(for: need(.firstFrame)) == 3)
  }

  @Test func playsTheBestThatTheNetworkSustains() {
    let ahead = RenditionNeed.Purpose.playback(ahead: Milliseconds(6_000))
    #expect(bitrate(at: 1_600_000).rendition(for: need(ahead, segment: 2, previous: 0)) == 1)
    #expect(bitrate(at: 9_000_000).rendition(for: need(ahead, segment: 2, previous: 0)) == 3)
  }

  @Test func doesNotRiseWhileTheBufferIsShort() {
    let short = RenditionNeed.Purpose.playback(ahead: Milliseconds(1_500))
    #expect(bitrate(at: 9_000_000).rendition(for: need(short, segment: 1, previous: 1)) == 1)
  }

  @Test func staysWhereItIsInsteadOfFlapping() {
    let ahead = RenditionNeed.Purpose.playback(ahead: Milliseconds(6_000))
    // 2.2 Mb/s is above the 80 % that a rise needs and below the 90 % that staying needs.
    let bitrate = bitrate(at: 2_600_000)
    #expect(bitrate.rendition(for: need(ahead, segment: 2, previous: 2)) == 2)
    #expect(bitrate.rendition(for: need(ahead, segment: 2, previous: 1)) == 1)
  }

  @Test func aSecondSegmentAheadWaitsWhereTheNetworkBringsItInTime() {
    let ahead = RenditionNeed.Purpose.prefetch(distance: 1)
    #expect(bitrate(at: 9_000_000).rendition(for: need(ahead, segment: 1)) == nil)
    #expect(bitrate(at: 1_500_000).rendition(for: need(ahead, segment: 1)) == 0)
  }

  @Test func onlyFarFirstSegmentsWait() {
    let fast = bitrate(at: 20_000_000)
    #expect(fast.rendition(for: need(.prefetch(distance: 3))) == nil)
    #expect(fast.rendition(for: need(.prefetch(distance: 2))) != nil)
    #expect(bitrate(at: 900_000).rendition(for: need(.prefetch(distance: 3))) == 0)
  }

  @Test func fetchesNothingSharperThanTheScreen() {
    var bitrate = bitrate(at: 50_000_000)
    bitrate.handle(.viewportResized(shortEdge: 600))
    #expect(bitrate.rendition(for: need(.firstFrame)) == 2)
  }

  @Test func dataSaverCapsTheQuality() {
    var bitrate = Bitrate()
    bitrate.handle(.started(hint: BitsPerSecond(10_000_000), dataSaver: true))
    #expect(bitrate.rendition(for: need(.prefetch(distance: 1))) == 1)
  }

  @Test func neverTakesAMissingRendition() {
    var missing = RenditionSet()
    missing.insert(0)
    missing.insert(3)
    #expect(bitrate(at: 400_000).rendition(for: need(.firstFrame, missing: missing)) == 1)
    #expect(bitrate(at: 90_000_000).rendition(for: need(.firstFrame, missing: missing)) == 2)
  }
}

@Suite struct BitrateInvariantTests {
  @Test func holdForRandomSamplesAndQuestions() {
    forEachSeed(3_000) { seed, generator in
      var bitrate = Bitrate()
      bitrate.handle(
        .started(
          hint: BitsPerSecond(generator.hostileInteger(around: 20_000_000)),
          dataSaver: generator.next(below: 4) == 0))
      for _ in 0..<20 {
        bitrate.handle(randomEvent(&generator))
        let need = randomNeed(&generator)
        guard let chosen = bitrate.rendition(for: need) else { continue }
        #expect(need.descriptor.renditions.indices.contains(chosen), "seed \(seed)")
        let all = need.descriptor.renditions.indices.allSatisfy { need.missing.contains($0) }
        #expect(all || !need.missing.contains(chosen), "seed \(seed)")
        #expect(bitrate.estimate > .zero, "seed \(seed)")
      }
    }
  }

  @Test func moreThroughputNeverLowersTheChoice() {
    forEachSeed(500) { seed, generator in
      let need = randomNeed(&generator)
      var last = 0
      for rate: Int64 in [100_000, 400_000, 900_000, 2_000_000, 5_000_000, 20_000_000] {
        var bitrate = Bitrate()
        for _ in 0..<8 {
          bitrate.handle(
            .transferMeasured(
              Bytes(rate / 4), busy: Milliseconds(2_000), firstByte: Milliseconds(80)))
        }
        guard let chosen = bitrate.rendition(for: need) else { continue }
        if !need.missing.contains(chosen) { #expect(chosen >= last, "seed \(seed)") }
        last = chosen
      }
    }
  }

  private func randomEvent(_ generator: inout SeededGenerator) -> Bitrate.Event {
    if generator.next(below: 5) == 0 {
      return .viewportResized(shortEdge: generator.hostileInteger(around: 2_000))
    }
    return .transferMeasured(
      Bytes(generator.hostileInteger(around: 1_000_000)),
      busy: Milliseconds(generator.hostileInteger(around: 3_000)),
      firstByte: Milliseconds(generator.hostileInteger(around: 500)))
  }

  private func randomNeed(_ generator: inout SeededGenerator) -> RenditionNeed {
    var missing = RenditionSet()
    if generator.next(below: 3) == 0 { missing.insert(Int(generator.next(below: 3))) }
    let purpose: RenditionNeed.Purpose =
      switch generator.next(below: 3) {
      case 0: .firstFrame
      case 1: .playback(ahead: Milliseconds(generator.next(below: 9_000)))
      default: .prefetch(distance: Int32(generator.next(below: 4) + 1))
      }
    return RenditionNeed(
      descriptor: .sample(
        seconds: 9, rates: [(360, 450_000), (720, 2_200_000), (1_080, 4_500_000)]),
      segment: Int(generator.next(below: 6)), purpose: purpose,
      previous: generator.next(below: 2) == 0 ? nil : Int(generator.next(below: 3)),
      missing: missing)
  }
}
