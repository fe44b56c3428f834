import Foundation
import Ranking

/// Times pages of a ranker over a made-up catalogue: `rank-bench [CLIPS [VIEWERS]]`.
@main
struct RankBench {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let clips = min(max(arguments.first ?? 1_000_000, 100), 4_000_000)
    let viewers = min(max(arguments.dropFirst().first ?? 20_000, 100), 1_000_000)
    let start = residentBytes()
    let world = World(clips: clips, viewers: viewers)
    let ranker = Ranker(now: World.start)
    for clip in 0..<clips { ranker.add(world.clip(clip)) }
    let perClip = Double(residentBytes() - start) / Double(clips)
    for viewer in 0..<viewers { ranker.learn(world.likes(of: viewer), of: World.id(viewer), at: World.start) }
    note("one sweep and the index")
    ranker.refitWhole()
    let whole = Double(residentBytes() - start)
    print("\(clips) clips, \(viewers) viewers with \(World.likesEach) likes each\n")
    print("| | p50 ms | p99 ms |\n| --- | ---: | ---: |")
    row("an impression", world.times(2_000) { _ = ranker.observe(world.impression($0)) })
    row("a page of ten", world.times(1_000) { _ = ranker.page(world.request($0)) })
    row(
      "the same right after an impression of its viewer",
      world.times(1_000) { number in
        ranker.observe(world.impression(number))
        _ = ranker.page(world.request(number))
      })
    print("\nmemory: \(Int(perClip)) bytes a clip of which nothing is known, \(Int(whole / 1e6)) MB with all")
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
