import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct GenerationsTests {
  // MARK: The list

  @Test func theSameAgainIsOneTapAndALostAnswerIsTheSameOne() async {
    let bench = GenerationBench([sampleGeneration("g", prompt: "A fox")])
    let list = bench.generations.list
    await list.list.begin()
    bench.server.change { $0.losesAnswers = true }
    await list.again(list.list.items[0])
    #expect(bench.news.count == 1 && bench.router.top == nil && !list.isBusy(list.list.items[0]))
    bench.server.change { $0.losesAnswers = false }
    await list.again(list.list.items[0])
    #expect(bench.server.wishes.map(\.prompt) == ["A fox"] && bench.transport.keys == ["k1", "k1"])
    #expect(bench.router.top == .generation("new1") && list.list.items.map(\.id) == ["new1", "g"])
    // Once more is another one.
    await list.again(list.list.items[1])
    #expect(bench.server.wishes.count == 2)
  }

  @Test func theSameAgainWithoutCreditsIsSaid() async {
    let bench = GenerationBench([sampleGeneration("g")])
    bench.server.change { $0.refusals["POST"] = Problem(.insufficientCredits, requestID: "r") }
    await bench.generations.list.again(sampleGeneration("g"))
    #expect(bench.news == [ErrorCode.insufficientCredits.message] && bench.router.top == nil)
  }

  @Test func whatIsUnderWayIsAskedAfterWhileTheListIsThere() async {
    let bench = GenerationBench([sampleGeneration("g", .inProgress)])
    let list = bench.generations.list
    await list.list.begin()
    let following = Task { await list.follow() }
    bench.server.move("g", to: .ready)
    _ = await bench.pause.end(after: 1)
    #expect(await soon { list.list.items.first?.state == .ready })
    // Nothing is under way: nothing is asked.
    let asked = bench.transport.requests.count
    _ = await bench.pause.end(after: 2)
    while bench.pause.asked.count < 3 { await Task.yield() }
    #expect(bench.transport.requests.count == asked)
    following.cancel()
    await following.value
  }

  // MARK: Going somewhere

  @Test func eachHasAScreenThatStaysWhileOneCanComeBackToIt() {
    let bench = GenerationBench()
    bench.generations.openNew()
    bench.generations.openList()
    bench.generations.open("g")
    #expect(bench.router.path == [.generating, .generations, .generation("g")])
    let model = bench.generations.model(of: .generation("g"))
    #expect(model?.id == "g" && bench.generations.model(of: .generation("g")) === model)
    #expect(bench.generations.model(of: .generations) == nil)
    bench.router.back()
    bench.generations.open("h")
    _ = bench.generations.model(of: .generation("h"))
    #expect(bench.generations.model(of: .generation("g")) !== model)
  }

  @Test func guestsHaveNothingHere() {
    let bench = GenerationBench()
    #expect(bench.generations.isInUse)
    bench.viewer.viewerID = nil
    let event = LiveEvent(id: "e", kind: LiveEvent.notification, createdAt: epoch)
    #expect(!bench.generations.isInUse && !bench.generations.heard(event))
  }

  // MARK: Words

  private let words = GenerationWords(locale: Locale(identifier: "en_US"))

  private func left(_ milliseconds: Int?) -> String? {
    var generation = sampleGeneration("g", .inProgress)
    generation.remainingMs = milliseconds
    return words.remaining(generation)?.text { $0 }
  }

  @Test func timeIsRoundedUpAndNeverMoreThanADay() {
    #expect(left(1) == "About 5 seconds left")
    #expect(left(61_000) == "About 65 seconds left")
    #expect(left(90_000) == "About 2 minutes left")
    #expect(left(120_001) == "About 3 minutes left")
    #expect(left(.max) == left(86_400_000))
    #expect(left(0) == "Nearly there" && left(.min) == "Nearly there" && left(nil) == nil)
    #expect(words.remaining(sampleGeneration("g")) == nil)
  }

  @Test func eachStateHasWordsAndEachProblemSaysWhatToDo() {
    let states = GenerationState.allCases.map { words.state(sampleGeneration("g", $0)) }
    // One that failed and one that took too long are not made, both.
    #expect(Set(states).count == GenerationState.allCases.count - 1)
    var published = sampleGeneration("g")
    published.isPublished = true
    #expect(words.state(published) == "Published")
    var failed = sampleGeneration("g", .failed)
    for problem in GenerationProblem.allCases {
      failed.problem = problem
      #expect(words.why(failed)?.key.hasSuffix(".") == true)
    }
    failed.problem = nil
    #expect(words.why(failed) != nil && words.why(sampleGeneration("g", .cancelled)) != nil)
    #expect(words.why(sampleGeneration("g")) == nil && words.why(sampleGeneration("g", .queued)) == nil)
  }

  @Test func thePlaceInTheQueueIsSaidWhileOthersGoFirst() {
    var waiting = sampleGeneration("g", .reserved)
    waiting.place = 1_200
    #expect(words.state(waiting).text { $0 } == "Place 1,200 in the queue")
    for place in [1, 0, -3, nil] {
      waiting.place = place
      #expect(words.state(waiting) == "Waits for its turn")
    }
  }

  @Test func everyChoiceHasAName() {
    #expect(Set(GenerationStyle.allCases.map(GenerationWords.name(of:))).count == 4)
    #expect(Set(GenerationAspect.allCases.map(GenerationWords.name(of:))).count == 3)
    #expect(Set(WishModel.styles) == Set(GenerationStyle.allCases))
  }
}
