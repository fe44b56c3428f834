import CoreTypes
import Foundation
import Testing

@testable import AppModel

@Suite struct VideoPlanTests {
  private static let file = URL(filePath: "/a.mp4")
  private static let target = VideoPreset.large.target(width: 1080, height: 1920, frameRate: 30)

  private static func part(_ captured: Int64, _ played: Int64) -> VideoPlan.Part {
    VideoPlan.Part(file: file, captured: Milliseconds(captured), played: Milliseconds(played))
  }

  @Test func aCutTakesWhatLiesBetweenAtEachPartsSpeed() {
    let plan = VideoPlan(
      parts: [Self.part(4_000, 2_000), Self.part(1_000, 1_000), Self.part(300, 1_000)], target: Self.target,
      fills: true)
    let cut = plan.cut(from: Milliseconds(500), to: Milliseconds(3_500))
    #expect(cut.parts.map(\.start) == [Milliseconds(1_000), .zero, .zero])
    #expect(cut.parts.map(\.captured) == [Milliseconds(3_000), Milliseconds(1_000), Milliseconds(150)])
    #expect(cut.length == Milliseconds(3_000))
  }

  @Test func anyCutLastsAsLongAsItWasAskedForAndStaysInsideItsFiles() {
    let plan = VideoPlan(
      parts: [Self.part(333, 1_110), Self.part(2_999, 1_000), Self.part(61, 205)], target: Self.target,
      fills: true)
    for from in stride(from: Int64(0), to: plan.length.rawValue, by: 37) {
      for to in stride(from: from + 200, through: plan.length.rawValue, by: 91) {
        let cut = plan.cut(from: Milliseconds(from), to: Milliseconds(to))
        #expect(abs(cut.length.rawValue - (to - from)) <= 3)
        for part in cut.parts {
          let whole = plan.parts.filter { $0.captured >= part.start + part.captured }
          #expect(!whole.isEmpty && part.captured > .zero && part.start >= .zero)
        }
      }
    }
    #expect(plan.cut(from: .zero, to: plan.length) == plan)
  }

  @Test func presetsKeepTheShapeAndEnlargeNothing() {
    let wide = VideoPreset.medium.target(width: 3840, height: 2160, frameRate: 120)
    #expect((wide.width, wide.height, wide.frameRate) == (1280, 720, 60))
    #expect(wide.rate == BitsPerSecond(3_000_000))
    let small = VideoPreset.large.target(width: 639, height: 481, frameRate: 0)
    #expect((small.width, small.height, small.frameRate) == (640, 482, 1))
    let square = VideoPreset.small.target(width: 4000, height: 4000, frameRate: 30)
    #expect((square.width, square.height) == (540, 540))
    let strip = VideoPreset.large.target(width: 100, height: 60_000, frameRate: 30)
    #expect(strip.width >= 2 && strip.height == 1920)
    #expect(VideoPreset.covering(width: 540, height: 960) == .small)
    #expect(VideoPreset.covering(width: 720, height: 1280) == .medium)
    #expect(VideoPreset.covering(width: 2160, height: 3840) == .large)
  }

  @Test func presetsHaveTheSizesAndRatesOfUploads() {
    #expect(VideoPreset.allCases.map(\.longEdge) == [960, 1280, 1920])
    #expect(VideoPreset.allCases.map(\.shortEdge) == [540, 720, 1080])
    #expect(VideoPreset.allCases.map(\.rate.rawValue) == [1_500_000, 3_000_000, 6_000_000])
  }

  @Test func aMinuteOfTheLargestIsSmallEnoughForTheServer() {
    let bits = (VideoPreset.large.rate.rawValue + VideoPreset.soundRate.rawValue) * 60
    #expect(bits / 8 < 50 * 1024 * 1024 * 95 / 100)
  }

  @Test func whatIsRecordedBecomesUpright() throws {
    let lying = try #require(ClipFacts(seconds: 1, width: 1920, height: 1080, frameRate: 30))
    let target = VideoPreset.upright(of: lying)
    #expect((target.width, target.height) == (608, 1080))
    let high = try #require(ClipFacts(seconds: 1, width: -1080, height: 1920, frameRate: 59.94))
    let upright = VideoPreset.upright(of: high)
    #expect((upright.width, upright.height, upright.frameRate) == (1080, 1920, 60))
  }

  @Test func errorsOfTheSystemAreTold() {
    #expect(VideoTrouble(domain: "AVFoundationErrorDomain", code: -11_807) == .storageFull)
    #expect(
      VideoTrouble(domain: "AVFoundationErrorDomain", code: -11_800, cause: ("NSPOSIXErrorDomain", 28))
        == .storageFull)
    #expect(VideoTrouble(domain: "AVFoundationErrorDomain", code: -11_847) == .interrupted)
    #expect(VideoTrouble(domain: "NSCocoaErrorDomain", code: 260) == .unreadable)
    #expect(VideoTrouble(domain: "NSPOSIXErrorDomain", code: 260) == .failed)
  }

  @Test func numbersOfStrangersFilesComeIntoTheirRanges() {
    for seconds in [Double.nan, .infinity, -1, 0, 0.0001] {
      #expect(ClipFacts(seconds: seconds, width: 10, height: 10, frameRate: 30) == nil)
    }
    #expect(ClipFacts(seconds: 1, width: .nan, height: 10, frameRate: 30) == nil)
    let facts = ClipFacts(seconds: 1e300, width: 1e300, height: 5, frameRate: .nan)
    #expect(facts?.length == Milliseconds(86_400_000))
    #expect(facts?.frameRate == 30)
    #expect(facts?.width == 65_536)
  }
}

@Suite struct TrimRangeTests {
  @Test func theOtherHandleFollows() {
    var trim = TrimRange(length: Milliseconds(90_000))
    #expect(trim.end == Milliseconds(60_000))
    trim.moveEnd(to: Milliseconds(80_000))
    #expect(trim.start == Milliseconds(20_000))
    trim.moveStart(to: Milliseconds(5_000))
    #expect(trim.end == Milliseconds(65_000))
    trim.moveStart(to: Milliseconds(Int64.max))
    #expect(trim.start == Milliseconds(89_000))
    #expect(trim.end == Milliseconds(90_000))
    trim.moveEnd(to: Milliseconds(Int64.min))
    #expect((trim.start, trim.end) == (.zero, Milliseconds(1_000)))
    trim.move(toStart: Milliseconds(89_900))
    #expect((trim.start, trim.end) == (Milliseconds(89_000), Milliseconds(90_000)))
  }

  @Test func aShortVideoStaysWhole() {
    var trim = TrimRange(length: Milliseconds(400))
    trim.moveStart(to: Milliseconds(300))
    trim.moveEnd(to: Milliseconds(100))
    #expect(trim.isWhole)
  }
}
