import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct PasskeyTests {
  private let phone = Passkey(id: "p", name: "My phone", createdAt: epoch)
  private let tablet = Passkey(id: "t", name: "Tablet", createdAt: epoch, usedAt: epoch)
  private let question = PasskeyQuestion(challenge: "-_8", site: "clips.example")
  private let setup = PasskeySetup(
    challenge: "-_8", site: "clips.example", user: "AQ", handle: "ada", name: "Ada", known: ["AgM"])

  private func loaded(
    _ keys: [Passkey], site: String? = "clips.example", hasPassword: Bool = true
  ) async throws -> AccountBench {
    try await AccountBench.loaded(
      [(Route.passkeys, Passkeys(items: keys, site: site))], hasPassword: hasPassword
    ) { await $0.passkeys.load() }
  }

  // MARK: In the account

  @Test func anotherOneIsMadeByThePassword() async throws {
    let bench = try await loaded([tablet])
    let model = bench.model.passkeys
    #expect(model.keys == [tablet] && model.canMake && model.hasPassword)
    model.addForm[.password] = "correct horse"
    model.addForm[.name] = " My phone "
    async let added: Void = model.add()
    let asked = await bench.transport.next()
    #expect(asked.request.target == Route.passkeySetups.path())
    #expect(try asked.body(OwnerProof.self) == OwnerProof(password: "correct horse"))
    asked.answer(200, setup)
    let sent = await bench.transport.next()
    #expect(sent.request.method == "POST" && sent.request.target == Route.passkeys.path())
    #expect(
      try sent.body(NewPasskey.self)
        == NewPasskey(clientData: "Y2xpZW50", attestation: "-_8", name: "My phone"))
    sent.answer(201, phone)
    await added
    #expect(
      bench.keys.orders == [
        PasskeyOrder(
          site: "clips.example", challenge: Data([0xfb, 0xff]), user: Data([1]), handle: "ada", name: "Ada",
          known: [Data([2, 3])])
      ])
    #expect(model.keys == [phone, tablet] && model.addForm[.password] == "")
    #expect(bench.news == ["%@ opens your account from now on."])
  }

  @Test func whoeverGivesUpOrHasOneAlreadyKeepsWhatWasTyped() async throws {
    let bench = try await loaded([])
    let model = bench.model.passkeys
    model.addForm[.password] = "correct horse"
    let faults: [(any Error, String?)] = [
      (CancellationError(), nil), (PasskeyFault.known, "This device has a passkey of this account already."),
      (PasskeyFault.unusable, "This device cannot use passkeys here."),
    ]
    for (fault, words) in faults {
      bench.keys.made = .failure(fault)
      async let tried: Void = model.add()
      await bench.transport.next().answer(200, setup)
      await tried
      #expect(model.addForm.failure?.key == words && model.addForm[.password] == "correct horse")
    }
    async let wrong: Void = model.add()
    await bench.transport.next().answer(403, Problem(.passwordWrong, field: "password", requestID: ""))
    await wrong
    #expect(model.addForm.faults[.password] != nil && model.keys == [])
  }

  @Test func aSetupThatMakesNoSenseReachesNoDevice() async throws {
    let bench = try await loaded([])
    let model = bench.model.passkeys
    model.addForm[.password] = "correct horse"
    var other = setup
    other.site = "elsewhere.example"
    var torn = setup
    torn.challenge = "*"
    for wrong in [other, torn] {
      async let tried: Void = model.add()
      await bench.transport.next().answer(200, wrong)
      await tried
      #expect(model.addForm.failure?.key == "This device cannot use passkeys here.")
    }
    #expect(bench.keys.orders.isEmpty)
  }

  @Test func oneGetsAnotherName() async throws {
    let bench = try await loaded([phone, tablet])
    let model = bench.model.passkeys
    model.rename(phone)
    #expect(model.nameForm[.name] == "My phone")
    model.nameForm[.name] = " Old phone"
    async let lost: Void = model.saveName()
    await bench.transport.next().fail(.timedOut)
    await lost
    #expect(model.renaming == phone && model.nameForm[.name] == " Old phone")
    async let saved: Void = model.saveName()
    let sent = await bench.transport.next()
    #expect(sent.request.method == "PATCH" && sent.request.target == Route.passkey.path("p"))
    #expect(try sent.body(PasskeyChange.self).name == "Old phone")
    var now = phone
    now.name = "Old phone"
    sent.answer(200, now)
    await saved
    #expect(model.keys == [now, tablet] && model.renaming == nil && bench.news == ["The name is saved."])
  }

  @Test func oneGoesByThePasswordAlsoWhereItIsGoneAlready() async throws {
    let bench = try await loaded([phone, tablet])
    let model = bench.model.passkeys
    model.rename(tablet)
    model.remove(phone)
    #expect(model.renaming == nil && model.leaving == phone)
    model.keep()
    #expect(model.leaving == nil)
    for key in [phone, tablet] {
      model.remove(key)
      model.removeForm[.password] = "correct horse"
      async let gone: Void = model.removeByPassword()
      let sent = await bench.transport.next()
      #expect(sent.request.method == "DELETE" && sent.request.target == Route.passkey.path(key.id))
      #expect(try sent.body(OwnerProof.self) == OwnerProof(password: "correct horse"))
      if key == phone { sent.answer(204) } else { sent.refuse(.passkeyNotFound) }
      await gone
    }
    #expect(model.keys == [] && model.leaving == nil)
    #expect(bench.news == Array(repeating: "%@ is removed. Delete it on your device as well.", count: 2))
  }

  @Test func whereTheServerTakesNoneOrIsAnotherNoneIsOffered() async throws {
    #expect(try await !loaded([], site: nil).model.passkeys.canMake)
    #expect(try await !loaded([], site: "elsewhere.example").model.passkeys.canMake)
    let bench = try await loaded([phone], hasPassword: false)
    #expect(!bench.model.passkeys.hasPassword)
    bench.model.passkeys.clear()
    #expect(bench.model.passkeys.keys == nil && !bench.model.passkeys.canMake)
  }

  // MARK: Signing in

  @Test func aPasskeyOpensTheAccountByItself() async throws {
    let bench = AccountBench.guest()
    let entry = bench.model.entry
    async let looked: Void = entry.loadProviders()
    await bench.transport.next().answer(200, SignInProviders(items: [], passkeySite: "clips.example"))
    await looked
    #expect(entry.hasKeys)
    async let came: Void = entry.signInByKey()
    let asked = await bench.transport.next()
    #expect(asked.request.method == "POST" && asked.request.target == Route.passkeyQuestions.path())
    asked.answer(200, question)
    let sent = await bench.transport.next()
    #expect(sent.request.target == Route.passkeySessions.path())
    #expect(
      try sent.body(PasskeyAnswer.self)
        == PasskeyAnswer(
          credential: "AQI", clientData: "Y2xpZW50", authenticatorData: "Aw", signature: "-__-",
          transport: .token))
    sent.answer(200, sampleSession(), headers: serverDate)
    await came
    #expect(bench.model.me?.id == "ada" && bench.news == ["Welcome back, %@."])
    #expect(bench.keys.asked.map(\.isSecond) == [false])
    #expect(bench.keys.asked.map(\.challenge) == [Data([0xfb, 0xff])])
  }

  @Test func whatGoesWrongIsSaidAndWhoeverGivesUpHearsNothing() async throws {
    let bench = AccountBench.guest()
    let entry = bench.model.entry
    bench.keys.signed = .failure(CancellationError())
    async let left: Void = entry.signInByKey()
    await bench.transport.next().answer(200, question)
    await left
    #expect(entry.keyFailure == nil && !entry.isAtKey && bench.model.me == nil)
    async let off: Void = entry.signInByKey()
    await bench.transport.next().refuse(.passkeysOff)
    await off
    #expect(entry.keyFailure?.key == ErrorCode.passkeysOff.message)
    bench.keys.site = nil
    async let elsewhere: Void = entry.signInByKey()
    await bench.transport.next().answer(200, question)
    await elsewhere
    #expect(entry.keyFailure?.key == "This device cannot use passkeys here.")
  }

  @Test func aPasskeyStandsForTheCodeBehindAPassword() async throws {
    let bench = AccountBench.guest()
    let entry = bench.model.entry
    // There is no first step yet.
    await entry.takeSecondStepByKey()
    #expect(bench.transport.count == 0)
    await bench.takeFirstStep()
    async let second: Void = entry.takeSecondStepByKey()
    await bench.transport.next().answer(200, question)
    let sent = await bench.transport.next()
    #expect(try sent.body(PasskeyAnswer.self).challenge == "ada.secret")
    sent.answer(200, sampleSession(), headers: serverDate)
    await second
    #expect(bench.keys.asked.map(\.isSecond) == [true] && bench.model.me?.id == "ada")
    #expect(bench.model.path.isEmpty)
  }

  // MARK: Sites and bytes

  @Test func onlyTheHostThatTheAppIsAssociatedWithHasPasskeys() throws {
    func isUsable(_ site: String, _ base: String, _ host: String = "clips.example") throws -> Bool {
      PasskeySite.isUsable(site, at: try #require(URL(string: base)), associated: host)
    }
    #expect(try isUsable("clips.example", "https://clips.example"))
    #expect(try isUsable("clips.example", "https://Clips.example:443/"))
    #expect(try !isUsable("clips.example", "http://clips.example"))
    #expect(try !isUsable("clips.example", "https://clips.example:8443"))
    #expect(try !isUsable("clips.example", "https://other.example"))
    #expect(try !isUsable("other.example", "https://clips.example"))
    #expect(try !isUsable("clips.example", "https://clips.example", ""))
  }

  @Test func bytesGoBothWaysAndWhatIsNoneIsRefused() throws {
    for bytes in [[0xfb], [0xfb, 0xff], [0xfb, 0xff, 0xfe], [0, 0, 0, 0]] as [[UInt8]] {
      let text = Base64URL.text(Data(bytes))
      #expect(!text.utf8.contains { "+/=".utf8.contains($0) })
      #expect(try Base64URL.data(text) == Data(bytes))
    }
    for text in ["", "*", "a", "\u{e9}"] {
      #expect(throws: PasskeyFault.unusable) { try Base64URL.data(text) }
    }
  }
}
