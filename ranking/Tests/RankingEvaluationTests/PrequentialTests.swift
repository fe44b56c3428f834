import Foundation
import Ranking
import Testing

@testable import RankingEvaluation

/// No variant sees what it is asked for.
@Suite struct PrequentialTests {
  private static let clips = 300
  private static let start = KuaiRand.testBegins

  /// Rows as `Tools/kuairand.py` writes them: 40 viewers watch clips that are drawn by `next` from their number
  /// and their last clip.
  private static func data(
    events: Int, next: (inout SeededGenerator, Int, Int) -> Int
  ) throws -> KuaiRand {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ name: String, _ rows: [[Int]]) throws {
      let numbers = rows.joined().map { Int64($0).littleEndian }
      try numbers.withUnsafeBytes { try Data($0).write(to: folder.appendingPathComponent(name)) }
    }
    try write("clips", (0..<clips).map { [$0, $0 % 30, -1, 30_000, 0, -1, -1, -1] })
    var generator = SeededGenerator(seed: 81)
    let viewers = 1_000..<1_040
    var last = Dictionary(uniqueKeysWithValues: viewers.map { ($0, generator.below(clips)) })
    try write("histories", last.sorted { $0.key < $1.key }.map { [$0.key, Int(start) - 1, 2, $0.value] })
    let rows = (0..<events).map { event in
      let viewer = viewers.lowerBound + generator.below(viewers.count)
      let clip = next(&generator, viewer, last[viewer]!)
      last[viewer] = clip
      return [viewer, clip, Int(start) + event * 1_000, 1, 1, 0, 0, 0, 0, 0, 20_000, 1]
    }
    try write("events", rows)
    return try KuaiRand(folder: folder)
  }

  private static func run(_ data: KuaiRand) -> Prequential {
    var settings = Prequential.settings
    settings.factors = .init(dimensions: 8)
    settings.model.bits = 8
    let run = Prequential(data, settings: settings)
    run.warmUp()
    run.run()
    return run
  }

  /// Whoever knew the clip before it is asked for would find it.
  @Test func inAStreamOfChanceNothingIsFound() throws {
    let run = Self.run(try Self.data(events: 2_500) { generator, _, _ in generator.below(Self.clips) })
    for variant in run.variants {
      // Twenty of those that are unseen, which are 240 to 299, are .07 to .083; ties make it a little more.
      #expect(variant.sums.cases > 1_500)
      #expect(variant.sums.hitRate20 < 0.15, "\(variant.name)")
    }
  }

  @Test func inAStreamWithAnOrderTheOrderIsFound() throws {
    let run = Self.run(try Self.data(events: 6_000) { _, _, last in (last + 1) % Self.clips })
    let rates = Dictionary(uniqueKeysWithValues: run.variants.map { ($0.name, $0.sums.hitRate20) })
    #expect(rates["order alone"]! > 0.3)
    #expect(rates["order alone"]! > rates["popularity, decayed"]! + 0.2)
  }
}
