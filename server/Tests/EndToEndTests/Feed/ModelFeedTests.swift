import Accounts
import Contract
import Feed
import Foundation
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import Recommendations
@testable import ServerTesting

/// "For you" by a model of the operator's own.
@Suite(.everyEngine) struct ModelFeedTests {
  private struct Scripted: CandidateScoring {
    let answer: @Sendable (CandidateFeatures) async throws -> [Float]

    func scores(of candidates: CandidateFeatures) async throws -> [Float] { try await answer(candidates) }
  }

  private let bench: TestInstance
  private let state: RankingState
  private let feed: FeedStore

  init() async throws {
    bench = try await TestInstance()
    state = bench.instance.patientRanking()
    feed = try await bench.instance.feed(ordering: state)
  }

  private func score(
    within limit: Duration = .seconds(60),
    _ answer: @escaping @Sendable (CandidateFeatures) async throws -> [Float]
  ) {
    state.score(by: Scripted(answer: answer), within: limit)
  }

  /// Clips whose place was not drawn, nor given to a new one.
  private func order(_ page: EncodedFeedPage) -> [String] {
    page.items.filter { ![.new, .drawn].contains($0.reason?.kind) }.map(\.id)
  }

  @Test func theOrderGoesByItsScores() async throws {
    var clips: [String] = []
    for number in 0..<20 { clips.append(try await bench.publishBare("clip \(number)")) }
    for (favourite, other) in [(clips[3], clips[16]), (clips[16], clips[3])] {
      score { candidates in
        candidates.clips.map { $0 == favourite ? 1 : $0 == other ? -1 : 0 }
      }
      let page = try await feed.forYou(cursor: nil, limit: 10, for: "me")
      #expect(page.items.count == 10)
      if page.items.contains(where: { $0.id == favourite }) && order(page).contains(favourite) {
        #expect(order(page).first == favourite)
      }
      #expect(!order(page).contains(other))
    }
  }

  @Test func itIsToldOfWhatMayBeShownAndOfWhoAsks() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords())
    let ada = try await accounts.signUp(NewAccount("ada"), guest: nil, client: "").account.id
    let bob = try await accounts.signUp(NewAccount("bob"), guest: nil, client: "").account.id
    let own = try await bench.publishBare("of bob", by: bob)
    let ofAda = try await bench.publishBare("of ada", by: ada)
    let liked = try await bench.publishBare("liked")
    let other = try await bench.publishBare("other")
    _ = try await bench.instance.social(.open).like(liked, by: bob)
    _ = try await bench.instance.recommendations(on: bench.instance.database)
      .dismiss(Dismissal(.author, ada), by: bob)
    let asked = Shared<[CandidateFeatures]>([])
    score { candidates in
      asked.with { $0.append(candidates) }
      return candidates.clips.map { _ in 0 }
    }
    let page = try await feed.forYou(cursor: nil, limit: 10, for: bob)
    #expect(page.items.map(\.id).contains(other))
    let question = try #require(asked.with { $0 }.first)
    #expect(question.clips == [other] && question.viewer == bob)
    #expect(!question.clips.contains(own) && !question.clips.contains(ofAda))
    let likes = try #require(CandidateFeatures.columns.firstIndex(of: "viewer_likes"))
    #expect(question.values[likes] == 1)
  }

  @Test func whoFailsCostsNobodyTheirPage() async throws {
    for number in 0..<12 { try await bench.publishBare("clip \(number)") }
    struct Broken: Error {}
    let answers: [@Sendable (CandidateFeatures) async throws -> [Float]] = [
      { _ in throw Broken() }, { _ in [] }, { $0.clips.map { _ in .nan } },
    ]
    for answer in answers {
      score(answer)
      let page = try await feed.forYou(cursor: nil, limit: 10, for: "me")
      #expect(page.items.count == 10 && page.items.allSatisfy { $0.reason != nil })
    }
  }

  /// The ranker does other work while it is waited for.
  @Test func whileItThinksOthersGetTheirPages() async throws {
    for number in 0..<12 { try await bench.publishBare("clip \(number)") }
    _ = try await feed.forYou(cursor: nil, limit: 10, for: "me")
    let (began, end) = (Latch(), Latch())
    score { candidates in
      guard candidates.viewer == "slow" else { return candidates.clips.map { _ in 0 } }
      began.open()
      await end.opened()
      return candidates.clips.map { _ in 0 }
    }
    let waiting = Task { try await feed.forYou(cursor: nil, limit: 10, for: "slow") }
    await began.opened()
    for viewer in ["a", "b", "c"] {
      #expect(try await feed.forYou(cursor: nil, limit: 10, for: viewer).items.count == 10)
    }
    end.open()
    #expect(try await waiting.value.items.count == 10)
  }

  @Test func whoIsNeverDoneIsNotWaitedFor() async throws {
    for number in 0..<12 { try await bench.publishBare("clip \(number)") }
    let end = Latch()
    score(within: .zero) { candidates in
      await end.opened()
      return candidates.clips.map { _ in 0 }
    }
    let page = try await feed.forYou(cursor: nil, limit: 10, for: "me")
    #expect(page.items.count == 10 && page.items.allSatisfy { $0.reason != nil })
    end.open()
  }
}
