import AppModel
import Contract
import Foundation
import Testing

@MainActor @Suite struct EntryModelTests {
  @Test func aWrongPasswordLeavesWhatWasTyped() async throws {
    let bench = AccountBench.guest()
    let entry = bench.model.entry
    entry.signInForm[.handle] = " ada "
    entry.signInForm[.password] = "wrong horse"
    async let done: Void = entry.signIn()
    let parked = await bench.transport.next()
    let sent: NewSession = try WireCoding.decode(from: parked.request.body ?? Data())
    #expect(sent == NewSession(handle: "ada", password: "wrong horse", transport: .token))
    parked.refuse(.credentialsWrong)
    await done
    #expect(entry.signInForm.failure?.key == ErrorCode.credentialsWrong.message)
    #expect(entry.signInForm[.password] == "wrong horse")
    #expect(bench.news.isEmpty)
  }

  @Test func whereACodeIsAskedForItIsTheSecondStep() async throws {
    let bench = AccountBench.guest()
    let entry = bench.model.entry
    await bench.takeFirstStep()
    #expect(bench.model.path == [.secondStep] && bench.news.isEmpty && bench.model.me == nil)
    #expect(entry.signInForm[.password].isEmpty && entry.signInForm.failure == nil)
    // Nothing is sent before there is a code.
    await entry.takeSecondStep()
    #expect(entry.stepForm.faults[.code] != nil)
    entry.stepForm[.code] = " 123456 "
    async let wrong: Void = entry.takeSecondStep()
    await bench.transport.next().answer(
      403, Problem(.codeWrong, field: "code", requestID: "r"))
    await wrong
    #expect(entry.stepForm.faults[.code]?.key == ErrorCode.codeWrong.message)
    async let right: Void = entry.takeSecondStep()
    let parked = await bench.transport.next()
    #expect(parked.request.target == Route.secondStep.path())
    let sent: SecondStep = try WireCoding.decode(from: parked.request.body ?? Data())
    #expect(sent == SecondStep(challenge: "ada.secret", code: "123456", transport: .token))
    parked.answer(200, sampleSession(), headers: serverDate)
    await right
    #expect(bench.model.me?.id == "ada" && bench.model.path.isEmpty)
    #expect(bench.news == ["Welcome back, %@."])
  }

  @Test func whoComesByAProviderIsAskedForACodeToo() async throws {
    let bench = AccountBench.guest()
    async let visited: Void = bench.model.entry.visit(apple)
    await bench.transport.next().answer(
      200, SignInStart(authorizationUrl: "https://a", nonce: "n", flow: "flow"))
    await bench.transport.next().answer(
      401, Problem(.secondStepNeeded, challenge: "ada.secret", requestID: "r"))
    await visited
    #expect(bench.model.path == [.secondStep] && bench.model.entry.visitFailure == nil)
    bench.model.entry.stepForm[.code] = "abcd-efgh-2345-mnop"
    async let right: Void = bench.model.entry.takeSecondStep()
    await bench.transport.next().answer(200, sampleSession(), headers: serverDate)
    await right
    #expect(bench.model.me?.id == "ada")
  }

  @Test func aSignUpWhoseAnswerWasLostIsTriedByTheSameKey() async throws {
    let bench = AccountBench.guest()
    let form = bench.model.entry.joinForm
    bench.model.path = [.join]
    form[.handle] = "ada"
    form[.password] = "correct horse"
    async let first: Void = bench.model.entry.join()
    let lost = await bench.transport.next()
    lost.fail(.networkConnectionLost)
    await first
    #expect(form.failure != nil)
    async let second: Void = bench.model.entry.join()
    let again = await bench.transport.next()
    #expect(again.request.headers["idempotency-key"] == lost.request.headers["idempotency-key"])
    again.refuse(.handleTaken)
    await second
    form[.handle] = "ada.l"
    async let third: Void = bench.model.entry.join()
    let other = await bench.transport.next()
    #expect(other.request.headers["idempotency-key"] != lost.request.headers["idempotency-key"])
    other.answer(201, sampleSession(), headers: serverDate)
    await third
    #expect(bench.model.me?.id == "ada")
    #expect(bench.model.path.isEmpty)
    #expect(bench.news == ["Welcome, %@. What you liked so far is yours."])
  }

  @Test func anAskedLinkSaysTheSameForEverybody() async {
    let bench = AccountBench.guest()
    bench.model.entry.forgotForm[.handle] = "nobody"
    async let done: Void = bench.model.entry.askForLink()
    await bench.transport.next().answer(202)
    await done
    #expect(bench.model.entry.isLinkSent)
  }

  @Test func linksOutOfMessagesLeadToTheirScreen() {
    let bench = AccountBench.guest()
    bench.router.open(.settings)
    bench.model.open(.confirm(token: "abc"))
    bench.model.open(.reset(token: "abc"))
    #expect(bench.model.path == [.reset(token: "abc")])
    #expect(bench.router.top == .account)
  }

