import AppModel
import Contract
import Foundation
import Testing
import Transfer

/// Clips from words, at a real server.
@MainActor @Suite struct GenerationJourneys {
  private let router = Router()
  private let announcements = Announcements()

  private func generations(of person: Person) -> Generations {
    Generations(
      client: person.client, router: router,
      drafts: PromptDrafts(
        nil, viewer: person.signIn, clock: SystemPauseClock(), makeKey: { UUID().uuidString }),
      viewer: person.signIn, announcements: announcements, clock: SystemPauseClock())
  }

  /// Where nobody makes videos that is said, and nothing is asked for.
  @Test(.timeLimit(.minutes(5))) func aPromptBecomesADraftAndThenAClipThatSaysWhoMadeIt() async throws {
    let person = try await Person.member()
    let generations = generations(of: person)
    let wish = generations.wish
    await wish.offer.load()
    wish.form[.prompt] = "A fox walks through the snow"
    await wish.send()
    guard let offer = wish.offer.offer else {
      #expect(wish.offer.state == .none && router.top == nil)
      #expect(wish.form[.prompt] == "A fox walks through the snow")
      return
    }
    guard case .generation(let id) = router.top, let model = generations.model(of: .generation(id)) else {
      return #expect(Bool(false), "\(String(describing: wish.form.failure))")
    }
    await generations.list.list.begin()
    await wish.offer.load()
    let price = try #require(wish.length?.credits)
    #expect(wish.offer.offer?.creditsLeft == offer.creditsLeft - price)
    // Until it is over.
    await model.follow()
    #expect(model.canWatch && model.canPublish && model.progress.share == 1, "\(model.state)")
    let clip = try #require(model.generation?.clipId)
    let upload = try #require(model.generation?.uploadId)
    #expect(try await person.client.clip(ofUpload: upload).aiGenerated == true)

    let other = try await Person.member()
    await #expect(throws: Problem.self) { try await other.client.generation(id) }
    await #expect(throws: Problem.self) { try await other.client.clip(clip) }
    model.publish()
    model.publishing.form.caption = "Snow"
    await model.publishing.save()
    #expect(model.publishing.failure == nil && model.generation?.isPublished == true)
    let shown = try await other.client.clip(clip)
    #expect(shown.aiGenerated == true && shown.caption == "Snow")
    await model.discard()
    #expect(generations.list.list.items.isEmpty)
    #expect(try await other.client.clip(clip).caption == "Snow")
  }

  @Test(.timeLimit(.minutes(10))) func whatIsCancelledGivesItsCreditsBack() async throws {
    let generations = generations(of: try await Person.member())
    let wish = generations.wish
    await wish.offer.load()
    guard let before = wish.offer.offer?.creditsLeft else { return #expect(wish.offer.state == .none) }
    wish.form[.prompt] = "Waves in a storm"
    await wish.send()
    guard case .generation(let id) = router.top, let model = generations.model(of: .generation(id)) else {
      return #expect(Bool(false), "\(String(describing: wish.form.failure))")
    }
    await model.load()
    await model.cancel()
    #expect(model.generation?.state == .cancelled)
    // The price is asked for again by itself.
    try await until { wish.offer.offer?.creditsLeft == before }
  }
}
