import Contract
import Foundation
import Testing

@testable import Webhooks

/// What follows from what an endpoint answers.
@Suite struct WebhookCourseTests {
  private func next(
    _ status: Int, retryAfterMs: Int64? = nil, tries: Int64 = 1, ageMs: Int64 = 0, isTest: Bool = false,
    permille: Int64 = 1000
  ) -> WebhookCourse.Next {
    WebhookCourse.next(
      after: .answered(status: status, retryAfterMs: retryAfterMs), tries: tries, ageMs: ageMs,
      isTest: isTest, permille: permille)
  }

  @Test(arguments: [200, 201, 204, 299])
  func whatIsTakenIsOver(_ status: Int) { #expect(next(status) == .delivered) }

  @Test(arguments: [100, 301, 307, 400, 401, 404, 429, 500, 503])
  func anythingElseIsTriedAgain(_ status: Int) { #expect(next(status) == .again(afterMs: 5000)) }

  @Test func whoIsGoneIsNotAskedAgain() { #expect(next(410) == .gone) }

  @Test func withoutAnAnswerItIsTriedAgain() {
    for problem in WebhookDeliveryProblem.allCases {
      #expect(
        WebhookCourse.next(after: .unanswered(problem), tries: 1, ageMs: 0, isTest: false, permille: 0)
          == .again(afterMs: 2500))
    }
  }

  @Test func waitsGrowUpToSixHoursAndDifferByChance() {
    let waits = (1...30).map { next(500, tries: Int64($0)) }
    #expect(waits[1] == .again(afterMs: 30_000) && waits[5] == .again(afterMs: 3_600_000))
    #expect(waits[8...].allSatisfy { $0 == .again(afterMs: 21_600_000) })
    #expect(next(500, tries: 9, permille: 0) == .again(afterMs: 10_800_000))
    #expect(next(500, tries: .max, permille: .max) == .again(afterMs: 21_600_000))
    #expect(next(500, tries: .min, permille: .min) == .again(afterMs: 2500))
  }

  @Test func howLongAnEndpointAsksForIsWaited() {
    #expect(next(503, retryAfterMs: 60_000) == .again(afterMs: 60_000))
    #expect(next(429, retryAfterMs: 1) == .again(afterMs: 5000))
    #expect(next(429, retryAfterMs: .max) == .again(afterMs: 21_600_000))
  }

  @Test func theLastTryIsAtTheEndOfThreeDays() {
    var ageMs: Int64 = 0
    var tries: Int64 = 1
    while case .again(let afterMs) = next(500, tries: tries, ageMs: ageMs) {
      ageMs += afterMs
      tries += 1
    }
    #expect(ageMs == WebhookCourse.lifeMs)
    #expect((15...30).contains(tries))
    #expect(next(200, ageMs: WebhookCourse.lifeMs) == .delivered)
  }

  @Test func aTestIsTriedOnceAndSwitchesNothingOff() {
    #expect(next(200, isTest: true) == .delivered)
    #expect(next(500, isTest: true) == .failed && next(410, isTest: true) == .failed)
    #expect(
      WebhookCourse.next(after: .unanswered(.timeout), tries: 1, ageMs: 0, isTest: true, permille: 0)
        == .failed)
  }

  @Test func whatAProviderSaysIsReadForItsVideoAlone() {
    func video(_ text: String) -> String? { WebhookStore.video(in: Array(text.utf8)) }
    #expect(video(#"{"type":"video.completed","data":{"id":"video_abc123","more":[]}}"#) == "video_abc123")
    for text in [
      "", "[]", "{}", #"{"data":{}}"#, #"{"data":{"id":7}}"#, #"{"data":{"id":""}}"#,
      #"{"data":{"id":"a b"}}"#, #"{"data":{"id":"\#(String(repeating: "a", count: 301))"}}"#, "\u{0}",
    ] { #expect(video(text) == nil, "\(text)") }
  }
}
