import CoreTypes
public import MachineHost

/// A host that plays a script: sends rows, keeps the clock, wakes the machine when it asked for it.
public struct Script<Machine: HostedMachine> {
  private var room = MachineHost<Machine>()
  private var now: Int64 = 0
  private var wakeAt: Int64?
  public private(set) var trace: [String] = []

  public init() {}

  public mutating func send(_ row: [Int64]) {
    let lines = Trace.replay([Trace.line("event", now, row)]) { words, time in
      var commands: [Int64] = []
      return room.handle(words, at: time, into: &commands) ? commands : nil
    }
    trace += lines
    for line in lines where line.hasPrefix("command 34 ") {
      wakeAt = line.split(separator: " ").last.flatMap { Int64($0) }
    }
  }

  public mutating func wait(_ time: Int64) {
    let end = now + time
    while let due = wakeAt, due <= end {
      wakeAt = nil
      now = max(now, due)
      send([50])
    }
    now = end
  }
}

extension Trace {
  public static func replay<Machine: HostedMachine>(_ lines: [String], through machine: Machine.Type)
    -> [String]
  {
    var room = MachineHost<Machine>()
    return replay(lines) { words, now in
      var commands: [Int64] = []
      return room.handle(words, at: now, into: &commands) ? commands : nil
    }
  }

  /// Rows that no sane host sends: every kind with numbers from nowhere, at times that jump. `fields`
  /// says how many fields a kind has, so that most rows are read and some are not.
  public static func hostile<Machine: HostedMachine>(
    _ machine: Machine.Type, seed: UInt64, fields: [(kinds: ClosedRange<Int64>, count: Int64)],
    start: [[Int64]]
  ) -> [String] {
    var generator = SeededGenerator(seed: seed)
    var lines = start.map { line("event", 0, $0) }
    var time: Int64 = 0
    for _ in 0..<600 {
      time = saturatingSum(time, generator.next(below: 2_000) - 200)
      let (kinds, count) = fields[Int(generator.next(below: Int64(fields.count)))]
      var words = [kinds.lowerBound + generator.next(below: Int64(kinds.count))]
      for _ in 0..<(generator.next(below: 12) == 0 ? generator.next(below: 5) : count) {
        words.append(
          generator.next(below: 8) > 0 ? generator.next(below: 3) : generator.hostileInteger(around: 2_000))
      }
      lines.append(line("event", time, words))
    }
    return replay(lines, through: machine)
  }
}
