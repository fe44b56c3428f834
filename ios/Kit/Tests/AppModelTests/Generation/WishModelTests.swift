import Contract
import Foundation
import Persistence
import Testing

@testable import AppModel

@MainActor @Suite struct WishModelTests {
  private let bench = GenerationBench()

  @Test func whatItCostsAndHowLongItTakesIsKnownBeforeTheTap() async {
    let wish = await bench.wish()
    #expect(wish.seconds == 5 && wish.aspect == .portrait && wish.style == GenerationStyle.none)
    #expect(wish.length?.credits == 5 && wish.offer.offer?.creditsLeft == 20 && wish.canSend)
    #expect(wish.length.flatMap(bench.generations.words.usual)?.text { $0 } == "It usually takes 65 seconds.")
    wish.seconds = 10
    #expect(wish.length?.credits == 10)
    #expect(wish.length.flatMap(bench.generations.words.usual) == nil)
  }

  @Test func aTapAsksOnceAndOpensWhatWasBegun() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "  A fox  "
    wish.style = .animation
    wish.aspect = .landscape
    await wish.send()
    #expect(
      bench.server.wishes
        == [NewGeneration(prompt: "A fox", seconds: 5, style: .animation, aspect: .landscape)])
    #expect(bench.router.top == .generation("new1") && wish.form[.prompt] == "")
    await bench.drafts.settled()
    #expect(bench.file.load() == nil)
    // Another tap with the same words is another one.
    wish.form[.prompt] = "A fox"
    await wish.send()
    #expect(Set(bench.transport.keys).count == 2 && bench.server.wishes.count == 2)
  }

  @Test func aLostAnswerAndTheSameTapAgainAreOne() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "A fox"
    bench.server.change { $0.losesAnswers = true }
    await wish.send()
    #expect(wish.form.failure != nil && wish.form[.prompt] == "A fox" && bench.router.top == nil)
    bench.server.change { $0.losesAnswers = false }
    await wish.send()
    #expect(bench.transport.keys == ["k1", "k1"] && bench.server.wishes.count == 1)
    #expect(bench.router.top == .generation("new1") && bench.begun == 1)
  }

  @Test func theKeyOfATapOutlivesTheApp() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "A fox"
    bench.server.change { $0.losesAnswers = true }
    await wish.send()
    await bench.restart()
    bench.server.change { $0.losesAnswers = false }
    let later = await bench.wish()
    #expect(later.form[.prompt] == "A fox")
    await later.send()
    #expect(bench.transport.keys == ["k1", "k1"] && bench.server.wishes.count == 1)
  }

  @Test func anotherWishIsAnotherTap() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "A fox"
    bench.server.change { $0.losesAnswers = true }
    await wish.send()
    bench.server.change { $0.losesAnswers = false }
    wish.form[.prompt] = "Two foxes"
    await wish.send()
    #expect(
      bench.transport.keys == ["k1", "k2"] && bench.server.wishes.map(\.prompt) == ["A fox", "Two foxes"])
  }

  @Test func whatIsRefusedIsSaidAtThePromptAndTheNextTapIsAnother() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "A gun"
    var problem = Problem(.contentPolicy, requestID: "r")
    problem.field = "prompt"
    problem.detail = "This site does not take “gun”. Change it and send it again."
    bench.server.change { $0.refusals["POST /api/v1/generations"] = problem }
    await wish.send()
    #expect(wish.form.faults[.prompt]?.text { $0 }.contains("“gun”") == true)
    #expect(wish.form[.prompt] == "A gun")
    bench.server.change { $0.refusals = [:] }
    await wish.send()
    #expect(bench.transport.keys == ["k1", "k2"])
  }

  @Test func whatIsTypedAndChosenOutlivesTheApp() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "Half a"
    wish.style = .cinematic
    wish.seconds = 10
    let pauses = await bench.typing.end(after: 1)
    #expect(pauses == [WrittenField.storeDelay])
    #expect(await soon { bench.file.load() != nil })
    await bench.restart()
    let later = await bench.wish()
    #expect(later.form[.prompt] == "Half a" && later.style == .cinematic && later.seconds == 10)
  }

  @Test func whatIsTypedUntilTheAppIsLeftIsThereForItsWriterAlone() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "Mine"
    bench.drafts.store()
    bench.viewer.viewerID = "bob"
    bench.generations.viewerChanged()
    #expect(wish.form[.prompt] == "" && wish.offer.state == .loading)
    bench.viewer.viewerID = "ada"
    bench.generations.viewerChanged()
    #expect(wish.form[.prompt] == "Mine")
    await bench.restart()
    #expect(bench.generations.wish.form[.prompt] == "Mine")
  }

  @Test func thereIsNoTapWithoutCreditsRoomOrAnybodyWhoMakesVideos() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "A fox"
    bench.server.change { $0.offer.creditsLeft = 4 }
    await wish.offer.load()
    #expect(wish.obstacle?.key == ErrorCode.insufficientCredits.message && !wish.canSend)
    await wish.send()
    bench.server.change {
      $0.offer.creditsLeft = 20
      $0.offer.underWay = 3
    }
    await wish.offer.load()
    #expect(wish.obstacle?.key == ErrorCode.generationsUnderWay.message && !wish.canSend)
    await wish.send()
    bench.server.change { $0.offer.lengths = [] }
    await wish.offer.load()
    #expect(wish.offer.state == .none && !wish.canSend)
    await wish.send()
    #expect(bench.server.wishes.isEmpty && wish.form[.prompt] == "A fox")
  }

  @Test func aRefusalForWantOfCreditsRenewsWhatIsLeft() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "A fox"
    bench.server.change {
      $0.refusals["POST"] = Problem(.insufficientCredits, requestID: "r")
      $0.offer.creditsLeft = 0
    }
    await wish.send()
    #expect(await soon { wish.offer.offer?.creditsLeft == 0 })
    #expect(wish.form.failure?.key == ErrorCode.insufficientCredits.message)
  }

  @Test func nothingAndTooMuchAreNotSent() async {
    let wish = await bench.wish()
    await wish.send()
    #expect(wish.form.faults[.prompt] != nil && wish.showsExamples)
    wish.form[.prompt] = String(repeating: "x", count: Limits.promptScalars.upperBound + 1)
    #expect(wish.charactersLeft == -1 && !wish.showsExamples)
    await wish.send()
    #expect(wish.form.faults[.prompt]?.key == ErrorCode.promptTooLong.message)
    #expect(bench.server.wishes.isEmpty)
    wish.take(example: "A boat")
    #expect(wish.form[.prompt] == "A boat")
  }

  @Test func whatIsNotOfferedAnyMoreIsNotAskedFor() async {
    let wish = await bench.wish()
    wish.seconds = 10
    wish.aspect = .square
    wish.begin(with: OwnClip(uploadId: "u", clipId: "c", state: .published, createdAt: epoch, caption: ""))
    #expect(wish.fromClip == "c")
    bench.server.change {
      $0.offer.lengths.removeLast()
      $0.offer.aspects = [.landscape]
      $0.offer.startsFromClips = false
    }
    await wish.offer.load()
    #expect(wish.seconds == 5 && wish.aspect == .landscape && !wish.startsFromClips)
    wish.form[.prompt] = "A fox"
    await wish.send()
    #expect(
      bench.server.wishes
        == [NewGeneration(prompt: "A fox", seconds: 5, style: GenerationStyle.none, aspect: .landscape)])
  }

  @Test func itBeginsWithAClipOfOnesOwnUntilThatIsLeftOut() async {
    let wish = await bench.wish()
    let clip = OwnClip(uploadId: "u", clipId: "c", state: .published, createdAt: epoch, caption: "")
    var making = clip
    making.state = .processing
    #expect(wish.canBegin(with: clip) && !wish.canBegin(with: making))
    wish.begin(with: clip)
    bench.drafts.store()
    await bench.restart()
    let later = await bench.wish()
    #expect(later.fromClip == "c")
    later.form[.prompt] = "It moves"
    await later.send()
    #expect(bench.server.wishes.map(\.fromClipId) == ["c"] && later.fromClip == nil)
    later.begin(with: clip)
    later.begin(with: nil)
    #expect(later.fromClip == nil)
  }

  @Test func whatCannotBeLoadedIsTriedAgainAndWhatIsThereStays() async {
    bench.server.change { $0.refusals["GET"] = Problem(.unavailable, requestID: "r") }
    let wish = await bench.wish()
    guard case .failed = wish.offer.state else { return #expect(Bool(false), "\(wish.offer.state)") }
    #expect(!wish.canSend)
    bench.server.change { $0.refusals = [:] }
    await wish.offer.load()
    bench.server.change { $0.refusals["GET"] = Problem(.unavailable, requestID: "r") }
    await wish.offer.load()
    #expect(wish.offer.offer != nil && wish.canSend)
  }

  @Test func clearingStorageForgetsWordsAndNoTapThatMayBeUnderWay() async {
    let wish = await bench.wish()
    wish.form[.prompt] = "A fox"
    bench.server.change { $0.losesAnswers = true }
    await wish.send()
    bench.drafts.dropAll()
    await bench.restart()
    bench.server.change { $0.losesAnswers = false }
    let later = await bench.wish()
    #expect(later.form[.prompt] == "")
    later.form[.prompt] = "A fox"
    await later.send()
    #expect(bench.server.wishes.count == 1)
  }

  @Test func theOldestOfManyDraftsGo() async {
    for number in 0...PromptDrafts.most { bench.drafts.change("\(number)") { $0.prompt = "x" } }
    #expect(bench.drafts.draft(of: "0") == nil && bench.drafts.draft(of: "1")?.prompt == "x")
    bench.drafts.change("1") { $0.prompt = "" }
    #expect(bench.drafts.draft(of: "1") == nil)
  }
}
