import Ranking
import Testing

@testable import Recommendations

/// What a process remembers of what people have seen.
@Suite struct RecentViewersTests {
  private static func clip(_ number: UInt64) -> String { EntityID(number).uuid }

  @Test func readingGoesOnWhereItStood() {
    var viewers = RecentViewers()
    for number in 1...2 as ClosedRange<UInt64> {
      let from = viewers.change("me") { $0.place }
      #expect(from.clipID == (number == 1 ? "" : Self.clip(1)))
      viewers.change("me") { $0.saw([(Self.clip(number), Int64(number))], behind: from) }
    }
    #expect(viewers.seen(of: "me") == [EntityID(1), EntityID(2)])
    let place = viewers.change("me") { $0.place }
    #expect(place.atMs == 2 && place.clipID == Self.clip(2))
  }

  /// A page reads on while it is learned that a guest has become this viewer.
  @Test func whatWasReadOfSomebodyWhoWasForgottenMeanwhileIsReadAgain() {
    var viewers = RecentViewers()
    for _ in 0..<2 {
      let from = viewers.change("me") { $0.place }
      viewers.forget("me")
      viewers.change("me") { $0.saw([(Self.clip(1), 1)], behind: from) }
      let place = viewers.change("me") { $0.place }
      #expect(viewers.seen(of: "me").isEmpty && place.atMs == .min)
    }
  }
}