  @Test func onlyProvidersThatCanBeVisitedAreOffered() async {
    let bench = AccountBench.guest()
    async let loaded: Void = bench.model.entry.loadProviders()
    await bench.transport.next().answer(200, SignInProviders(items: [apple, company]))
    await loaded
    #expect(bench.model.entry.providers == [apple])
  }

  @Test func aNewcomerMakesAnAccount() async throws {
    let bench = AccountBench.guest()
    async let visited: Void = bench.model.entry.visit(apple)
    await bench.transport.next().answer(
      200, SignInStart(authorizationUrl: "https://a", nonce: "n", flow: "flow"))
    let answer = await bench.transport.next()
    let sent: SignInAnswer = try WireCoding.decode(from: answer.request.body ?? Data())
    #expect(sent.flow == "flow")
    #expect(sent.idToken == "token")
    let person = Newcomer(
      ticket: "t", provider: "apple", handle: "ada", name: "Ada", email: "ada@example.org", known: true)
    answer.answer(200, SignInOutcome(newcomer: person))
    await visited
    #expect(bench.model.path == [.newcomer])
    // It belongs to an account already.
    #expect(bench.model.entry.newcomerForm[.email] == "")
    async let joined: Void = bench.model.entry.joinAsNewcomer()
    let join = await bench.transport.next()
    let new: NewcomerAccount = try WireCoding.decode(from: join.request.body ?? Data())
    #expect(new == NewcomerAccount(ticket: "t", handle: "ada", name: "Ada", transport: .token))
    join.answer(201, sampleSession(), headers: serverDate)
    await joined
    #expect(bench.model.me?.id == "ada")
  }

  @Test func aNewcomerWithAnAccountConnectsAfterSigningIn() async throws {
    let bench = AccountBench.guest()
    async let visited: Void = bench.model.entry.visit(apple)
    await bench.transport.next().answer(
      200, SignInStart(authorizationUrl: "https://a", nonce: "n", flow: "flow"))
    await bench.transport.next().answer(
      200,
      SignInOutcome(
        newcomer: Newcomer(ticket: "t", provider: "apple", handle: "a", name: nil, email: nil, known: false)))
    await visited
    bench.model.entry.useOwnAccount()
    #expect(bench.model.path.isEmpty)
    #expect(bench.model.waysIn.waiting == "Apple")
    async let signedIn = bench.sign.client.signIn(
      NewSession(handle: "ada", password: "correct horse", transport: .token))
    await bench.transport.next().answer(200, sampleSession(), headers: serverDate)
    _ = try await signedIn
    #expect(bench.model.waysIn.waiting == "Apple")
  }

  @Test func whoGivesUpAtAProviderHearsNothing() async {
    let bench = AccountBench.guest()
    bench.visits.result = .failure(CancellationError())
    async let visited: Void = bench.model.entry.visit(apple)
    await bench.transport.next().answer(
      200, SignInStart(authorizationUrl: "https://a", nonce: "n", flow: "flow"))
    await visited
    #expect(bench.model.entry.visitFailure == nil)
    #expect(bench.model.entry.visited == nil)
  }
}

@Suite struct ProviderAnswerTests {
  private let start = SignInStart(authorizationUrl: "https://a", nonce: "n", flow: "flow")

  private func answer(_ query: String) throws -> SignInAnswer {
    try ProviderAnswer.of(URL(string: "https://clips.example/sign-in/corp?" + query)!, start)
  }

  @Test func theAddressHasTheAnswer() throws {
    #expect(
      try answer("code=c%2B1&state=s&iss=https%3A%2F%2Fi")
        == SignInAnswer(transport: .token, flow: "flow", state: "s", code: "c+1", iss: "https://i"))
  }

  @Test func whoDeclinedGaveUp() {
    #expect(throws: CancellationError.self) { try answer("error=access_denied&state=s") }
    #expect(throws: Problem.self) { try answer("error=server_error") }
    #expect(throws: Problem.self) { try answer("state=s") }
    #expect(throws: Problem.self) { try answer("code=" + String(repeating: "x", count: 10_000)) }
  }

  @Test func theSystemsTokenHasTheNameBesideIt() throws {
    var name = PersonNameComponents()
    (name.givenName, name.familyName) = ("Ada", "Lovelace")
    let answer = try ProviderAnswer.of(token: Data("t".utf8), code: Data("c".utf8), name: name, start)
    #expect(
      answer
        == SignInAnswer(transport: .token, flow: "flow", code: "c", idToken: "t", name: "Ada Lovelace"))
    #expect(throws: Problem.self) { try ProviderAnswer.of(token: nil, code: nil, name: nil, start) }
  }
}
