import NIOCore
import Testing

@testable import HTTPServer

@Suite struct ConnectionPaceTests {
  private let rules = ConnectionPace.Rules()
  private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(1) + .seconds(seconds) }

  @Test func aHeadHasItsTimeHoweverItsBytesCome() {
    var pace = ConnectionPace(rules, at: at(0))
    for second in Int64(1)...19 {
      pace.isReadyToRead(at: at(second))
      pace.read(bytes: 1, at: at(second))
    }
    #expect(pace.deadline == at(20))
    pace.headIsRead(at: at(19))
    pace.requestIsRead()
    #expect(pace.deadline == nil, "while we work the other side owes nothing")
    pace.answerIsWritten()
    #expect(pace.isIdle && pace.deadline == nil)
    // The next request on the same connection.
    pace.isReadyToRead(at: at(50))
    pace.read(bytes: 1, at: at(90))
    #expect(pace.deadline == at(110))
  }

  @Test func aBodyThatDribblesIsTooSlowAndOneOfAWeakLinkIsNot() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    for second in Int64(1)...29 {
      pace.isReadyToRead(at: at(second - 1))
      pace.read(bytes: 100, at: at(second))
    }
    pace.isReadyToRead(at: at(29))
    #expect(pace.deadline == at(30))
    pace.read(bytes: rules.bodyBytes, at: at(29))
    pace.isReadyToRead(at: at(29))
    #expect(pace.deadline == at(59), "enough has come, so it begins anew")
  }

  @Test func aSlowDiskOfOursIsNotTheOtherSidesFault() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.isReadyToRead(at: at(0))
    pace.read(bytes: 10, at: at(1))
    #expect(pace.deadline == nil)
    pace.isReadyToRead(at: at(1000))
    #expect(pace.deadline == at(1029))
  }

  @Test func anAnswerHasToBeTakenAndAStreamWithoutNewsOwesNothing() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.requestIsRead()
    pace.write(bytes: 100)
    pace.look(outstanding: 100, at: at(20))
    #expect(pace.deadline == at(80))
    pace.look(outstanding: 99, at: at(80))
    #expect(pace.deadline == at(140), "something was taken")
    pace.write(bytes: 1000)
    pace.look(outstanding: 1099, at: at(140))
    #expect(pace.deadline == at(140), "what is added to it is not taken")
    pace.look(outstanding: 0, at: at(139))
    #expect(pace.deadline == nil)
  }

  @Test func anAnswerIsTakenFromWhenSomebodyFirstLooks() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.requestIsRead()
    // Two answers with a look in each, both taken in time.
    for second: Int64 in [10, 500] {
      pace.write(bytes: 100)
      pace.look(outstanding: 100, at: at(second))
      #expect(pace.deadline == at(second + 60))
      pace.look(outstanding: 0, at: at(second + 1))
    }
    #expect(pace.deadline == nil)
  }
}
