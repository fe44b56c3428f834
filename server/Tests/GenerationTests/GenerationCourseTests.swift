import Platform
import Testing

@testable import Generation

@Suite struct GenerationCourseTests {
  private func after(
    _ code: ProviderFailure.Code, attempts: Int = 1, tried: [String] = [], fitting: [String] = ["a", "b"],
    retryAfter: Double? = nil
  ) -> GenerationCourse.Next {
    GenerationCourse.after(
      ProviderFailure(code, retryAfter: retryAfter), attempts: attempts, at: "a", tried: tried,
      fitting: fitting)
  }

  @Test func theNextProviderIsAskedAtOnce() {
    #expect(after(.providerError) == .again(tried: ["a"], afterMs: 0))
    #expect(after(.unauthorized) == .again(tried: ["a"], afterMs: 0))
  }

  @Test func onceAllHadItTheFirstIsAskedAgainLaterAndLater() {
    #expect(after(.timeout, attempts: 2, tried: ["b"]) == .again(tried: [], afterMs: 30_000))
    #expect(after(.expired, attempts: 1, fitting: ["a"]) == .again(tried: [], afterMs: 15_000))
    #expect(after(.providerError, attempts: 5, fitting: ["a"]) == .again(tried: [], afterMs: 240_000))
    // Nobody is there any more who could make it.
    #expect(after(.capacity, fitting: []) == .again(tried: [], afterMs: 15_000))
  }

  @Test func whoeverSaysWhenToComeBackIsAskedThenAndNotSooner() {
    #expect(
      after(.rateLimited, fitting: ["a"], retryAfter: 100) == .again(tried: [], afterMs: 100_000))
    #expect(GenerationCourse.restMs(ProviderFailure(.rateLimited, retryAfter: 1e300)) == 300_000)
    #expect(GenerationCourse.restMs(ProviderFailure(.capacity, retryAfter: -.infinity)) == 300_000)
    #expect(GenerationCourse.restMs(ProviderFailure(.capacity, retryAfter: .nan)) == 300_000)
    #expect(GenerationCourse.restMs(ProviderFailure(.capacity)) == 5000)
    #expect(GenerationCourse.restMs(ProviderFailure(.providerError, retryAfter: 100)) == 0)
  }

  @Test func whatIsRefusedForItsContentIsTriedNowhereElse() {
    #expect(after(.contentPolicy) == .failed(.contentPolicy))
    #expect(after(.invalid) == .failed(.invalid))
    #expect(after(.capacity, attempts: 6) == .failed(.capacity))
  }

  @Test func progressNearsItsEndAndNeverReachesIt() {
    var last = -1
    for took in stride(from: Int64(0), through: 3_600_000, by: 500) {
      let now = GenerationCourse.permille(reported: nil, tookMs: took, usualMs: 40_000)
      #expect(now >= last && now < GenerationCourse.mostAtProvider)
      last = now
    }
    #expect(GenerationCourse.permille(reported: nil, tookMs: 20_000, usualMs: 40_000) == 405)
    #expect(GenerationCourse.permille(reported: nil, tookMs: -5, usualMs: nil) == 0)
    #expect(GenerationCourse.permille(reported: 1000, tookMs: 0, usualMs: nil) == 900)
    #expect(GenerationCourse.permille(reported: .max, tookMs: 0, usualMs: nil) == 900)
    #expect(GenerationCourse.permille(reported: .min, tookMs: 0, usualMs: nil) == 0)
    #expect(GenerationCourse.permille(converted: 0) == 900)
    #expect(GenerationCourse.permille(converted: .max) == 990)
  }

  @Test func whatIsLeftIsNeverNothing() {
    #expect(GenerationCourse.remainingMs(tookMs: 10_000, usualMs: 40_000) == 30_000)
    #expect(GenerationCourse.remainingMs(tookMs: 90_000, usualMs: 40_000) == 2000)
    #expect(GenerationCourse.remainingMs(tookMs: -1, usualMs: 100) == 1000)
  }

  @Test func theUsualTimeIsTheMiddleOfAll() {
    #expect(GenerationCourse.usualMs([]) == nil)
    #expect(GenerationCourse.usualMs([7]) == 7)
    #expect(GenerationCourse.usualMs([1, 1000, 3]) == 3)
  }

  @Test func nobodyIsAskedMoreOftenThanTheyWant() {
    var capabilities = VideoCapabilities(seconds: [5], aspects: [.portrait], pollSeconds: 3)
    #expect(GenerationCourse.pollAfterMs(capabilities) == 3000)
    #expect(GenerationCourse.pollAfterMs(capabilities, asked: 10) == 10_000)
    #expect(GenerationCourse.pollAfterMs(capabilities, asked: 1e9) == 60_000)
    capabilities.pollSeconds = 0
    #expect(GenerationCourse.pollAfterMs(capabilities) == 1000)
  }
}
