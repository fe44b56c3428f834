public import Contract
public import Foundation
public import Observation

/// What signing in asks for beside the password: an app that makes codes is set up or turned off, and codes
/// are given for whoever loses it. Those stay shown until somebody says that they are kept: they are told
/// once.
///
/// It refuses to know how codes are made.
@MainActor @Observable public final class TwoStepModel {
  /// What shows that it is the owner.
  public enum OwnerField: String, CaseIterable, Sendable { case password, code }
  public enum CodeField: String, CaseIterable, Sendable { case code }

  /// What can be copied.
  public enum Copied: Sendable { case key, codes }

  /// `nil`: it is not there yet.
  public private(set) var state: SecondFactors?
  public private(set) var failure: Sentence?
  /// An app is being set up: nothing has changed before a code of it has come.
  public private(set) var setup: CodeAppSetup?
  /// Recovery codes that nobody has kept yet.
  public private(set) var codes: [String] = []
  public let setUpForm = FormState<OwnerField>()
  public let confirmForm = FormState<CodeField>()
  public let renewForm = FormState<OwnerField>()
  public let offForm = FormState<OwnerField>()

  private var account: Account?
  @ObservationIgnored private let client: Client
  @ObservationIgnored var renewed: (Account) -> Void = { _ in }
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Answers for somebody else are none.
  @ObservationIgnored private var beginning = 0

  init(client: Client) { self.client = client }

  public var hasPassword: Bool { account?.hasPassword ?? false }

  public func load() async {
    let begun = beginning
    failure = nil
    do {
      async let state = client.secondFactors()
      async let account = client.account()
      let (now, owner) = try await (state, account)
      guard begun == beginning else { return }
      (self.state, self.account) = (now, owner)
      renewed(owner)
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  // MARK: Setting up

  /// Letters and digits by fours, as people type them.
  public var key: String {
    let scalars = Array((setup?.secret ?? "").unicodeScalars)
    return stride(from: 0, to: scalars.count, by: 4).map { start in
      String(String.UnicodeScalarView(scalars[start..<min(start + 4, scalars.count)]))
    }.joined(separator: " ")
  }

  /// Opens an app of this device that makes codes; `nil` for what is no such address.
  public var address: URL? {
    setup.flatMap { URL(string: $0.uri) }.flatMap { $0.scheme?.lowercased() == "otpauth" ? $0 : nil }
  }

  public func beginSetup() async {
    let begun = beginning
    var answer: CodeAppSetup?
    let isRight = await setUpForm.submit([.password]) {
      answer = try await client.beginCodeApp(OwnerProof(password: setUpForm[.password]))
    }
    if isRight, begun == beginning { setup = answer }
  }

  /// Nothing was turned on.
  public func cancelSetup() {
    guard !confirmForm.isBusy else { return }
    setup = nil
    confirmForm.clear()
  }

  /// By the first code of the app.
  public func confirm() async {
    guard setup != nil else { return }
    let begun = beginning
    var answer: [String] = []
    let isOn = await confirmForm.submit {
      answer = try await client.confirmCodeApp(code: confirmForm.trimmed(.code) ?? "").items
    }
    guard isOn, begun == beginning else { return }
    setup = nil
    codes = answer
  }

  // MARK: Recovery codes

  public func renewCodes() async {
    let begun = beginning
    var answer: [String] = []
    let isDone = await renewForm.submit(showing) {
      answer = try await client.newRecoveryCodes(proof(renewForm)).items
    }
    if isDone, begun == beginning { codes = answer }
  }

  /// They are nowhere else from now on.
  public func keptCodes() async {
    codes = []
    await load()
  }

  public func noteCopied(_ what: Copied) {
    say(what == .key ? "The key is copied." : "The codes are copied.")
  }

  // MARK: Turning off

  public func turnOff() async {
    let begun = beginning
    let isOff = await offForm.submit(showing) { try await client.removeCodeApp(proof(offForm)) }
    guard isOff, begun == beginning else { return }
    say("Signing in asks for no code any more.")
    await load()
  }

  /// Who has no password shows that it is them by the app.
  public var showing: [OwnerField] { hasPassword ? [.password] : [.code] }

  private func proof(_ form: FormState<OwnerField>) -> OwnerProof {
    hasPassword ? OwnerProof(password: form[.password]) : OwnerProof(code: form.trimmed(.code))
  }

  /// Somebody else is here.
  func clear() {
    beginning += 1
    (state, account, setup, failure) = (nil, nil, nil, nil)
    codes = []
    for form in [setUpForm, renewForm, offForm] { form.clear() }
    confirmForm.clear()
  }
}
