import CoreTypes
import Testing

@testable import Simulation

/// What each policy fetches for somebody who stays with the first clip of the feed, then sees the second,
/// on a steady link of 8 Mbit/s.
@Suite struct PolicyTests {
  private static let library = ClipLibrary(seed: 1)
  private static var firstLength: Milliseconds { library.clip(0).duration }

  private func downloads(_ kind: PolicyKind, family: TraceFamily? = .fourG) -> [Timeline.Download] {
    let scenario = Scenario(
      family: family, trace: Trace(kilobits: 8_000, roundTrip: Milliseconds(50)), library: Self.library,
      plan: Plan(visits: [
        Plan.Visit(page: 0, watch: Self.firstLength), Plan.Visit(page: 1, watch: Milliseconds(2_500)),
      ]))
    var world = World(scenario, policy: kind.policy(for: scenario), recordsTimeline: true)
    world.run()
    #expect(world.measures.seen == 2, "\(kind)")
    return world.timeline?.downloads ?? []
  }

  /// When the second clip begins to matter.
  private func untilSwipe(_ downloads: [Timeline.Download]) -> [Timeline.Download] {
    downloads.filter { $0.started < Instant(Self.firstLength.rawValue) }
  }

  private func segments(_ downloads: [Timeline.Download], of item: Int) -> [Int] {
    downloads.filter { $0.item == item }.flatMap { Array($0.segments) }
  }

  @Test func fixedFetchesThreeSecondsOfTwoClipsAhead() {
    let early = untilSwipe(downloads(.fixed))
    #expect(segments(early, of: 0) == Array(0..<Self.library.clip(0).segmentCount))
    #expect(segments(early, of: 1) == [0, 1])
    #expect(segments(early, of: 2) == [0, 1])
    #expect(segments(early, of: 3).isEmpty)
    #expect(early.allSatisfy { $0.rendition == 2 })
    #expect(downloads(.fixed, family: .threeG).allSatisfy { $0.rendition == 0 })
  }

  @Test func nextOneGoesOnOnlyWhenTheCurrentClipIsWhole() {
    let all = downloads(.nextOne)
    let lastOfFirst = all.last { $0.item == 0 }?.ended ?? Instant(.max)
    #expect(all.filter { $0.item == 1 }.allSatisfy { $0.started >= lastOfFirst })
    for (download, next) in zip(all, all.dropFirst()) {
      #expect(download.ended.map { $0 <= next.started } ?? false)
    }
    let ahead = segments(untilSwipe(all), of: 1)
    #expect(ahead.count > 3 && ahead == Array(0..<ahead.count))
    #expect(segments(untilSwipe(all), of: 2).isEmpty)
  }

  @Test func wholeFilesAreOneRequestEach() {
    let all = downloads(.wholeFile)
    #expect(all.map(\.item) == [0, 1, 2])
    #expect(all.allSatisfy { $0.segments == 0..<Self.library.clip($0.item).segmentCount })
  }

  @Test func stagesGoByDistance() {
    let early = untilSwipe(downloads(.staged))
    #expect(segments(early, of: 1) == [0, 1])
    let far = early.filter { $0.item == 2 }
    #expect(far.count == 1 && far[0].segments.isEmpty && far[0].isMedia)
    #expect(segments(early, of: 3).isEmpty)
  }

  @Test func theBufferRuleLoadsPlaylistsFirstAndOneThingAtATime() {
    let all = downloads(.bufferRule)
    for item in 0...1 {
      let own = all.filter { $0.item == item }
      #expect(own.prefix(2).allSatisfy { !$0.isMedia })
      #expect(own[2].isMedia && own[2].segments.isEmpty)
      #expect(own[3].segments == 0..<1)
      // It starts with what its default estimate carries, and rises.
      #expect(own[3].rendition == 0 || item > 0)
      for (download, next) in zip(own, own.dropFirst()) {
        #expect(download.ended.map { $0 <= next.started } ?? false)
      }
    }
    #expect((all.map(\.rendition).max() ?? 0) >= 2)
  }

  @Test func theOracleFetchesWhatIsShownAndNothingElse() {
    let all = downloads(.oracle)
    #expect(segments(all, of: 0).sorted() == Array(0..<Self.library.clip(0).segmentCount))
    #expect(segments(all, of: 1) == [0, 1])
    #expect(segments(all, of: 2).isEmpty)
  }

  @Test func ourOwnDecisionsAreTheSessionsFetches() {
    let early = untilSwipe(downloads(.ours))
    #expect(segments(early, of: 0).contains(0))
    #expect(segments(early, of: 1).contains(0))
    #expect(early.allSatisfy { $0.isMedia })
  }
}
