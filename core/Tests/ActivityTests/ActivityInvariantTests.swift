import Activity
import CoreTesting
import CoreTypes
import Testing

@Suite struct ActivityInvariantTests {
  @Test func holdForRandomSequencesOfEvents() {
    var batches = 0
    var requests = 0
    forEachSeed(5_000) { seed, generator in
      var harness = ActivityHarness()
      var model = Model()
      for _ in 0..<60 {
        let time: Int64 = [0, 250, 400, 3_000, 20_000][Int(generator.next(below: 5))]
        harness.wait(time)
        model.check(harness.take(), at: harness.now)
        let event = randomEvent(&generator)
        model.note(event)
        harness.send(event)
        model.check(harness.take(), at: harness.now)
        if let wake = harness.activity.nextWake, wake < harness.now { model.broken = "a wake in the past" }
        if harness.kept.count > 400 { model.broken = "\(harness.kept.count) records" }
      }
      #expect(model.broken == nil, "\(model.broken ?? ""), seed \(seed)")
      batches += model.batches
      requests += model.requests
    }
    // A sequence in which nothing happens proves nothing.
    #expect(batches > 10_000 && requests > 10_000, "\(batches) batches, \(requests) requests")
  }

  private func randomEvent(_ generator: inout SeededGenerator) -> Activity.Event {
    let toggle = ToggleID(Int32(generator.next(below: 3)))
    let status: Int32 = [0, 400, 401, 404, 429, 500, .min, .max][Int(generator.next(below: 8))]
    switch generator.next(below: 16) {
    case 0, 1:
      let isUsual = generator.next(below: 5) > 0
      return .clipShown(
        ItemID(Int32(generator.next(below: 6))),
        duration: Milliseconds(isUsual ? 3_000 : generator.hostileInteger(around: 60_000)),
        watched: generator.next(below: 2) == 0 ? nil : Milliseconds(generator.hostileInteger(around: 900)))
    case 2: return .playing
    case 3, 4, 5: return .advanced(to: Milliseconds(generator.hostileInteger(around: 2_000)))
    case 6: return .waiting
    case 7: return generator.next(below: 2) == 0 ? .paused : .pageHidden
    case 8, 9: return generator.next(below: 2) == 0 ? .batchAnswered : .batchFailed(status: status)
    case 10, 11, 12:
      return .toggleRequested(
        toggle, isOn: generator.next(below: 2) == 0, known: generator.next(below: 2) == 0)
    case 13: return .toggleAnswered(toggle)
    case 14: return .toggleFailed(toggle, status: status)
    default: return generator.next(below: 9) == 0 ? .togglesForgotten : .woke
    }
  }

  /// Holds commands against what a host can do.
  private struct Model {
    var broken: String?
    var batches = 0
    var requests = 0
    private var first: Int64 = 0
    private var next: Int64 = 0
    private var isSending = false
    /// Under way, by toggle.
    private var sent: [Int32: Bool] = [:]
    private var shown: [Int32: Bool] = [:]

    mutating func note(_ event: Activity.Event) {
      switch event {
      case .batchAnswered, .batchFailed: isSending = false
      case .toggleAnswered(let toggle), .toggleFailed(let toggle, _): sent[toggle.rawValue] = nil
      case .togglesForgotten: (sent, shown) = ([:], [:])
      default: break
      }
    }

    mutating func check(_ commands: [Activity.Command], at now: Instant) {
      for command in commands { follow(command, at: now) }
    }

    private mutating func require(_ holds: Bool, _ what: String) { if !holds { broken = broken ?? what } }

    private mutating func follow(_ command: Activity.Command, at now: Instant) {
      switch command {
      case .record(let record):
        require(record.number == next, "a record out of its order")
        require(record.at == now, "a record of another time")
        require((record.took ?? .zero) >= .zero && (record.watched ?? .zero) >= .zero, "less than nothing")
        next += 1
      case .sendBatch(let start, let count):
        require(!isSending, "two batches at once")
        require(start == first && (1...100).contains(count) && start + count <= next, "a batch of nothing")
        isSending = true
        batches += 1
      case .sendBeacon(let start, let count):
        require(start == first && (1...100).contains(count) && start + count <= next, "a beacon of nothing")
      case .dropRecords(let start, let count):
        require(start == first && count > 0 && start + count <= next, "drops what is not there")
        first = start + count
      case .sendToggle(let toggle, let isOn):
        require(sent[toggle.rawValue] == nil, "two requests for one toggle")
        require(shown[toggle.rawValue] == isOn, "asks for what is not shown")
        sent[toggle.rawValue] = isOn
        requests += 1
      case .showToggle(let toggle, let isOn): shown[toggle.rawValue] = isOn
      case .confirmToggle(let toggle, let isOn):
        require(shown[toggle.rawValue] == isOn, "confirms what is not shown")
      case .revertToggle(let toggle, let isOn):
        require(shown[toggle.rawValue] == !isOn, "takes back what is not shown")
        shown[toggle.rawValue] = isOn
      }
    }
  }
}
