import Contract
import Endpoints
import Messages
import OpenAPI
import Testing

@testable import Gateway
@testable import clipfeed

/// What features plug into the gateway.
@Suite struct EndpointTests {
  @Test func everyEndpointCarriesOutAnOperationThatIsDescribedAndNoTwoTheSame() async throws {
    let bench = try await Bench()
    let names = bench.instance.messages(on: bench.instance.database).endpoints.flatMap(\.operations)
    let described = Set(Operation.all.map(\.id))
    #expect(Set(names).count == names.count && described.isSuperset(of: names))
    // All of the feature's own, so that none ends as an address that nobody knows.
    #expect(Set(names) == Set(Operation.all.filter { $0.tag == "messages" }.map(\.id)))
  }
}
