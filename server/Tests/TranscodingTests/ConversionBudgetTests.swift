import Platform
import Testing

@testable import Transcoding

/// What a conversion may cost.
@Suite struct ConversionBudgetTests {
  private static func report(
    _ width: Int, _ height: Int, rate: Double = 30, seconds: Double = 60, transfer: String = ""
  ) -> SourceReport {
    SourceReport(
      video: .init(
        index: 0, codec: "hevc", width: width, height: height, sampleAspect: 1, rotated: false,
        nominalRate: rate, averageRate: rate, interlaced: false, transfer: transfer, matrix: "",
        isStillPicture: false, isDecodable: true),
      audioIndex: nil, start: 0, end: seconds, fileStart: 0, presence: 1, shownFrames: 1)
  }

  private static func budget(_ report: SourceReport, isAwaited: Bool = true) -> ConversionBudget {
    ConversionBudget(Ladder(report), of: report, isAwaited: isAwaited)
  }

  @Test func aConversionHasTimeByItsPixelsAndNeverMoreThanAnHour() {
    let short = Self.budget(Self.report(360, 640, seconds: 1))
    #expect(short.wallSeconds < 305 && short.cpuSeconds < 70 && short.priority == 0)
    let phone = Self.budget(Self.report(1080, 1920))
    #expect((840...1440).contains(phone.wallSeconds) && phone.priority == 0)
    #expect(Self.budget(Self.report(1080, 1920), isAwaited: false).wallSeconds > phone.wallSeconds * 1.5)
    let large = Self.budget(Self.report(7680, 4320))
    #expect(large.wallSeconds > phone.wallSeconds * 2 && large.priority >= 1)
    // Frames that nobody will see are decoded too, and HDR is mapped frame by frame.
    #expect(
      Self.budget(Self.report(1080, 1920, rate: 480)).pixels
        > Self.budget(Self.report(1080, 1920, rate: 60)).pixels)
    #expect(
      Self.budget(Self.report(3840, 2160, transfer: "smpte2084")).pixels
        > Self.budget(Self.report(3840, 2160)).pixels)
    for rate in [Double.infinity, -.infinity, .nan, 0, 1e308] {
      let budget = Self.budget(Self.report(8192, 4096, rate: rate))
      #expect((0...3600).contains(budget.wallSeconds) && budget.cpuSeconds <= 3600, "\(rate)")
    }
  }
}
