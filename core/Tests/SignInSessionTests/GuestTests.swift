import CoreTypes
import SignInSession
import Testing

@Suite struct GuestTests {
  @Test func theFirstThingThatAGuestLeavesGoesAlone() {
    var harness = SignInHarness()
    harness.want(1, 2, 3, writes: true)
    #expect(harness.take() == ["send 1"])
    harness.answer(1)
    #expect(harness.take() == ["send 2", "send 3"])
    harness.want(4, writes: true)
    #expect(harness.take() == ["send 4"])
  }

  @Test func whatReadsIsNotHeldByIt() {
    var harness = SignInHarness()
    harness.want(1, writes: true)
    harness.want(2)
    harness.send(.requestWanted(APIRequestID(3), .sentElsewhere, life: .zero))
    #expect(harness.take() == ["send 1", "send 2", "send 3"])
    harness.answer(2)
    harness.want(4, writes: true)
    #expect(harness.take() == [])
  }

  @Test func ifItFailsTheNextOneIsTheFirst() {
    var harness = SignInHarness()
    harness.want(1, 2, 3, writes: true)
    harness.fail(1, status: 404)
    #expect(harness.take() == ["send 1", "fail 1 answered", "send 2"])
    harness.fail(2, status: 0)
    harness.answer(3)
    #expect(harness.take() == ["fail 2 answered", "send 3"])
  }

  @Test func aGuestMayBeAskedToSignIn() {
    var harness = SignInHarness()
    harness.want(1)
    harness.refuse(1, .signInNeeded)
    harness.want(2)
    harness.refuse(2, .accessTokenExpired)
    harness.want(3)
    harness.fail(3, status: 401)
    #expect(
      harness.take() == ["send 1", "fail 1 ended", "send 2", "fail 2 answered", "send 3", "fail 3 answered"])
  }

  @Test func whoSignsInMeanwhileIsKnown() {
    var harness = SignInHarness()
    harness.want(1, 2, writes: true)
    harness.find(token: 1)
    harness.want(3, writes: true)
    #expect(harness.take() == ["send 1", "send 2", "send 3"])
  }

  @Test func whoSignsOutIsAnotherGuest() {
    var harness = SignInHarness()
    harness.want(1, writes: true)
    harness.answer(1)
    harness.find(token: 1)
    harness.send(.guestFound)
    harness.want(2, 3, writes: true)
    #expect(harness.take() == ["send 1", "send 2"])
  }
}
