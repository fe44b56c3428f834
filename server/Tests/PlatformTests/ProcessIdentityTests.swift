import Testing

@testable import Platform

@Suite struct ProcessIdentityTests {
  @Test func aProcessOfAnotherMachineIsNeverTakenForDead() throws {
    let theirs = try #require(ProcessIdentity("elsewhere:1/1/1"))
    #expect(!theirs.isCertainlyGone)
    #expect(ProcessIdentity("nonsense") == nil)
  }
}
