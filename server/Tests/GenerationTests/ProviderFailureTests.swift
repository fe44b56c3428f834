import Testing

@testable import Generation

@Suite struct ProviderFailureTests {
  /// What is against the rules stays so, and what nobody takes is taken by nobody later.
  @Test func onlyWhatCanSucceedIsTriedAgain() {
    let tried = ProviderFailure.Code.allCases.filter { ProviderFailure($0).isWorthAnotherTry }
    #expect(Set(tried) == [.rateLimited, .capacity, .providerError, .timeout, .expired, .unauthorized])
  }

  @Test func howLongToWaitChangesNothing() {
    #expect(ProviderFailure(.capacity, retryAfter: 3600).isWorthAnotherTry)
    #expect(!ProviderFailure(.contentPolicy, retryAfter: 1).isWorthAnotherTry)
  }
}
