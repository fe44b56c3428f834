import AppModel
import Contract
import Foundation
import PlaybackTesting
import Testing

/// What somebody sees of their own clips, at a real server.
@MainActor @Suite struct InsightsJourneys {
  private let folder = TemporaryFolder()

  private func clip(of person: Person) async throws -> Clip {
    let upload = try await person.upload(try Person.drawnClip(), "Counted")
    var clip: Clip?
    try await until {
      clip = try? await person.client.clip(ofUpload: upload)
      return clip != nil
    }
    return try #require(clip)
  }

  private func model(_ person: Person, _ clip: Clip) throws -> InsightsModel {
    let insights = Insights(
      client: person.client, router: Router(), announcements: Announcements(),
      locale: Locale(identifier: "en_US"))
    insights.open(clip.id, caption: clip.caption)
    return try #require(insights.model(of: .insights(clip: clip.id)))
  }

  @Test(.timeLimit(.minutes(10))) func whoMadeAClipSeesThatItWasWatchedAndWhereAndNobodyElseDoes()
    async throws
  {
    let owner = try await Person.member()
    let clip = try await clip(of: owner)
    let viewer = try await Person.member()
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let events: [(WatchEvent.Kind, Int64?)] = [(.impression, nil), (.progress, 900), (.completion, 1_000)]
    let taken = try await viewer.client.send(
      WatchEvents(
        events.map {
          WatchEvent(
            id: UUID().uuidString.lowercased(), clipID: clip.id, kind: $0.0, atMs: now, watchedMs: $0.1,
            source: .search)
        }, sentAtMs: now))
    #expect(taken.accepted == events.count)

    let model = try model(owner, clip)
    var figures: InsightsFigures?
    // Counts are folded by and by.
    try await until {
      await model.load()
      if case .shown(let now) = model.state { figures = now }
      return figures?.views == 1
    }
    let shown = try #require(figures)
    #expect(shown.counts.prefix(3).map(\.number) == [1, 1, 1])
    #expect(shown.ways.map(\.source) == [.search] && shown.ways.map(\.share) == [1])
    #expect(shown.days.count == 28 && shown.best != nil)
    // One visit tells of a person and not of the clip.
    #expect(shown.staying == nil && shown.startsNeeded > 1)

    let other = try self.model(viewer, clip)
    await other.begin()
    #expect(other.state == .gone)
  }

  @Test(.timeLimit(.minutes(10))) func aGuestsOwnClipIsKnownAsTheirsAndIsHadAsAFile() async throws {
    let guest = try Person.guest()
    let clip = try await clip(of: guest)
    #expect(clip.author.handle == Author.guestHandle)
    let visit = try Visit(guest.client, media: try Person.server(), folder: folder.url)
    await visit.feed.model.open(clip.id)
    try await until {
      visit.current?.id == clip.id && visit.feed.model.menu?.items.contains(.insights) == true
    }
    var files: [URL] = []
    visit.feed.download.onReady = { files.append($0) }
    visit.feed.model.downloadClip()
    try await until { !files.isEmpty }
    let bytes = try Data(contentsOf: files[0])
    #expect(bytes.dropFirst(4).prefix(4) == Data("ftyp".utf8))
    let best = try #require(clip.playback.renditions.last)
    #expect(bytes.count == best.segments.map { $0.offset + $0.size }.max())
    await visit.end()

    let other = TemporaryFolder()
    let stranger = try Visit(try Person.guest().client, media: try Person.server(), folder: other.url)
    await stranger.feed.model.open(clip.id)
    try await until {
      stranger.current?.id == clip.id && stranger.feed.model.menu?.items.contains(.notInterested) == true
    }
    #expect(stranger.feed.model.menu?.items.contains(.insights) == false)
    await stranger.end()
  }
}
