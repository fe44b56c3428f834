import CoreTesting
import CoreTypes
import Taps
import Testing

@Suite struct TapsTests {
  private struct Finger {
    var taps = Taps()
    var now = Instant(1_000)
    var commands: [Taps.Command] = []

    mutating func send(_ event: Taps.Event) {
      var new: [Taps.Command] = []
      taps.handle(event, at: now) { new.append($0) }
      commands += new
    }

    mutating func touch(_ x: Int64 = 100, _ y: Int64 = 100, countsAtOnce: Bool = false) {
      send(.touched(x: x, y: y, countsAtOnce: countsAtOnce))
    }

    /// As a host does: it is woken when that was asked for.
    mutating func wait(_ milliseconds: Int64) {
      let end = now + Milliseconds(milliseconds)
      while let wake = taps.nextWake, wake <= end {
        now = wake
        send(.woke)
      }
      now = end
    }
  }

  @Test func aSingleTapCountsOnceNoOtherCanFollow() {
    var finger = Finger()
    finger.touch()
    #expect(finger.commands.isEmpty)
    finger.wait(Taps.doubleTapInterval.rawValue)
    #expect(finger.commands == [.tapped])
    finger.wait(10_000)
    #expect(finger.commands == [.tapped])
  }

  @Test func aSingleTapCountsWithinAQuarterOfASecond() {
    #expect(Taps.doubleTapInterval <= Milliseconds(250))
  }

  @Test func twoQuickTapsNeverCountAsOne() {
    var finger = Finger()
    finger.touch()
    finger.wait(150)
    finger.touch(110, 90)
    finger.wait(10_000)
    #expect(finger.commands == [.doubleTapped(x: 110, y: 90)])
  }

  @Test func eachFurtherQuickTapIsAnotherDoubleOne() {
    var finger = Finger()
    for _ in 0..<4 {
      finger.touch()
      finger.wait(120)
    }
    finger.wait(10_000)
    #expect(finger.commands == Array(repeating: .doubleTapped(x: 100, y: 100), count: 3))
  }

  @Test func tapsFarApartAreTwoSingleOnes() {
    var finger = Finger()
    finger.touch(10, 10)
    finger.wait(100)
    finger.touch(300, 500)
    #expect(finger.commands == [.tapped])
    finger.wait(10_000)
    #expect(finger.commands == [.tapped, .tapped])
  }

  @Test func aTapOnAPausedClipCountsAtOnceAndASecondOneIsStillDouble() {
    var finger = Finger()
    finger.touch(countsAtOnce: true)
    #expect(finger.commands == [.tapped])
    finger.wait(100)
    finger.touch()
    finger.wait(10_000)
    #expect(finger.commands == [.tapped, .doubleTapped(x: 100, y: 100)])
  }

  @Test func aDragThatFollowsTakesTheTapBack() {
    var finger = Finger()
    finger.touch()
    finger.send(.interrupted)
    finger.wait(10_000)
    #expect(finger.commands.isEmpty)
    #expect(finger.taps.nextWake == nil)
  }

  @Test func anyPlacesAndTimesAreTaken() {
    forEachSeed(2_000) { _, generator in
      var finger = Finger()
      var touches = 0
      for _ in 0..<20 {
        switch generator.next(below: 5) {
        case 0: finger.send(.woke)
        case 1: finger.wait(generator.next(below: 400))
        default:
          touches += 1
          finger.touch(
            generator.hostileInteger(around: 100), generator.hostileInteger(around: 100),
            countsAtOnce: generator.next(below: 4) == 0)
        }
      }
      finger.wait(10_000)
      // A double tap takes one touch or two, a single one exactly one.
      #expect(finger.commands.count <= touches)
      #expect(finger.commands.isEmpty == (touches == 0))
      #expect(finger.taps.nextWake == nil)
    }
  }
}
