import Contract
import Features
import Foundation
import OpenAPI
import Testing
import Uploads
import Videos

@testable import Composition
@testable import Gateway
@testable import ServerTesting

/// What features plug into the gateway.
@Suite struct EndpointTests {
  @Test func everyEndpointCarriesOutAnOperationThatIsDescribedAndNoTwoTheSame() async throws {
    let bench = try await TestInstance()
    let instance = bench.instance
    let context = FeatureContext(instance, accounts: try await instance.accounts())
    let names = instance.features(context).flatMap(\.endpoints).flatMap(\.operations)
    #expect(Set(names).count == names.count)
    // All of a feature's own, so that none ends as an address that nobody knows.
    let others = Set(Operation.all.map(\.id)).subtracting(names)
    // What HTTP itself is part of: pages that are kept ready, streams, the three protocols of uploads, the
    // server's own state.
    #expect(
      others == [
        "getFeed", "headFeed", "listen",
        "createUpload", "optionsOfUploads", "getUpload", "headUpload", "changeUpload", "endUpload",
        "optionsOfUpload",
        "publishUpload",
      ])
  }

  @Test func somebodyAnswersAtEveryAddress() async throws {
    let bench = try await TestInstance()
    let gateway = try await bench.instance.gateway(web: bench.folder.path)
    #expect(gateway.unanswered == [])
  }
}
