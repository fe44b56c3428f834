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

  @Test func whoeverGaveUpHearsNothing() {
    #expect(Sentence.isSilent(CancellationError()))
    #expect(Sentence.isSilent(URLError(.cancelled)))
    #expect(!Sentence.isSilent(URLError(.timedOut)))
  }
}
