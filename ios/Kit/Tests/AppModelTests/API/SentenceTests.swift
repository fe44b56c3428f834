import AppModel
import Contract
import Foundation
import Testing

@Suite struct SentenceTests {
  @Test func aWrongClockIsNamed() {
    #expect(Sentence(for: URLError(.serverCertificateHasBadDate)).key.contains("date and time"))
    #expect(Sentence(for: URLError(.serverCertificateNotYetValid)).key.contains("date and time"))
  }

  @Test func theServersOwnWordsComeFirst() {
    let problem = Problem(.handleTaken, requestID: "")
    #expect(Sentence(for: problem).key == ErrorCode.handleTaken.message)
  }

  @Test func aWordThatIsRefusedIsNamedInASentenceOfTheCatalog() {
    var problem = Problem(.textRefused, requestID: "")
    #expect(Sentence(for: problem).key == ErrorCode.textRefused.message)
    problem.detail = "This site does not take “a “b” c”. Change it and send it again."
    #expect(
      Sentence(for: problem)
        == Sentence("This site does not take “%@”. Change it and send it again.", "a “b” c"))
    problem.detail = "”“"
    #expect(Sentence(for: problem).key == ErrorCode.textRefused.message)
    problem = Problem(.linksNotYet, requestID: "")
    problem.detail = "Your account can send links once it is 24 hours old."
    #expect(Sentence(for: problem).key == ErrorCode.linksNotYet.message)
  }

  @Test func whoeverGaveUpHearsNothing() {
    #expect(Sentence.isSilent(CancellationError()))
    #expect(Sentence.isSilent(URLError(.cancelled)))
    #expect(!Sentence.isSilent(URLError(.timedOut)))
  }

  private func words(_ code: ErrorCode, after seconds: Int?) -> String {
    var problem = Problem(code, requestID: "")
    problem.retryAfterSeconds = seconds
    return Sentence(for: problem, locale: Locale(identifier: "en_US")).text { $0 }
  }

  @Test func saysWhenToComeBackAndNeverTooEarly() {
    #expect(words(.tooManyRequests, after: 45) == "That was too fast. Try again in 45 seconds.")
    #expect(words(.tooManyRequests, after: 60) == "That was too fast. Try again in 1 minute.")
    #expect(words(.tooManyRequests, after: 61) == "That was too fast. Try again in 2 minutes.")
    #expect(words(.unavailable, after: 3_540) == "The server is busy. Try again in 59 minutes.")
    #expect(words(.unavailable, after: 3_541) == "The server is busy. Try again in 1 hour.")
    #expect(words(.unavailable, after: 80_000) == "The server is busy. Try again in 23 hours.")
  }

  @Test func whatAStrangerWritesIsNoMoreThanADay() {
    #expect(words(.unavailable, after: .max) == "The server is busy. Try again in 24 hours.")
    #expect(words(.unavailable, after: .min) == ErrorCode.unavailable.message)
  }

  @Test func aMomentIsNoNumber() {
    #expect(words(.unavailable, after: 2) == ErrorCode.unavailable.message)
    #expect(words(.tooManyRequests, after: nil) == "That was too fast. Wait a moment and try again.")
  }

  @Test func theServersWordsKeepTheirPlaceBeforeTheTime() {
    #expect(
      words(.storageFull, after: 60) == ErrorCode.storageFull.message + " Try again in 1 minute.")
    // They say tomorrow by themselves.
    #expect(words(.conversationsTooMany, after: 60) == ErrorCode.conversationsTooMany.message)
  }

  @Test func whoAsksAgainHearsItToo() {
    var problem = Problem(.tooManyRequests, requestID: "")
    problem.retryAfterSeconds = 600
    let failure = RequestFailure(problem)
    #expect(failure.reason == .server)
    #expect(failure.sentence.text { $0 }.hasSuffix("Try again in 10 minutes."))
    let around = Sentence("Your reaction was not sent. %@", [.sentence(failure.sentence)])
    #expect(around.text { $0 } == "Your reaction was not sent. That was too fast. Try again in 10 minutes.")
  }
}
