import CoreTesting
import CoreTypes
import SignInSession
import Testing

@Suite struct SignInInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    // Refreshes, repeats, failures, sessions forgotten, guests held.
    var counts = [Int32](repeating: 0, count: 5)
    forEachSeed(10_000) { seed, generator in
      var device = Device()
      for _ in 0..<60 { device.step(&generator) }
      device.settle()
      #expect(device.broken == nil, "\(device.broken ?? ""), seed \(seed)")
      for (index, count) in device.counts.enumerated() { counts[index] += count }
    }
    // A sequence in which nothing happens proves nothing.
    #expect(counts.allSatisfy { $0 > 2_000 }, "\(counts)")
  }

  @Test func surviveEventsThatNoHostSends() {
    forEachSeed(3_000) { seed, generator in
      var session = SignInSession()
      var now = Instant(0)
      var sent = 0
      for _ in 0..<80 {
        now = now + Milliseconds(generator.hostileInteger(around: 300))
        let event = hostileEvent(&generator)
        session.handle(event, at: now) { if case .send = $0 { sent += 1 } }
      }
      #expect(sent > 0, "seed \(seed)")
    }
  }

  private func hostileEvent(_ generator: inout SeededGenerator) -> SignInSession.Event {
    let request = APIRequestID(Int32(generator.next(below: 6)))
    let problem = SignInSession.Problem(rawValue: Int32(generator.next(below: 7)))!
    switch generator.next(below: 9) {
    case 0:
      return .accountFound(
        AccountID(Int32(generator.next(below: 2))), TokenID(Int32(generator.next(below: 4))))
    case 1: return generator.next(below: 3) == 0 ? .guestFound : .woke
    case 2, 3:
      return .requestWanted(
        request, SignInSession.RequestKind(rawValue: Int32(generator.next(below: 3)))!,
        life: Milliseconds(generator.hostileInteger(around: 30_000)))
    case 4: return .requestAnswered(request)
    case 5: return .requestFailed(request, status: generator.next(below: 2) == 0 ? 401 : 0, problem)
    case 6: return .turnCame
    case 7: return .refreshAnswered
    default: return .refreshFailed(status: generator.next(below: 2) == 0 ? 401 : .min)
    }
  }
}
