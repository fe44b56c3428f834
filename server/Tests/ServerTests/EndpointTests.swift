import Contract
import Endpoints
import OpenAPI
import Testing
import Videos

@testable import clipfeed

/// What features plug into the gateway.
@Suite struct EndpointTests {
  @Test func everyEndpointCarriesOutAnOperationThatIsDescribedAndNoTwoTheSame() async throws {
    let bench = try await Bench()
    let instance = bench.instance
    let guarding = ClipAccess(database: instance.database, time: instance.time, keys: instance.sealKeys)
    let names = try await instance.endpoints(.open, SocialNews(live: instance.live(cache: nil)), guarding)
      .flatMap(\.operations)
    #expect(Set(names).count == names.count)
    // All of a feature's own, so that none ends as an address that nobody knows.
    let tags = ["comments", "social", "messages", "watching"]
    #expect(Set(names) == Set(Operation.all.filter { tags.contains($0.tag) }.map(\.id)))
  }
}
