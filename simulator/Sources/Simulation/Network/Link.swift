import CoreTypes

/// A link that concurrent requests share evenly: a fluid over a trace, event by event.
///
/// A request costs a round trip before its first byte. One that is cancelled still occupies the link
/// until the news has reached the server and what was under way has arrived: a round trip. It leaves out
/// connection set-up and TCP's slow start.
///
/// Invariant: what is delivered never exceeds what the trace could carry.
struct Link {
  /// Bytes of one request that mean something together, in the order in which they come.
  struct Part: Equatable {
    /// −1: the initialisation section, or what is no media at all.
    let segment: Int
    let bytes: Int64
  }

  enum Report: Equatable {
    case arrived(request: Int32, segment: Int)
    case finished(request: Int32, bytes: Int64, elapsed: Milliseconds, firstByte: Milliseconds)
  }

  private struct Flow {
    let request: Int32
    var parts: [Part]
    let bytes: Int64
    let requested: Instant
    /// The first byte comes then, if the link carries any.
    let starts: Instant
    var ends: Instant?
    var firstByte: Instant?
    /// Bits that came, and those up to the end of the part that is coming.
    var bits = 0.0
    var boundary = 0.0

    func isActive(at now: Instant) -> Bool { starts <= now }

    /// Bits until something can be told of it.
    var missing: Double { (ends == nil ? boundary : Double(bytes * 8)) - bits }
  }

  let trace: Trace
  private(set) var now = Instant(0)
  private var flows: [Flow] = []
  private(set) var deliveredBytes: Int64 = 0
  /// Time in which bytes were under way or awaited, for the radio's share of the battery.
  private(set) var busy = Milliseconds.zero

  init(_ trace: Trace) { self.trace = trace }

  var roundTrip: Milliseconds { trace.sample(at: now).roundTrip }

  mutating func open(_ request: Int32, _ parts: [Part]) {
    let bytes = parts.reduce(0) { $0 + $1.bytes }
    var flow = Flow(
      request: request, parts: parts, bytes: bytes, requested: now, starts: now + roundTrip)
    flow.boundary = Double(parts[0].bytes * 8)
    flows.append(flow)
  }

  mutating func cancel(_ request: Int32) {
    guard let index = flows.firstIndex(where: { $0.request == request }) else { return }
    flows[index].ends = now + roundTrip
  }

  /// Bytes of a request that came so far.
  func received(_ request: Int32) -> Int64 {
    flows.first { $0.request == request }.map { Int64($0.bits / 8) } ?? 0
  }

  /// Until when nothing happens here.
  var nextEvent: Instant? {
    var next: Instant?
    var nearest = Double.infinity
    var active = 0
    for flow in flows {
      next = earlier(next, flow.ends)
      if flow.isActive(at: now) {
        active += 1
        nearest = min(nearest, flow.missing)
      } else {
        next = earlier(next, flow.starts)
      }
    }
    guard active > 0 else { return next }
    let bits = Int64((nearest * Double(active)).rounded(.up))
    return earlier(next, trace.time(of: trace.bits(until: now) + max(1, bits)))
  }

  /// Lets time pass, at most until `nextEvent`.
  mutating func advance(to time: Instant) -> [Report] {
    guard time > now else { return [] }
    if !flows.isEmpty { busy += time - now }
    let active = flows.indices.filter { flows[$0].isActive(at: now) }
    if !active.isEmpty {
      let before = trace.bits(until: now)
      let share = Double(trace.bits(until: time) - before) / Double(active.count)
      let first = trace.time(of: before + 1)
      for index in active { receive(share, at: index, firstByte: first) }
    }
    now = time
    return reports()
  }

  private mutating func receive(_ share: Double, at index: Int, firstByte: Instant?) {
    guard share > 0 else { return }
    if flows[index].firstByte == nil { flows[index].firstByte = firstByte }
    let before = Int64(flows[index].bits / 8)
    flows[index].bits = min(flows[index].bits + share, Double(flows[index].bytes * 8))
    deliveredBytes += Int64(flows[index].bits / 8) - before
  }

  private mutating func reports() -> [Report] {
    var reports: [Report] = []
    for index in flows.indices where flows[index].ends == nil {
      // A thousandth of a bit covers what rounding may lose.
      while let part = flows[index].parts.first, flows[index].bits + 0.001 >= flows[index].boundary {
        reports.append(.arrived(request: flows[index].request, segment: part.segment))
        flows[index].parts.removeFirst()
        if let next = flows[index].parts.first { flows[index].boundary += Double(next.bytes * 8) }
      }
      guard flows[index].parts.isEmpty else { continue }
      let flow = flows[index]
      reports.append(
        .finished(
          request: flow.request, bytes: flow.bytes, elapsed: now - flow.requested,
          firstByte: (flow.firstByte ?? now) - flow.requested))
    }
    flows.removeAll { flow in
      flow.parts.isEmpty || flow.bits >= Double(flow.bytes * 8) || flow.ends.map { $0 <= now } ?? false
    }
    return reports
  }
}
