import Contract
import Foundation
import Testing
import Transfer

@testable import AppModel

@MainActor @Suite struct GenerationModelTests {
  // MARK: How far it is

  @Test func progressNeverGoesBackAndIsWholeOnlyWithAClip() {
    var progress = GenerationProgress()
    var generation = sampleGeneration("g", .inProgress)
    for (said, shown) in [(300, 300), (200, 300), (.min, 300), (1000, 990), (.max, 990)] {
      generation.permille = said
      progress.take(generation)
      #expect(progress.permille == shown)
    }
    progress.take(sampleGeneration("g", .failed))
    #expect(progress.permille == 990)
    progress.take(sampleGeneration("g"))
    #expect(progress.share == 1)
  }

  @Test func itIsAskedAfterUntilThereIsAClip() async throws {
    let bench = GenerationBench([sampleGeneration("g", .reserved)])
    let model = try await bench.opened("g")
    #expect(model.canCancel && !model.canWatch && !model.canDiscard && model.refining == nil)
    let following = Task { await model.follow() }
    bench.server.move("g", to: .inProgress, permille: 300)
    _ = await bench.pause.end(after: 1)
    // An answer is shown before the next pause begins.
    #expect(await soon { bench.pause.asked.count == 2 })
    #expect(model.progress.permille == 300)
    bench.server.move("g", to: .storing, permille: 200)
    _ = await bench.pause.end(after: 2)
    #expect(await soon { bench.pause.asked.count == 3 })
    #expect(model.generation?.state == .storing && model.progress.permille == 300)
    bench.server.move("g", to: .ready)
    let waits = await bench.pause.end(after: 3)
    await following.value
    #expect(waits == [.seconds(1), .seconds(1.5), .seconds(2.25)])
    #expect(model.canWatch && model.canPublish && model.canDiscard && model.progress.share == 1)
    // What another version would cost is known.
    #expect(model.refining?.length?.credits == 5)
  }

  @Test func aScreenThatIsLeftAsksNoMore() async throws {
    let bench = GenerationBench([sampleGeneration("g", .queued)])
    let model = try await bench.opened("g")
    let following = Task { await model.follow() }
    while bench.pause.asked.isEmpty { await Task.yield() }
    let asked = bench.transport.requests.count
    following.cancel()
    await following.value
    #expect(bench.transport.requests.count == asked)
  }

  @Test func anAnswerThatComesLateIsNone() async {
    let transport = ParkedTransport()
    let viewer = SomeViewer("ada")
    let drafts = PromptDrafts(nil, viewer: viewer, clock: ManualPause(), makeKey: countingKeys())
    let generations = Generations(
      client: Client(transport: transport), router: Router(), drafts: drafts, viewer: viewer,
      announcements: Announcements(), clock: ManualPause())
    let model = GenerationModel("g", workshop: generations)
    async let first: Void = model.look()
    let old = await transport.next()
    async let second: Void = model.look()
    await transport.next().answer(200, sampleGeneration("g"))
    await second
    old.answer(200, sampleGeneration("g", .storing))
    await first
    #expect(model.generation?.state == .ready && model.progress.share == 1)
  }

  @Test func whatIsToldLiveIsLookedAt() async throws {
    let bench = GenerationBench([sampleGeneration("g", .storing)])
    let model = try await bench.opened("g")
    bench.server.move("g", to: .ready)
    let event = LiveEvent(id: "e", kind: LiveEvent.notification, createdAt: epoch)
    #expect(!bench.generations.heard(event))
    #expect(await soon { model.canWatch })
  }

  @Test func oneOfSomebodyElseIsNotThereAndWhatFailsIsTriedAgain() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    #expect(try await bench.opened("other").state == .gone)
    bench.server.change { $0.refusals["GET"] = Problem(.unavailable, requestID: "r") }
    let model = try await bench.opened("g")
    guard case .failed = model.state else { return #expect(Bool(false), "\(model.state)") }
    bench.server.change { $0.refusals = [:] }
    await model.load()
    #expect(model.generation?.id == "g")
    // A question that fails leaves what is there.
    bench.server.change { $0.refusals["GET"] = Problem(.unavailable, requestID: "r") }
    await model.load()
    #expect(model.generation?.id == "g")
  }

