import AppModel
import Contract
import Foundation
import PlaybackTesting
import Testing

/// What somebody finds, opens and does not want, at a real server.
@MainActor @Suite struct DiscoveryJourneys {
  private let folder = TemporaryFolder()

  /// A public clip of somebody's own, whose caption has a word that no other has; answers it once it is there.
  private func clip(of person: Person, _ word: String) async throws -> Clip {
    let upload = try await person.upload(try Person.drawnClip(), "At the pier, \(word) #pier")
    var clip: Clip?
    try await until {
      clip = try? await person.client.clip(ofUpload: upload)
      return clip != nil
    }
    return try #require(clip)
  }

  private func word() -> String {
    "w" + UUID().uuidString.lowercased().filter { $0 != "-" }
  }

  @Test(.timeLimit(.minutes(10))) func whatIsFoundOpensTheFeedAndGoingBackFindsItAgain() async throws {
    let word = word()
    let clip = try await clip(of: try await Person.member(), word)
    let person = try await Person.member()
    let visit = try Visit(person.client, media: try Person.server(), folder: folder.url)
    try await until { visit.current != nil }
    let before = visit.current?.id
    let search = visit.discovery.search
    visit.discovery.open(.search)
    search.ask(word)
    await search.clips.list.begin()
    #expect(search.clips.list.items.map(\.id) == [clip.id])

    search.clips.open(clip)
    try await until { visit.current?.id == clip.id }
    #expect(visit.router.path.isEmpty)
    visit.feed.tabs.goBack()
    #expect(visit.router.path == [.search] && search.asked == word)
    #expect(search.clips.returnsTo == clip.id)
    try await until { visit.current?.id == before }
    await visit.end()
  }

  @Test(.timeLimit(.minutes(10))) func anAuthorOfWhomLessIsWantedIsNotInTheNextPage() async throws {
    let author = try await Person.member()
    let clip = try await clip(of: author, word())
    let person = try await Person.member()
    let visit = try Visit(person.client, media: try Person.server(), folder: folder.url)
    try await until { visit.current != nil }
    // What is ordered has a reason. Behind it a page goes on with the latest clips, and this server has few.
    let theirs: () async throws -> Int = {
      try await person.client.feed(.forYou, limit: 50).items.filter {
        $0.author.id == clip.author.id && $0.reason != nil
      }.count
    }
    try await until { try await theirs() > 0 }

    await visit.feed.model.open(clip.id)
    try await until { visit.current?.id == clip.id }
    let name = "@" + clip.author.handle
    let wish = WhyThis.Choice.less(Dismissal(.author, clip.author.id), name: name)
    #expect(visit.feed.model.why?.choices.contains(wish) == true)
    visit.feed.model.choose(wish)
    try await until { try await person.client.taste().dismissed.contains { $0.author?.id == clip.author.id } }
    #expect(try await theirs() == 0)

    // Taken back where it was said, they may come again.
    try #require(visit.announcements.waiting.last?.action).run()
    try await until { try await theirs() > 0 }
    await visit.end()
  }
}
