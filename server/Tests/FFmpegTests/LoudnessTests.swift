import Testing

@testable import FFmpeg
@testable import Transcoding

@Suite struct LoudnessTests {
  @Test func theGainKnowsItsLimits() {
    func gain(_ integrated: Double?, _ peak: Double?) -> Double {
      Loudness(integrated: integrated, truePeak: peak).gain
    }
    #expect(gain(-20, -12) == 6)
    #expect(gain(-8, 0) == -6)
    #expect(gain(-45, -30) == Loudness.mostGain)
    #expect(gain(-55, -40) == 0)
    #expect(gain(nil, nil) == 0)
    #expect(gain(-30, -3) == 6, "the limiter takes six decibels and no more")
    #expect(!Loudness(integrated: -20, truePeak: -12).needsLimiter)
    #expect(Loudness(integrated: -30, truePeak: -3).needsLimiter)
    #expect(Loudness(integrated: nil, truePeak: 0.5).needsLimiter, "a short loud clip is not cut off either")
  }

  @Test func theSummaryThatCountsIsTheLastOne() {
    let lie = "  title: Summary:\n    I: -1.0 LUFS\n    Peak: -1.0 dBFS\n"
    let log = lie + "[ebur128] Summary:\n\n    I:         -23.3 LUFS\n    Peak:       -2.7 dBFS\n"
    #expect(FFmpegTools.loudness(fromSummary: log) == Loudness(integrated: -23.3, truePeak: -2.7))
    #expect(FFmpegTools.loudness(fromSummary: "nothing") == nil)
    let silent = "Summary:\n    I:         -70.0 LUFS\n    Peak:       -inf dBFS\n"
    #expect(FFmpegTools.loudness(fromSummary: silent) == Loudness(integrated: nil, truePeak: nil))
  }
}