  @Test func whatWasShownToSomebodyElseIsAskedForAnew() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    let model = try await bench.opened("g")
    bench.server.change { $0.all = [] }
    bench.viewer.viewerID = "bob"
    bench.generations.viewerChanged()
    #expect(model.state == .loading && model.versions.isEmpty)
    #expect(await soon { model.state == .gone })
  }

  // MARK: Ends

  @Test func cancellingGivesTheCreditsBackAndSaysSo() async throws {
    let bench = GenerationBench([sampleGeneration("g", .inProgress)])
    let model = try await bench.opened("g")
    await model.cancel()
    #expect(model.generation?.state == .cancelled && !model.canCancel && model.canDiscard)
    #expect(bench.news == ["Cancelled. You have its credits back."])
    #expect(bench.router.top == .generation("g"))
  }

  @Test func whoCancelsTooLateIsToldThatItIsDiscarded() async throws {
    let bench = GenerationBench([sampleGeneration("g", .storing)])
    let model = try await bench.opened("g")
    bench.server.move("g", to: .ready)
    await model.cancel()
    #expect(bench.news == ["It had ended already, and is discarded."] && bench.router.top == nil)
  }

  @Test func whatIsDiscardedLeavesListFeedAndScreen() async throws {
    let bench = GenerationBench([sampleGeneration("g"), sampleGeneration("h")])
    let model = try await bench.opened("g")
    await model.discard()
    #expect(bench.gone == ["c-g"] && bench.router.top == nil && model.state == .gone)
    #expect(bench.generations.list.list.items.map(\.id) == ["h"])
    #expect(bench.news == ["Discarded. You can have its clip back for a day, under “Your clips”."])
  }

  @Test func whatIsPublishedStaysInTheFeedWhenItIsDiscardedAndAnotherDeviceMayBeFirst() async throws {
    var published = sampleGeneration("g")
    published.isPublished = true
    let bench = GenerationBench([published])
    let model = try await bench.opened("g")
    bench.server.change { $0.all = [] }
    await model.discard()
    #expect(bench.gone.isEmpty && bench.news == ["Discarded."] && bench.router.top == nil)
  }

  @Test func aDraftIsKeptByLeavingIt() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    let model = try await bench.opened("g")
    model.keepForLater()
    #expect(bench.router.top == nil && bench.news.count == 1)
    #expect(bench.generations.list.list.items.map(\.id) == ["g"])
  }

  // MARK: Watching and publishing

  @Test func aDraftPlaysByItsUpload() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    let model = try await bench.opened("g")
    await model.watch()
    #expect(bench.transport.lines.contains("GET /api/v1/uploads/u-g/clip") && bench.watched == ["c-g u-g"])
    // Whoever comes back finds the screen as it was.
    #expect(bench.generations.model(of: .generation("g")) === model)
  }

  @Test func whatIsUnderWayIsNeitherWatchedNorPublishedNorDiscarded() async throws {
    let bench = GenerationBench([sampleGeneration("g", .queued)])
    let model = try await bench.opened("g")
    await model.watch()
    await model.discard()
    model.publish()
    #expect(bench.watched.isEmpty && model.publishing.subject == nil && model.canCancel)
    model.watchMeanwhile()
    #expect(bench.router.top == nil)
  }

  @Test func publishingSaysAllOfTheFormAndTheClipSaysThatAIMadeIt() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    let model = try await bench.opened("g")
    model.publish()
    #expect(model.publishing.subject?.upload == "u-g")
    model.publishing.form.caption = "Foxes"
    model.publishing.form.tags = "snow"
    model.publishing.form.visibility = .unlisted
    await model.publishing.save()
    #expect(
      bench.server.published == [ClipDetails(caption: "Foxes", tags: ["snow"], visibility: .unlisted)])
    #expect(model.publishing.subject == nil && model.generation?.isPublished == true && !model.canPublish)
    #expect(bench.news == ["Published. Your clip says that AI made it."])
    #expect(bench.generations.list.list.items.first?.isPublished == true)
  }

  @Test func whatCouldNotBePublishedStaysInTheForm() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    let model = try await bench.opened("g")
    model.publish()
    model.publishing.form.caption = "Foxes"
    bench.server.change { $0.refusals["PUT"] = Problem(.textRefused, requestID: "r") }
    await model.publishing.save()
    #expect(model.publishing.failure != nil && model.publishing.form.caption == "Foxes")
    #expect(model.canPublish && bench.news.isEmpty)
  }

  // MARK: Versions

  @Test func anotherVersionStandsBesideTheOneBefore() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    let model = try await bench.opened("g")
    await bench.generations.offer.load()
    let wish = try #require(model.refining)
    #expect(wish.form[.prompt] == "A fox in the snow" && wish.length?.credits == 5)
    wish.form[.prompt] = "A red fox in the snow"
    await wish.send()
    #expect(bench.transport.lines.contains("POST /api/v1/generations/g/refinements"))
    #expect(model.id == "new1" && model.versions.map(\.id) == ["g", "new1"] && model.canCancel)
    // It is the same screen, which goes back to any of them.
    #expect(bench.router.path == [.generation("g")])
    model.turn(to: model.versions[0])
    #expect(model.id == "g" && model.canWatch && model.progress.share == 1)
    #expect(model.refining?.form[.prompt] == "A fox in the snow")
  }

  @Test func versionsBeforeAndBehindAreFound() async throws {
    let bench = GenerationBench([
      sampleGeneration("c", refines: "b", at: 3), sampleGeneration("x", at: 2.5),
      sampleGeneration("b", refines: "a", at: 2), sampleGeneration("a", at: 1),
    ])
    #expect(try await bench.opened("b").versions.map(\.id) == ["a", "b", "c"])
  }

  @Test func versionsThatGoRoundAreThereOnce() {
    let known = [
      sampleGeneration("a", refines: "b", at: 1), sampleGeneration("b", refines: "a", at: 2),
      sampleGeneration("x", at: 3),
    ]
    #expect(GenerationVersions.of("a", in: known).map(\.id) == ["a", "b"])
    #expect(GenerationVersions.of("x", in: known).map(\.id) == ["x"])
    #expect(GenerationVersions.of("?", in: known).isEmpty)
  }

  @Test func aVersionThatIsDiscardedLeavesTheOthers() async throws {
    let bench = GenerationBench([
      sampleGeneration("b", refines: "a", at: 2), sampleGeneration("a", at: 1),
    ])
    let model = try await bench.opened("b")
    await model.discard()
    #expect(model.id == "a" && model.versions.map(\.id) == ["a"] && bench.router.top == .generation("b"))
  }

  @Test func theWordsOfAnotherVersionOutliveTheApp() async throws {
    let bench = GenerationBench([sampleGeneration("g")])
    let model = try await bench.opened("g")
    model.refining?.form[.prompt] = "A red fox"
    bench.drafts.store()
    await bench.restart()
    let later = try await bench.opened("g")
    #expect(later.refining?.form[.prompt] == "A red fox")
    // Those of a new one are others.
    #expect(bench.generations.wish.form[.prompt] == "")
  }
}
