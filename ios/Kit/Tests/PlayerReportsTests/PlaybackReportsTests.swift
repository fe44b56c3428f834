import CoreTypes
import Playback
import PlayerReports
import Testing

@Suite struct PlaybackReportsTests {
  static let clip = ItemID(7)

  func reports(_ events: [PlaybackReports.Event]) -> [PlayerReport.Event] {
    var machine = PlaybackReports()
    var reports: [PlayerReport.Event] = []
    for event in [.loaded(Self.clip)] + events {
      machine.handle(event) {
        #expect($0.item == Self.clip)
        reports.append($0.event)
      }
    }
    return reports
  }

  static let shown: [PlaybackReports.Event] = [.itemReady, .layerChanged(hasPicture: true)]

  @Test func reportsTheFirstFrameOnceWhenDecoderAndLayerHaveIt() {
    #expect(reports([.layerChanged(hasPicture: true)]) == [])
    #expect(reports([.itemReady]) == [])
    #expect(
      reports(Self.shown + [.layerChanged(hasPicture: false), .layerChanged(hasPicture: true)]) == [
        .firstFrameReady
      ])
  }

  @Test func theFirstFrameIsThatOfThePlaceWhereItStarts() {
    let sought = reports([.seekBegan] + Self.shown + [.seekEnded(at: Milliseconds(900), isLast: true)])
    #expect(sought == [.positionChanged(Milliseconds(900)), .firstFrameReady])
  }

  @Test func thePictureOfTheClipBeforeIsNoFirstFrame() {
    // The layer has a picture when the next clip comes; the item of that one is not ready yet.
    var machine = PlaybackReports()
    var seen: [PlayerReport] = []
    for event in [.loaded(Self.clip)] + Self.shown { machine.handle(event) { seen.append($0) } }
    seen = []
    machine.handle(.loaded(ItemID(8))) { seen.append($0) }
    machine.handle(.layerChanged(hasPicture: true)) { seen.append($0) }
    #expect(seen == [])
    machine.handle(.itemReady) { seen.append($0) }
    #expect(seen == [PlayerReport(item: ItemID(8), event: .firstFrameReady)])
  }

  @Test func movesAndStallsTakeTurns() {
    #expect(
      reports(Self.shown + [.asked, .ran, .ran, .starved, .starved, .ran])
        == [.firstFrameReady, .playbackAdvanced, .playbackStalled, .playbackAdvanced])
  }

  @Test func doesNotMoveBeforeThereIsAPicture() {
    #expect(reports([.asked, .ran]) == [])
    #expect(reports([.asked, .ran] + Self.shown) == [.firstFrameReady, .playbackAdvanced])
  }

  @Test func waitingForTheFirstBytesIsAStall() {
    #expect(reports([.asked, .starved]) == [.playbackStalled])
  }

  @Test func pausingReportsThePlaceOnce() {
    let paused: [PlaybackReports.Event] = [
      .stood(at: Milliseconds(1_200)), .stopped, .stood(at: Milliseconds(1_200)),
    ]
    #expect(
      reports(Self.shown + [.asked, .ran] + paused)
        == [.firstFrameReady, .playbackAdvanced, .positionChanged(Milliseconds(1_200))])
  }

  @Test func tellsThePlaceOnlyWhileItMoves() {
    let events: [PlaybackReports.Event] = [
      .ticked(.zero), .asked, .ran, .ticked(Milliseconds(250)), .seekBegan, .ticked(Milliseconds(500)),
      .seekEnded(at: Milliseconds(4_000), isLast: true), .ticked(Milliseconds(4_250)),
    ]
    #expect(
      reports(Self.shown + events) == [
        .firstFrameReady, .playbackAdvanced, .positionChanged(Milliseconds(250)),
        .positionChanged(Milliseconds(4_000)), .positionChanged(Milliseconds(4_250)),
      ])
  }

  @Test func aSeekThatAnotherReplacedSaysNothing() {
    let events: [PlaybackReports.Event] = [
      .seekBegan, .seekBegan, .seekEnded(at: Milliseconds(1), isLast: false),
      .seekEnded(at: Milliseconds(2), isLast: true),
    ]
    #expect(reports(events) == [.positionChanged(Milliseconds(2))])
  }

  /// The item before takes what its seek would have said with it.
  @Test func aSeekOfAnItemThatWasReplacedIsNotWaitedFor() {
    let events: [PlaybackReports.Event] = [
      .seekBegan, .replaced, .seekBegan, .itemReady, .layerChanged(hasPicture: true),
      .seekEnded(at: Milliseconds(900), isLast: true),
    ]
    #expect(reports(events) == [.positionChanged(Milliseconds(900)), .firstFrameReady])
  }

  @Test func loopsGoOnMoving() {
    let events: [PlaybackReports.Event] = [.asked, .ran, .restartBegan, .stopped, .restarted, .ran]
    #expect(
      reports(Self.shown + events) == [.firstFrameReady, .playbackAdvanced, .looped, .playbackAdvanced])
  }

  @Test func theButtonOfTheWindowIsReportedAndOurOwnPauseIsNot() {
    let playing = Self.shown + [.asked, .ran, .windowOpened]
    #expect(
      reports(playing + [.stopped, .ran]).suffix(3) == [
        .pictureInPicturePlayed(isOn: false), .pictureInPicturePlayed(isOn: true), .playbackAdvanced,
      ])
    #expect(
      reports(playing + [.stood(at: .zero), .stopped]).suffix(2) == [
        .pictureInPictureBegan, .positionChanged(.zero),
      ])
  }

  @Test func theWindowOpensAndClosesOnce() {
    #expect(
      reports([.windowOpened, .windowOpened, .windowClosed(returns: true), .windowClosed(returns: false)])
        == [.pictureInPictureBegan, .pictureInPictureEnded(returns: true)])
  }

  @Test func aFailureIsTheLastReport() {
    #expect(reports([.itemFailed, .itemReady, .layerChanged(hasPicture: true), .ran, .ended]) == [.failed])
  }

  @Test func nothingComesAfterRelease() {
    #expect(
      reports(Self.shown + [.asked, .ran, .released, .ticked(.zero), .restarted, .itemFailed]).count == 2)
  }

  /// Ten thousand random sequences keep the invariants of the type's comment.
  @Test func randomSequencesKeepTheOrderOfReports() {
    var random = SeededGenerator(seed: 5)
    let events: [PlaybackReports.Event] = [
      .released, .replaced, .itemReady, .itemFailed, .layerChanged(hasPicture: true),
      .layerChanged(hasPicture: false),
      .asked,
      .stood(at: .zero), .ran, .starved, .stopped, .ticked(.zero), .seekBegan,
      .seekEnded(at: .zero, isLast: true),
      .restartBegan, .restarted, .ended, .windowOpened, .windowClosed(returns: false),
    ]
    for _ in 0..<10_000 {
      var machine = PlaybackReports()
      var item: ItemID?
      var shown = false
      var moving = false
      for step in 0..<40 {
        let event =
          Int.random(in: 0..<12, using: &random) == 0
          ? .loaded(ItemID(Int32(step))) : events.randomElement(using: &random)!
        if case .loaded(let next) = event { (item, shown, moving) = (next, false, false) }
        machine.handle(event) { report in
          #expect(report.item == item)
          switch report.event {
          case .firstFrameReady:
            #expect(!shown)
            shown = true
          case .playbackAdvanced:
            #expect(shown && !moving)
            moving = true
          case .playbackStalled: moving = false
          default: break
          }
        }
        switch event {
        case .stood, .stopped, .ended: moving = false
        case .released, .itemFailed: (item, shown, moving) = (nil, false, false)
        default: break
        }
      }
    }
  }

  /// A position each quarter of a second, from one second to another.
  private func seconds(_ seconds: ClosedRange<Int64>) -> [PlaybackReports.Event] {
    (seconds.lowerBound * 4...seconds.upperBound * 4).map { .ticked(Milliseconds($0 * 250)) }
  }

  private func counted(_ dropped: Int, rate: Double = 30) -> PlaybackReports.Event {
    .counted(dropped: dropped, shortEdge: 720, frameRate: rate)
  }

  private func frames(_ events: [PlaybackReports.Event]) -> [PlayerReport.Event] {
    reports(Self.shown + [.asked, .ran] + events).filter { if case .framesShown = $0 { true } else { false } }
  }

  @Test func tellsWhatBecameOfTheFramesOfAMovement() {
    #expect(
      frames(
        [counted(3)] + seconds(0...1) + [counted(9)] + seconds(1...2) + [counted(21)] + seconds(2...4) + [
          counted(21)
        ])
        == [
          .framesShown(shortEdge: 720, shown: 42, dropped: 18),
          .framesShown(shortEdge: 720, shown: 60, dropped: 0),
        ])
    // At most what the core takes, and never more than there were.
    #expect(
      frames([counted(0, rate: 120)] + seconds(0...4) + [counted(9_999, rate: 120)])
        == [.framesShown(shortEdge: 720, shown: 0, dropped: 240)])
  }

  @Test(
    arguments: [
      [.seekBegan, .seekEnded(at: .zero, isLast: true)], [.restartBegan, .restarted],
      [.stood(at: .zero), .asked, .ran], [.starved, .ran], [.replaced],
    ] as [[PlaybackReports.Event]])
  func framesBeforeABreakAreNotThoseBehindIt(_ broken: [PlaybackReports.Event]) {
    #expect(frames([counted(0)] + seconds(0...1) + broken + seconds(0...1) + [counted(60)]) == [])
  }

  @Test func countsThatAreNoneAreNotTold() {
    #expect(frames(seconds(0...4) + [counted(0)]) == [], "nothing to compare with")
    #expect(frames([counted(50)] + seconds(0...4) + [counted(49)]) == [], "another item's")
    for rate in [0, -30, .nan, .infinity, 1e300] {
      #expect(frames([counted(0, rate: rate)] + seconds(0...4) + [counted(9, rate: rate)]) == [])
    }
    #expect(frames([.seekBegan, counted(0)] + seconds(0...4) + [counted(9)]) == [])
    // What was gone to was not played.
    #expect(frames([counted(0), .ticked(.zero), .ticked(Milliseconds(60_000)), counted(9)]) == [])
  }
}
