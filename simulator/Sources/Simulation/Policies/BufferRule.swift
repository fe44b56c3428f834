internal import CoreTypes
internal import Foundation

/// The rules of hls.js with its defaults, for a page that plays the current clip and preloads the next one
/// with an instance of its own, and hands its estimate on.
///
/// Written after the documentation and the behaviour of hls.js 1.6: master playlist, media playlist,
/// initialisation section and segments are requests one after the other; two moving averages; a level must
/// fit 0.95 of the estimate, 0.7 to go up, and load before the buffer is empty; a segment that comes too
/// late is given up for a lower level. Kinder than the original: no segment is loaded only to test the
/// link, the buffer is 30 s (its bytes limit would let it grow further), and nothing sharper than the
/// screen is loaded.
struct BufferRule: Policy {
  static let maxBufferLength = Milliseconds(30_000)
  static let defaultEstimate = 500_000.0
  static let factor = 0.95
  static let upFactor = 0.7
  static let maxStarvationDelay = 4.0
  static let playlistBytes: Int64 = 900
  /// Share of the rate that the rule for giving up trusts.
  static let emergencyFactor = 0.8

  /// What is known of a clip's playlists.
  private struct Instance {
    var hasMaster = false
    var levels: Set<Int> = []
    var lastLevel = 0
    /// After a segment was given up.
    var cap: Int?
  }

  private var fast = MovingAverage(halfLife: 3)
  private var slow = MovingAverage(halfLife: 9)
  private var instances: [Int: Instance] = [:]

  mutating func decide(_ view: PolicyView) -> [PolicyCommand] {
    for end in view.finished { note(end) }
    let pool = (view.page - 1)...(view.page + 1)
    var commands = view.cancel { $0.item == view.page || $0.item == view.page + 1 }
    // An instance that is destroyed takes its buffer and its playlists along.
    for item in instances.keys.sorted() where !pool.contains(item) {
      instances[item] = nil
      commands.append(.discard(item: item))
    }
    for item in [view.page, view.page + 1] where view.exists(item) {
      if let flight = view.flights.first(where: { $0.item == item }) {
        if let command = giveUp(flight, view) { commands.append(command) }
      } else if let command = load(item, view) {
        commands.append(command)
      }
    }
    return commands
  }

  private mutating func note(_ end: PolicyView.Finished) {
    if let tag = end.tag {
      if tag == 0 {
        instances[end.item, default: Instance()].hasMaster = true
      } else {
        instances[end.item, default: Instance()].levels.insert(tag - 1)
      }
    } else if !end.segments.isEmpty {
      sample(bytes: end.bytes, time: end.elapsed - end.firstByte)
      instances[end.item, default: Instance()].lastLevel = end.rendition
      instances[end.item]?.cap = nil
    }
  }

  private mutating func sample(bytes: Int64, time: Milliseconds) {
    let seconds = Double(max(50, time.rawValue)) / 1_000
    let rate = Double(bytes * 8) / seconds
    fast.add(rate, weight: seconds)
    slow.add(rate, weight: seconds)
  }

  private var estimate: Double {
    guard let fast = fast.value, let slow = slow.value else { return Self.defaultEstimate }
    return min(fast, slow)
  }

  private func load(_ item: Int, _ view: PolicyView) -> PolicyCommand? {
    let instance = instances[item] ?? Instance()
    guard instance.hasMaster else { return .fetchOther(item: item, tag: 0, bytes: Self.playlistBytes) }
    let from = item == view.page ? view.position : .zero
    let clip = view.store.clip(item)
    // A loop plays on from the start: what is missing there is loaded when the end is near.
    var next = view.missing(item, from: from, ahead: Self.maxBufferLength)
    if next == nil, clip.duration - from < Self.maxBufferLength {
      next = view.missing(item, from: .zero, ahead: Self.maxBufferLength - (clip.duration - from))
    }
    guard let segment = next else { return nil }
    let level = level(item, instance, lead: view.store.lead(item, from: from), segment: segment, view)
    guard instance.levels.contains(level) else {
      return .fetchOther(item: item, tag: 1 + level, bytes: Self.playlistBytes)
    }
    guard !view.needsInitialization(item, level) else {
      return .fetch(item: item, rendition: level, segments: 0..<0, withInitialization: true)
    }
    return .fetch(
      item: item, rendition: level, segments: segment..<(segment + 1), withInitialization: false)
  }

  private func level(
    _ item: Int, _ instance: Instance, lead: Milliseconds, segment: Int, _ view: PolicyView
  ) -> Int {
    let clip = view.store.clip(item)
    let length = Double(clip.length(ofSegment: segment).rawValue) / 1_000
    let starvation = Double(lead.rawValue) / 1_000
    let best =
      best(clip, instance.lastLevel, maxFetch: starvation)
      ?? best(clip, instance.lastLevel, maxFetch: starvation + min(length, Self.maxStarvationDelay))
    return min(best ?? 0, instance.cap ?? .max, view.largest(item))
  }

  private func best(_ clip: PlaybackDescriptor, _ last: Int, maxFetch: Double) -> Int? {
    let mean = Double(clip.duration.rawValue) / 1_000 / Double(clip.segmentCount)
    return clip.renditions.indices.last { level in
      let rate = estimate * (level <= last ? Self.factor : Self.upFactor)
      let bitrate = Double(clip.renditions[level].peak.rawValue)
      return rate > bitrate && bitrate * mean / rate < maxFetch
    }
  }

  /// A segment that will not be there before the buffer is empty, where a lower level would.
  private mutating func giveUp(_ flight: PolicyView.Flight, _ view: PolicyView) -> PolicyCommand? {
    guard flight.item == view.page, let segment = flight.segments.first, flight.rendition > 0 else {
      return nil
    }
    let clip = view.store.clip(flight.item)
    let length = Double(clip.length(ofSegment: segment).rawValue) / 1_000
    let elapsed = Double((view.now - flight.started).rawValue) / 1_000
    guard elapsed > 0.5 * length else { return nil }
    let starvation = Double(view.store.lead(flight.item, from: view.position).rawValue) / 1_000
    let rate = max(1, Double(flight.received) / elapsed)
    let left = Double(flight.bytes - flight.received) / rate
    guard starvation < 2 * length, left > starvation else { return nil }
    func time(_ level: Int) -> Double {
      length * Double(clip.renditions[level].peak.rawValue) / (8 * Self.emergencyFactor * rate)
    }
    let lower = (0..<flight.rendition).last { time($0) < starvation } ?? 0
    guard time(lower) < left else { return nil }
    sample(bytes: flight.received, time: view.now - flight.started)
    instances[flight.item, default: Instance()].cap = lower
    return .cancel(flight.request)
  }
}

/// Exponentially weighted, with a half-life in s, and without the bias of its start.
private struct MovingAverage: Sendable {
  private let decay: Double
  private var sum = 0.0
  private var weight = 0.0

  init(halfLife: Double) { decay = log(0.5) / halfLife }

  var value: Double? { weight > 0 ? sum / (1 - exp(decay * weight)) : nil }

  mutating func add(_ value: Double, weight: Double) {
    let kept = exp(decay * weight)
    sum = value * (1 - kept) + kept * sum
    self.weight += weight
  }
}
