import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct TwoStepModelTests {
  private let codes = ["abcd-efgh-2345-mnop", "bcde-fghj-2345-mnop"]

  /// The two requests of a load come in any order.
  private func answer(_ bench: AccountBench, _ state: SecondFactors, hasPassword: Bool = true) async {
    for _ in 0..<2 {
      let parked = await bench.transport.next()
      if Route.secondFactors.matches(parked.request.target) {
        parked.answer(200, state)
      } else {
        var account = sampleAccount()
        account.hasPassword = hasPassword
        parked.answer(200, account)
      }
    }
  }

  private func loaded(_ state: SecondFactors, hasPassword: Bool = true) async throws -> AccountBench {
    let bench = try await AccountBench.member()
    async let came: Void = bench.model.twoStep.load()
    await answer(bench, state, hasPassword: hasPassword)
    await came
    return bench
  }

  private func owner(_ parked: ParkedTransport.Parked) throws -> OwnerProof {
    try WireCoding.decode(OwnerProof.self, from: parked.request.body ?? Data())
  }

  @Test func anAppIsSetUpByThePasswordAndCountsOnceACodeOfItHasCome() async throws {
    let bench = try await loaded(SecondFactors())
    let model = bench.model.twoStep
    #expect(model.state?.codeAppSince == nil && model.hasPassword && bench.model.account?.id == "ada")
    model.setUpForm[.password] = "correct horse"
    async let begun: Void = model.beginSetup()
    let asked = await bench.transport.next()
    #expect(asked.request.method == "POST" && asked.request.target == Route.codeApp.path())
    #expect(try owner(asked) == OwnerProof(password: "correct horse"))
    asked.answer(
      200, CodeAppSetup(secret: "ABCDEFGHIJ", uri: "otpauth://totp/Clipfeed:ada?secret=ABCDEFGHIJ"))
    await begun
    #expect(model.key == "ABCD EFGH IJ" && model.address?.scheme == "otpauth")
    model.confirmForm[.code] = " 123456 "
    async let wrong: Void = model.confirm()
    await bench.transport.next().answer(403, Problem(.codeWrong, field: "code", requestID: ""))
    await wrong
    #expect(model.confirmForm.faults[.code] != nil && model.setup != nil && model.codes.isEmpty)
    async let right: Void = model.confirm()
    let sent = await bench.transport.next()
    #expect(sent.request.method == "PUT")
    let body = try WireCoding.decode(CodeAppConfirmation.self, from: sent.request.body ?? Data())
    #expect(body.code == "123456")
    sent.answer(200, RecoveryCodes(items: codes))
    await right
    #expect(model.codes == codes && model.setup == nil)
    // They are shown until somebody says that they are kept, wherever they go meanwhile.
    async let again: Void = model.load()
    await answer(bench, SecondFactors(codeAppSince: epoch, recoveryCodes: 2))
    await again
    #expect(model.codes == codes)
    async let kept: Void = model.keptCodes()
    await answer(bench, SecondFactors(codeAppSince: epoch, recoveryCodes: 2))
    await kept
    #expect(model.codes.isEmpty && model.state?.codeAppSince == epoch)
  }

  @Test func aLostAnswerLosesNothingThatWasTyped() async throws {
    let bench = try await loaded(SecondFactors())
    let model = bench.model.twoStep
    model.setUpForm[.password] = "correct horse"
    async let begun: Void = model.beginSetup()
    await bench.transport.next().fail(.timedOut)
    await begun
    #expect(model.setUpForm[.password] == "correct horse" && model.setUpForm.failure != nil)
    #expect(model.setup == nil)
  }

  @Test func onlyAnAddressOfSuchAnAppIsOpened() async throws {
    let bench = try await loaded(SecondFactors())
    let model = bench.model.twoStep
    model.setUpForm[.password] = "correct horse"
    async let begun: Void = model.beginSetup()
    await bench.transport.next().answer(200, CodeAppSetup(secret: "ABCD", uri: "https://example.org"))
    await begun
    #expect(model.key == "ABCD" && model.address == nil)
    model.confirmForm[.code] = "1"
    model.cancelSetup()
    #expect(model.setup == nil && model.confirmForm[.code] == "")
  }

  @Test func newCodesAndTurningOffAskForThePassword() async throws {
    let bench = try await loaded(SecondFactors(codeAppSince: epoch, recoveryCodes: 1))
    let model = bench.model.twoStep
    await model.turnOff()
    #expect(model.offForm.faults[.password] != nil && model.offForm.faults[.code] == nil)
    model.renewForm[.password] = "correct horse"
    async let renewed: Void = model.renewCodes()
    let asked = await bench.transport.next()
    #expect(asked.request.target == Route.recoveryCodes.path())
    #expect(try owner(asked) == OwnerProof(password: "correct horse"))
    asked.answer(200, RecoveryCodes(items: codes))
    await renewed
    #expect(model.codes == codes)
    model.noteCopied(.codes)
    model.offForm[.password] = "correct horse"
    async let off: Void = model.turnOff()
    let sent = await bench.transport.next()
    #expect(sent.request.method == "DELETE" && sent.request.target == Route.codeApp.path())
    sent.answer(204)
    await answer(bench, SecondFactors())
    await off
    #expect(model.state == SecondFactors())
    #expect(bench.news == ["The codes are copied.", "Signing in asks for no code any more."])
  }

  @Test func whoHasNoPasswordShowsTheAppsCode() async throws {
    let bench = try await loaded(SecondFactors(codeAppSince: epoch, recoveryCodes: 3), hasPassword: false)
    let model = bench.model.twoStep
    model.offForm[.code] = " 123456"
    async let off: Void = model.turnOff()
    let sent = await bench.transport.next()
    #expect(try owner(sent) == OwnerProof(code: "123456"))
    sent.answer(403, Problem(.codeWrong, field: "code", requestID: ""))
    await off
    #expect(model.offForm.faults[.code] != nil && model.state?.recoveryCodes == 3)
  }

  @Test func whatDoesNotComeIsSaidAndSomebodyElseFindsNothing() async throws {
    let bench = try await AccountBench.member()
    let model = bench.model.twoStep
    async let lost: Void = model.load()
    for _ in 0..<2 { await bench.transport.next().fail(.timedOut) }
    await lost
    #expect(model.failure != nil && model.state == nil)
    model.setUpForm[.password] = "correct horse"
    model.clear()
    #expect(model.failure == nil && model.setUpForm[.password] == "")
  }
}
