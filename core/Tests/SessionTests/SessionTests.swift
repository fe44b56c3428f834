import Composer
import CoreTypes
import Prefetch
import Session
import Testing

@Suite struct SessionTests {
  @Test func playsTheFirstClipByItself() {
    var host = HostModel()
    host.start()
    host.run(1_500)
    #expect(host.current == ItemID(0))
    #expect(host.playing != nil)
  }

  @Test func aSwipeToAPrefetchedClipSettlesAtOnce() {
    var host = HostModel()
    host.start()
    host.run(5_000)
    host.send(.stepped(pages: 1))
    #expect(host.current == ItemID(1), "no hold")
    host.run(50)
    #expect(host.playing != nil)
  }

  @Test func everySwipeThroughTheWholeFeedEndsOnTheRightClip() {
    var host = HostModel()
    host.start()
    host.run(1_000)
    for page: Int32 in 1..<20 {
      host.send(.stepped(pages: 1))
      host.run(900)
      #expect(host.current == ItemID(page))
      #expect(host.playing != nil, "nothing plays on page \(page)")
    }
    for page: Int32 in (0..<19).reversed() {
      host.send(.stepped(pages: -1))
      host.run(600)
      #expect(host.current == ItemID(page))
    }
  }

  @Test func aClipWhoseMediaIsMissingIsSkippedWithANotice() {
    var host = HostModel()
    host.missing = [ItemID(1)]
    host.start()
    host.run(4_000)
    #expect(host.skipped == [ItemID(1)])
    host.send(.stepped(pages: 1))
    host.run(500)
    #expect(host.current == ItemID(2))
  }

  @Test func aMissingCurrentClipMakesRoomForTheNext() {
    var host = HostModel()
    host.missing = [ItemID(0)]
    host.start()
    host.run(4_000)
    #expect(host.current == ItemID(1))
    #expect(host.playing != nil)
  }

  @Test func withoutANetworkItSaysSoAndRecovers() {
    var host = HostModel()
    host.online = false
    host.start()
    host.run(3_000)
    #expect(host.troubled)
    host.online = true
    host.send(.retryRequested)
    host.run(2_000)
    #expect(!host.troubled)
    #expect(host.playing != nil)
  }

  @Test func goesOnWhenTheNetworkComesBackInTheMiddle() {
    var host = HostModel()
    host.start()
    host.run(3_000)
    host.online = false
    host.send(.networkChanged(isOnline: false))
    for _ in 0..<6 {
      host.send(.stepped(pages: 1))
      host.run(1_000)
    }
    #expect(host.troubled)
    host.online = true
    host.send(.networkChanged(isOnline: true))
    host.run(2_000)
    #expect(!host.troubled)
    #expect(host.playing != nil)
  }

  @Test func aHostThatFetchesByItselfIsAskedForNoBytes() {
    var host = HostModel()
    host.start(FeedSession.Configuration(usesByteRanges: false))
    host.run(2_000)
    #expect(!host.trace.contains { $0.hasPrefix("command 20 ") })
    #expect(host.trace.contains { $0.hasPrefix("command 10 ") })
  }

  @Test func writingLocksTheFeedAndTheClipGoesOnAsItWas() {
    var host = HostModel()
    host.start()
    host.send(.composer(.signedInChanged(true)))
    host.run(3_000)
    host.send(.composer(.fieldFocused))
    #expect(host.playing == nil)
    host.send(.stepped(pages: 1))
    host.run(1_000)
    #expect(host.current == ItemID(0), "the feed is locked")
    host.send(.tapped)
    host.send(.composer(.fieldBlurred))
    host.run(100)
    #expect(host.playing != nil, "the tap left the field, it did not pause")
    host.send(.stepped(pages: 1))
    host.run(1_000)
    #expect(host.current == ItemID(1))
  }

  @Test func aClockThatWasSetBackHoldsNothingUp() {
    var session = FeedSession()
    var wake = Instant(0)
    func send(_ event: FeedSession.Event, at time: Int64) -> [FeedSession.Command] {
      var commands: [FeedSession.Command] = []
      session.handle(event, at: Instant(time)) { commands.append($0) }
      for case .wake(let at) in commands { wake = at }
      return commands
    }
    _ = send(.started(.init()), at: 9_000_000)
    for item in 0..<3 as Range<Int32> {
      _ = send(.itemAppended(ItemID(item), HostModel.clip(item)), at: 9_000_000)
    }
    _ = send(.stepped(pages: 1), at: 1_000)
    #expect(wake <= Instant(1_000) + Milliseconds(500))
    let commands = send(.woke, at: wake.rawValue + 500)
    #expect(commands.contains(.setCurrent(ItemID(1), page: 1)), "the held page waits for the old time")
  }

  @Test func timeThatRunsBackwardsDoesNoHarm() {
    var host = HostModel()
    host.start()
    host.run(1_000)
    host.session.handle(.woke, at: Instant(-5_000)) { _ in }
    host.session.handle(.stepped(pages: 1), at: Instant(.min)) { _ in }
    host.run(2_000)
    #expect(host.current != nil)
  }

  /// A link and a screen that are good for 1080, and a decoder that is not.
  @Test func whatTheDecoderDropsIsNotFetchedForTheNextClips() {
    var host = HostModel()
    host.rate = BitsPerSecond(60_000_000)
    host.start()
    host.run(5_000)
    #expect(host.fetched.contains { $0.rendition == 3 })
    for _ in 0..<4 { host.send(.framesShown(shortEdge: 1_080, shown: 30, dropped: 30)) }
    let before = host.fetched.count
    for _ in 0..<5 {
      host.send(.stepped(pages: 1))
      host.run(4_000)
    }
    let sizes = host.fetched.dropFirst(before).map(\.rendition)
    #expect(sizes.contains(2) && !sizes.contains(3))
  }
}
