import Foundation
import Ranking

/// Times pages of a ranker over a made-up catalogue: `rank-bench [CLIPS [VIEWERS]] [--without-sequence]`.
@main
struct RankBench {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let clips = min(max(arguments.first ?? 1_000_000, 100), 4_000_000)
    let viewers = min(max(arguments.dropFirst().first ?? 20_000, 100), 1_000_000)
    let start = residentBytes()
    let world = World(clips: clips, viewers: viewers)
    var settings = Ranker.Settings()
    if CommandLine.arguments.contains("--without-sequence") { settings.sequence = nil }
    let ranker = Ranker(settings: settings, now: World.start)
    for clip in 0..<clips { ranker.add(world.clip(clip)) }
    let perClip = Double(residentBytes() - start) / Double(clips)
    for viewer in 0..<viewers { ranker.learn(world.likes(of: viewer), of: World.id(viewer), at: World.start) }
    note("one sweep and the index")
    ranker.refitWhole()
    let whole = Double(residentBytes() - start)
    print("\(clips) clips, \(viewers) viewers with \(World.likesEach) likes each\n")
    print("| | p50 ms | p99 ms |\n| --- | ---: | ---: |")
    let impressions = world.times(2_000) { _ = ranker.observe(world.impression($0)) }
    row("an impression", impressions)
    // By turns, so that what else the machine does is in both; of other viewers, who are in no cache.
    var (with, without): ([Double], [Double]) = ([], [])
    for number in 0..<1_000 {
      with += world.times(1) { _ in _ = ranker.page(world.request(number)) }
      var request = world.request(number + 1_000_000)
      request.settings = ranker.settings.page
      request.settings?.blend.sequence = 0
      without += world.times(1) { _ in _ = ranker.page(request) }
    }
    row("a page of ten", with)
    row("the same without the order of watches", without)
    row(
      "the same right after an impression of its viewer",
      world.times(1_000) { number in
        ranker.observe(world.impression(number))
        _ = ranker.page(world.request(number))
      })
    row("a page of ten, while 1,000 events and 50 pages a second arrive", pagesAmongEvents(ranker, world))
    rowOfExpectations(ranker, world)
    rowsOfSnapshots(ranker, world)
    print("\nimpressions a second: \(Int(Double(impressions.count) / impressions.reduce(0, +)))")
    print("memory: \(Int(perClip)) bytes a clip of which nothing is known, \(Int(whole / 1e6)) MB with all")
  }

  /// Seconds from the arrival of each page to its end: each is behind those that came before it, and behind
  /// all events until its turn, of which one may be its viewer's. Between pages events are learned every five
  /// milliseconds, twenty at a time, as the server does. When they arrive is made up, and how long each takes
  /// is measured, so that nothing else on the machine has a part in it.
  private static func pagesAmongEvents(_ ranker: Ranker, _ world: World) -> [Double] {
    let (eventsEach, pagesEach, readEach) = (1_000.0, 50.0, 0.005)
    var generator = SeededGenerator(seed: 9)
    var (arrived, now, read) = (0.0, 0.0, 0.0)
    var events = 0
    func learn(atMost count: Int) {
      for _ in 0..<count {
        guard Double(events) / eventsEach <= now else { return }
        now += world.times(1) { _ in _ = ranker.observe(world.impression(events)) }[0]
        events += 1
      }
    }
    return (0..<3_000).map { number in
      arrived -= log(1 - generator.uniform()) / pagesEach
      while max(read, now) < arrived {
        now = max(read, now)
        learn(atMost: 20)
        read = now + readEach
      }
      now = max(arrived, now)
      learn(atMost: .max)
      read = now + readEach
      now += world.times(1) { _ in _ = ranker.page(world.request(number)) }[0]
      return now - arrived
    }
  }

  /// Of viewers with as many watches as count.
  private static func rowOfExpectations(_ ranker: Ranker, _ world: World) {
    let watched = min(100, world.viewers)
    for viewer in 0..<watched {
      ranker.learn(world.likes(of: viewer + world.viewers), of: World.id(viewer), at: World.start)
    }
    var generator = SeededGenerator(seed: 7)
    let clips = (0..<1_000).map { _ in (0..<500).map { _ in World.id(generator.below(world.clips)) } }
    row(
      "50 watches, and what 500 clips are after them",
      world.times(1_000) { _ = ranker.expectations(of: clips[$0], for: World.id($0 % watched)) })
  }

  /// What pages wait for, and what is beside them. Whatever changes copies what a state shares that is kept.
  private static func rowsOfSnapshots(_ ranker: Ranker, _ world: World) {
    var states: [RankerState] = []
    let taken = (0..<5).map { number in
      states = [ranker.state]
      return world.times(1) { _ in
        _ = ranker.observe(world.impression(number))
        _ = ranker.page(world.request(number))
        ranker.add(world.clip(world.clips + number))
      }.reduce(0, +)
    }
    row("behind a state that was taken: an impression, a page and a new clip", taken)
    row("the state as a snapshot, beside them", world.times(3) { _ in _ = states.map { $0.snapshot() } })
  }

  private static func row(_ name: String, _ times: [Double]) {
    let sorted = times.sorted()
    let (half, most) = (sorted[sorted.count / 2], sorted[sorted.count * 99 / 100])
    print("| \(name) | \(String(format: "%.2f | %.2f", half * 1_000, most * 1_000)) |")
  }

  private static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

  /// What the process holds, in bytes; 0 where the system does not tell it as Linux does.
  private static func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4_096
  }
}
