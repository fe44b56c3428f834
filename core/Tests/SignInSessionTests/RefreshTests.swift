import CoreTypes
import SignInSession
import Testing

@Suite struct RefreshTests {
  private static func signedIn() -> SignInHarness {
    var harness = SignInHarness()
    harness.find(token: 1)
    return harness
  }

  @Test func aTokenThatLastsLongEnoughGoesAtOnce() {
    var harness = Self.signedIn()
    harness.want(1, life: 15)
    harness.want(2, writes: true)
    harness.want(3, writes: true)
    #expect(harness.take() == ["send 1", "send 2", "send 3"])
  }

  @Test func aTokenThatIsAboutToBeOverIsRefreshedFirstOnceForAllThatWait() {
    var harness = Self.signedIn()
    harness.want(1, 2, life: 14)
    harness.want(3, writes: true, life: -900)
    #expect(harness.take() == ["awaitTurn"])
    harness.takeTurn()
    harness.want(4, life: 14)
    #expect(harness.take() == ["refresh"])
    harness.find(token: 2)
    harness.send(.refreshAnswered)
    #expect(harness.take() == ["send 1", "send 2", "send 3", "send 4", "endTurn"])
    harness.want(5)
    #expect(harness.take() == ["send 5"])
  }

  @Test func nothingIsSentByATokenThatIsBeingRefreshed() {
    var harness = Self.signedIn()
    harness.want(1, life: 1)
    harness.want(2, life: 400)
    #expect(harness.take() == ["awaitTurn"])
  }

  @Test func whatAnotherTabHasRefreshedIsNotRefreshedAgain() {
    var harness = Self.signedIn()
    harness.want(1, life: 1)
    harness.find(token: 2)
    #expect(harness.take() == ["awaitTurn", "send 1"])
    // Whoever comes while the turn is still to come is not held by it.
    harness.want(2)
    harness.takeTurn()
    #expect(harness.take() == ["send 2", "endTurn"])
  }

  @Test func whatAnotherTabHasKeptIsLookedForAMomentInTheTurn() {
    var harness = Self.signedIn()
    harness.want(1, life: 1)
    harness.send(.turnCame)
    harness.wait(99)
    #expect(harness.take() == ["awaitTurn"])
    harness.find(token: 2)
    harness.wait(1)
    #expect(harness.take() == ["send 1", "endTurn"])
  }

  @Test func aTokenThatIsOverForTheServerIsRefreshedAndTheRequestMadeAgainOnce() {
    var harness = Self.signedIn()
    harness.want(1, 2)
    harness.refuse(1, .accessTokenExpired)
    harness.takeTurn()
    harness.find(token: 2)
    harness.send(.refreshAnswered)
    #expect(harness.take() == ["send 1", "send 2", "awaitTurn", "refresh", "send 1", "endTurn"])
    harness.refuse(1, .accessTokenExpired)
    // Sent before the refresh: the new token is there already.
    harness.refuse(2, .accessTokenExpired)
    #expect(harness.take() == ["fail 1 answered", "send 2"])
    harness.answer(2)
    #expect(harness.take() == [])
  }

  @Test func aRefreshWithoutAnAnswerFailsWhatWaitsAndSignsNobodyOut() {
    var harness = Self.signedIn()
    harness.want(1, 2, life: 1)
    harness.takeTurn()
    harness.send(.refreshFailed(status: 0))
    #expect(
      harness.take() == ["awaitTurn", "refresh", "endTurn", "fail 1 refreshFailed", "fail 2 refreshFailed"])
    harness.want(3, life: 1)
    harness.takeTurn()
    harness.send(.refreshFailed(status: 503))
    #expect(harness.take() == ["awaitTurn", "refresh", "endTurn", "fail 3 refreshFailed"])
  }

  @Test func aSessionThatWasEndedElsewhereIsForgottenAndNothingIsDoneAsAGuestInItsPlace() {
    var harness = Self.signedIn()
    harness.want(1, writes: true, life: 1)
    harness.takeTurn()
    harness.send(.refreshFailed(status: 401))
    #expect(harness.take() == ["awaitTurn", "refresh", "endTurn", "forgetSession", "fail 1 signedOut"])
    harness.want(2, writes: true)
    #expect(harness.take() == ["send 2"])
  }

  @Test(arguments: [
    SignInSession.Problem.accessTokenInvalid, .sessionEnded, .signInNeeded, .refreshTokenInvalid,
    .refreshTokenReused,
  ])
  func aRequestMaySayThatTheSessionIsOver(problem: SignInSession.Problem) {
    var harness = Self.signedIn()
    harness.want(1, 2)
    harness.refuse(1, problem)
    #expect(harness.take() == ["send 1", "send 2", "fail 1 ended", "forgetSession"])
    harness.refuse(2, problem)
    #expect(harness.take() == ["fail 2 ended"])
  }

  @Test func aRefusalOfAnOldTokenEndsNoNewerSession() {
    var harness = Self.signedIn()
    harness.want(1, 2)
    harness.find(token: 2)
    harness.refuse(1, .sessionEnded)
    harness.find(account: 2, token: 3)
    harness.refuse(2, .sessionEnded)
    #expect(harness.take() == ["send 1", "send 2", "send 1", "fail 2 ended"])
  }

  @Test func whatOneAccountWantedDoesNotGoAsAnother() {
    var harness = Self.signedIn()
    harness.want(1, writes: true)
    harness.want(2, writes: true, life: 1)
    harness.find(account: 2, token: 2)
    #expect(harness.take() == ["send 1", "awaitTurn", "fail 2 signedOut"])
    harness.refuse(1, .accessTokenExpired)
    #expect(harness.take() == ["fail 1 signedOut"])
  }

  @Test func whoeverSignsOutWaitsForNothing() {
    var harness = Self.signedIn()
    harness.want(1, life: 1)
    harness.send(.guestFound)
    #expect(harness.take() == ["awaitTurn", "fail 1 signedOut"])
    harness.takeTurn()
    #expect(harness.take() == ["endTurn"])
  }

  @Test func aTokenThatIsOldWhenItComesHasATurnOfItsOwn() {
    var harness = Self.signedIn()
    harness.want(1, life: 1)
    harness.takeTurn()
    harness.find(token: 2)
    harness.want(2, life: 1)
    harness.send(.refreshFailed(status: 401))
    #expect(harness.take() == ["awaitTurn", "refresh", "send 1", "endTurn", "awaitTurn"])
    harness.takeTurn()
    #expect(harness.take() == ["refresh"])
  }

  @Test func whatIsSentElsewhereGoesInAnyCase() {
    var harness = Self.signedIn()
    let elsewhere = SignInSession.RequestKind.sentElsewhere
    harness.send(.requestWanted(APIRequestID(1), elsewhere, life: Milliseconds(20_000)))
    #expect(harness.take() == ["send 1"])
    for status: Int32 in [0, 401] {
      harness.send(.requestWanted(APIRequestID(2), elsewhere, life: .zero))
      harness.takeTurn()
      harness.send(.refreshFailed(status: status))
      #expect(harness.take().last == "send 2")
    }
    harness.send(.requestWanted(APIRequestID(3), elsewhere, life: .zero))
    #expect(harness.take() == ["send 3"])
  }
}
