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
    pace.answerHasLeft(at: at(30))
    #expect(pace.isIdle && pace.deadline == at(105))
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

  @Test func whoTakesALongAnswerRestsOnlyWhenTheLastByteHasLeft() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.requestIsRead()
    pace.write(bytes: 1000)
    for second in Int64(1)...999 {
      pace.look(outstanding: 1000 - Int(second), at: at(second))
      #expect(!pace.isIdle && pace.deadline == at(second + 60))
    }
    pace.look(outstanding: 0, at: at(1000))
    #expect(!pace.isIdle && pace.deadline == nil, "we may have more to write")
    pace.answerHasLeft(at: at(1001))
    #expect(pace.isIdle && !pace.isAnswering && pace.deadline == at(1076))
  }

  @Test func ofRequestsThatAreSentWithoutWaitingTheLastCounts() {
    var pace = ConnectionPace(rules, at: at(0))
    for _ in 0..<2 {
      pace.headIsRead(at: at(0))
      pace.requestIsRead()
    }
    pace.answerHasLeft(at: at(1))
    #expect(!pace.isIdle && pace.isAnswering && pace.deadline == nil)
    pace.answerHasLeft(at: at(2))
    #expect(pace.isIdle && !pace.isAnswering && pace.deadline == at(77))
    // What cannot be read as a request is answered without having been one.
    pace.read(bytes: 1, at: at(10))
    pace.answerHasLeft(at: at(11))
    #expect(!pace.isIdle && !pace.isAnswering && pace.deadline == at(30))
  }

  @Test func whoIsAnsweredBeforeTheEndIsNotKeptForEver() {
    var pace = ConnectionPace(rules, at: at(0))
    pace.headIsRead(at: at(0))
    pace.answerHasLeft(at: at(5))
    #expect(!pace.isIdle && pace.deadline == at(80), "we read no more of it")
    pace.read(bytes: 10, at: at(70))
    #expect(pace.deadline == at(145))
    pace.isReadyToRead(at: at(70))
    #expect(pace.deadline == at(100))
    pace.read(bytes: 10, at: at(75))
    pace.requestIsRead()
    #expect(pace.isIdle && pace.deadline == at(150))
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
