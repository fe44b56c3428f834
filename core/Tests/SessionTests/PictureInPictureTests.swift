import CoreTypes
import Prefetch
import Session
import Testing

/// A clip in a window of the system, while the feed goes on or nobody sees it.
@Suite struct PictureInPictureTests {
  private var host = HostModel()

  init() {
    host.reportsPositions = true
    host.rate = BitsPerSecond(2_000_000)
    host.start()
    host.run(1_200)
    host.beginPictureInPicture()
  }

  @Test mutating func theFeedGoesOnBesideIt() throws {
    let window = try #require(host.window)
    for page: Int32 in 1...12 {
      host.send(.stepped(pages: 1))
      host.run(2_000)
      #expect(host.current == ItemID(page))
      #expect(
        host.allPlaying.count == 2 && host.allPlaying.contains(window.player),
        "page \(page): \(host.allPlaying)")
    }
    #expect(host.watch.broken.isEmpty)
    let all = HostModel.clip(window.item.rawValue).segmentCount
    #expect(
      Set(host.fetched.filter { $0.item == window.item }.map(\.firstSegment)).count == all,
      "it was fetched to its end")
  }

  @Test mutating func comingBackFindsClipAndTime() throws {
    let window = try #require(host.window)
    for _ in 0..<3 {
      host.send(.stepped(pages: 1))
      host.run(1_500)
    }
    let position = host.positions[Int(window.player.rawValue)]
    host.endPictureInPicture(returns: true)
    #expect(host.current == window.item && host.allPlaying == [window.player])
    #expect(position > .zero && host.positions[Int(window.player.rawValue)] == position)
    host.run(1_000)
    #expect(host.allPlaying == [window.player])
    #expect(host.positions[Int(window.player.rawValue)] != position)
  }

  @Test mutating func closingItLeavesTheFeedWhereItIs() throws {
    let window = try #require(host.window)
    host.send(.stepped(pages: 3))
    host.run(2_000)
    host.endPictureInPicture(returns: false)
    #expect(host.current == ItemID(3) && !host.allPlaying.contains(window.player))
  }

  @Test mutating func inTheBackgroundItPlaysAndNothingElseIsFetched() throws {
    let window = try #require(host.window)
    host.send(.backgrounded)
    let before = host.fetched.count
    host.run(30_000)
    #expect(host.allPlaying == [window.player])
    #expect(host.fetched.count > before)
    #expect(host.fetched[before...].allSatisfy { $0.item == window.item })
    host.send(.foregrounded)
    host.run(1_000)
    #expect(host.current == window.item && host.allPlaying == [window.player])
  }

  @Test mutating func itsBytesAndNumbersStayHoweverFarTheFeedGoes() throws {
    let window = try #require(host.window)
    host.feedSize = 200
    for _ in 0..<60 {
      host.send(.stepped(pages: 1))
      host.run(600)
      host.send(.memoryWarned)
    }
    #expect(host.window?.player == window.player && host.allPlaying.contains(window.player))
    #expect(!host.described.contains(window.item))
    #expect(host.watch.broken.isEmpty)
  }

  @Test mutating func aClipThatIsRemovedLeavesItsWindow() throws {
    let window = try #require(host.window)
    host.send(.stepped(pages: 1))
    host.run(1_000)
    host.send(.itemRemoved(window.item))
    #expect(host.window == nil && !host.allPlaying.contains(window.player))
  }
}
