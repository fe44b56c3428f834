import Testing

@testable import Gateway
@testable import Platform
@testable import PlatformTesting

@Suite struct StreamLimitTests {
  @Test func aViewerAndAnAddressHaveSoManyStreams() throws {
    let streams = StreamLimits(ofOneAddress: StreamLimits.ofOneViewer + 1)
    var places = try (0..<StreamLimits.ofOneViewer).map { _ in try streams.admit("a", from: "192.0.2.1") }
    #expect(throws: Refusal.self) { try streams.admit("a", from: "192.0.2.2") }
    places.append(try streams.admit("b", from: "192.0.2.1"))
    #expect(throws: Refusal.self) { try streams.admit("c", from: "192.0.2.1") }
    places[0].leave()
    places[0].leave()
    places.append(try streams.admit("a", from: "192.0.2.1"))
    #expect(throws: Refusal.self) { try streams.admit("c", from: "192.0.2.1") }
    #expect(places.count == StreamLimits.ofOneViewer + 2)
  }
}
