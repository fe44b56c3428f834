import Contract
import Foundation
import Testing

@Suite struct RetryAfterTests {
  private let now = Date(timeIntervalSince1970: 1_445_412_480)  // Wed, 21 Oct 2015 07:28:00 GMT

  private func answer(_ text: String?, date: String? = nil, body: Data = Data()) -> WireResponse {
    var headers = ["retry-after": text, "date": date].compactMapValues { $0 }
    headers["content-type"] = Problem.contentType
    return WireResponse(status: 429, headers: headers, body: body)
  }

  @Test func isSecondsOrADate() {
    #expect(answer("120").retryAfter(now: now) == 120)
    #expect(answer("Wed, 21 Oct 2015 07:28:30 GMT").retryAfter(now: now) == 30)
    #expect(answer(nil).retryAfter(now: now) == nil)
  }

  @Test func aDateIsHeldAgainstTheServersClock() {
    let asked = answer("Wed, 21 Oct 2015 07:29:00 GMT", date: "Wed, 21 Oct 2015 07:28:00 GMT")
    #expect(asked.retryAfter(now: Date(timeIntervalSince1970: 0)) == 60)
  }

  @Test func whatAStrangerWritesIsADayAtMost() {
    for text in ["86401", "9223372036854775807", "99999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"] {
      #expect(answer(text).retryAfter(now: now) == 86_400)
    }
    for text in ["", "-1", "soon", "1e9", String(repeating: "x", count: 100_000)] {
      #expect(answer(text).retryAfter(now: now) == nil)
    }
    #expect(answer("Wed, 21 Oct 2015 07:00:00 GMT").retryAfter(now: now) == 0)
  }

  @Test func aProblemHasItFromTheAnswerAndNotFromItsBody() throws {
    let problem = Problem(.tooManyRequests, requestID: "r")
    let body = try WireCoding.encode(problem)
    #expect(!String(decoding: body, as: UTF8.self).contains("retry_after"))
    #expect(Problem(in: answer("7", body: body))?.retryAfterSeconds == 7)
    #expect(Problem(in: answer(nil, body: body)) == problem)
    #expect(Problem(in: answer("7", body: Data("<html>".utf8))) == nil)
  }

  @Test func whatSomethingInBetweenAnsweredHasItToo() async throws {
    let client = Client(transport: Page(response: answer("90", body: Data("<html>".utf8))))
    await #expect {
      _ = try await client.feed()
    } throws: {
      ($0 as? Problem)?.retryAfterSeconds == 90
    }
  }

  private struct Page: Transport {
    let response: WireResponse
    func send(_ request: WireRequest) async throws -> WireResponse { response }
  }
}
