import Platform
import Testing

@testable import PlatformTesting

@Suite struct IdentifierTests {
  @Test func idsSortInTheOrderInWhichTheyAreMade() {
    let time = TestTime()
    let ids = (0..<5000).map { _ in Identifier.make(at: time) }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.count == 36 && $0.dropFirst(14).first == "7" })
  }
}
