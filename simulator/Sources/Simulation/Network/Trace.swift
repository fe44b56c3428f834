public import CoreTypes

/// What a link can carry over time, and how long a round trip takes on it. Behind its end it begins anew.
///
/// All integers: kbit/s are bits per ms, so that the integral over whole ms is exact.
public struct Trace: Equatable, Sendable {
  public struct Sample: Equatable, Sendable {
    /// Of the time from this sample to the next.
    public let kilobits: Int64
    public let roundTrip: Milliseconds

    public init(kilobits: Int64, roundTrip: Milliseconds) {
      self.kilobits = kilobits
      self.roundTrip = roundTrip
    }
  }

  public let samples: [Sample]
  /// Where each sample starts, with the end of the last one behind them.
  private let starts: [Int64]
  /// Bits carried until each of these points.
  private let carried: [Int64]

  /// A link that never changes.
  public init(kilobits: Int64, roundTrip: Milliseconds) {
    self.init([Sample(kilobits: kilobits, roundTrip: roundTrip)], each: Milliseconds(1_000))
  }

  /// Samples of the same length.
  public init(_ samples: [Sample], each length: Milliseconds) {
    self.init(samples, starts: (0...samples.count).map { Int64($0) * length.rawValue })
  }

  /// `starts` rises strictly from 0 and has one element more than `samples`.
  init(_ samples: [Sample], starts: [Int64]) {
    precondition(!samples.isEmpty && starts.count == samples.count + 1 && starts[0] == 0)
    self.samples = samples
    self.starts = starts
    var carried: [Int64] = [0]
    for (index, sample) in samples.enumerated() {
      carried.append(carried[index] + sample.kilobits * (starts[index + 1] - starts[index]))
    }
    self.carried = carried
  }

  public var duration: Milliseconds { Milliseconds(starts[samples.count]) }

  /// Mean over the whole trace.
  public var meanKilobits: Int64 { carried[samples.count] / starts[samples.count] }

  public func sample(at time: Instant) -> Sample {
    samples[Self.last(in: starts, notAbove: time.rawValue % duration.rawValue, below: samples.count)]
  }

  /// Bits that can be carried from 0 until a time.
  public func bits(until time: Instant) -> Int64 {
    let turns = time.rawValue / duration.rawValue
    let rest = time.rawValue % duration.rawValue
    let index = Self.last(in: starts, notAbove: rest, below: samples.count)
    return turns * carried[samples.count] + carried[index]
      + (rest - starts[index]) * samples[index].kilobits
  }

  /// The first whole ms by which so many bits can be carried; `nil` if that never comes.
  public func time(of bits: Int64) -> Instant? {
    let total = carried[samples.count]
    guard total > 0 else { return bits <= 0 ? Instant(0) : nil }
    // So that an exact multiple is the end of a turn, not the start of the next.
    let turns = max(0, bits - 1) / total
    let rest = bits - turns * total
    guard rest > 0 else { return Instant(0) }
    let index = Self.last(in: carried, notAbove: rest - 1, below: samples.count)
    let rate = samples[index].kilobits
    let within = (rest - carried[index] + rate - 1) / rate
    return Instant(turns * starts[samples.count] + starts[index] + within)
  }

  /// Index of the last value that is not above; values rise.
  private static func last(in values: [Int64], notAbove limit: Int64, below count: Int) -> Int {
    var low = 0
    var high = count
    while low + 1 < high {
      let middle = (low + high) / 2
      if values[middle] <= limit { low = middle } else { high = middle }
    }
    return low
  }
}

extension Trace {
  /// Reads lines `time_s bandwidth_mbps [rtt_ms]`: from that time on the link has that bandwidth. Lines
  /// may be empty or begin with `#`. The last line holds as long as the one before it.
  ///
  /// - Throws: `Unreadable` with the line at fault.
  public init(text: String, roundTrip: Milliseconds = Milliseconds(80)) throws(Unreadable) {
    var times: [Int64] = []
    var samples: [Sample] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (number, line) in lines.enumerated() {
      let fields = line.split { $0 == " " || $0 == "\t" || $0 == "," }
      if fields.isEmpty || line.hasPrefix("#") { continue }
      let values = fields.map { Double($0) ?? .nan }
      guard (2...3).contains(values.count), values.allSatisfy({ (0...1e6).contains($0) }) else {
        throw Unreadable(line: number + 1, reason: "it is not `time_s bandwidth_mbps [rtt_ms]`")
      }
      let time = Int64((values[0] * 1_000).rounded())
      guard times.last.map({ $0 < time }) ?? true else {
        throw Unreadable(line: number + 1, reason: "its time is not after that of the line before")
      }
      times.append(time)
      let trip = values.count == 3 ? Milliseconds(Int64(values[2].rounded())) : roundTrip
      samples.append(Sample(kilobits: Int64((values[1] * 1_000).rounded()), roundTrip: trip))
    }
    guard let first = times.first, let last = times.last else {
      throw Unreadable(line: 0, reason: "there is no line with numbers")
    }
    guard samples.contains(where: { $0.kilobits > 0 }) else {
      throw Unreadable(line: 0, reason: "the link never carries anything")
    }
    let step = times.count > 1 ? last - times[times.count - 2] : 1_000
    self.init(samples, starts: times.map { $0 - first } + [last - first + step])
  }

  public struct Unreadable: Error, Equatable, CustomStringConvertible {
    public let line: Int
    public let reason: String

    public var description: String { line > 0 ? "line \(line): \(reason)" : reason }
  }
}
