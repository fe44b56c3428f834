public import Contract
public import Observation

/// The passkeys of an account: which there are, another one, another name, one less.
///
/// It refuses to know what a device does to make one.
@MainActor @Observable public final class PasskeysModel {
  public enum AddField: String, CaseIterable, Sendable { case password, name }
  public enum NameField: String, CaseIterable, Sendable { case name }
  public enum RemoveField: String, CaseIterable, Sendable { case password }

  /// `nil`: they are not there yet.
  public private(set) var keys: [Passkey]?
  public private(set) var failure: Sentence?
  /// The one that gets another name.
  public private(set) var renaming: Passkey?
  /// The one that is to be removed, for which the password is asked.
  public private(set) var leaving: Passkey?
  public let addForm = FormState<AddField>(optional: [.name])
  public let nameForm = FormState<NameField>()
  public let removeForm = FormState<RemoveField>()

  private var site: String?
  private var account: Account?
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let port: any PasskeyPort
  @ObservationIgnored var renewed: (Account) -> Void = { _ in }
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Answers for somebody else are none.
  @ObservationIgnored private var beginning = 0

  init(client: Client, port: any PasskeyPort) {
    self.client = client
    self.port = port
  }

  public var hasPassword: Bool { account?.hasPassword ?? false }
  /// Whether this device can make one for this server.
  public var canMake: Bool { site.map { port.canUse($0) } ?? false }

  public func load() async {
    let begun = beginning
    failure = nil
    do {
      async let keys = client.passkeys()
      async let account = client.account()
      let (known, owner) = try await (keys, account)
      guard begun == beginning else { return }
      (self.keys, site, self.account) = (known.items, known.site, owner)
      renewed(owner)
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  // MARK: Another one

  /// By the password: then the system asks who holds the device.
  public func add() async {
    let begun = beginning
    var made: Passkey?
    let isAdded = await addForm.submit {
      let setup = try await client.beginPasskey(OwnerProof(password: addForm[.password]))
      made = try await client.add(try await port.make(setup, name: addForm.trimmed(.name)))
    }
    guard isAdded, let made, begun == beginning else { return }
    keys = [made] + (keys ?? []).filter { $0.id != made.id }
    say(Sentence("%@ opens your account from now on.", made.name))
  }

  // MARK: Another name

  public func rename(_ key: Passkey) {
    guard !nameForm.isBusy else { return }
    leaving = nil
    renaming = key
    nameForm[.name] = key.name
  }

  public func saveName() async {
    guard let key = renaming else { return }
    let begun = beginning
    var now: Passkey?
    let isSaved = await nameForm.submit {
      now = try await client.renamePasskey(key.id, to: nameForm.trimmed(.name) ?? "")
    }
    guard isSaved, let now, begun == beginning else { return }
    renaming = nil
    keys = keys?.map { $0.id == now.id ? now : $0 }
    say("The name is saved.")
  }

  // MARK: One less

  /// Asks for the password first.
  public func remove(_ key: Passkey) {
    guard !removeForm.isBusy else { return }
    renaming = nil
    leaving = key
  }

  public func removeByPassword() async {
    guard let key = leaving else { return }
    let begun = beginning
    let isGone = await removeForm.submit {
      do {
        try await client.removePasskey(key.id, OwnerProof(password: removeForm[.password]))
      } catch let problem as Problem where problem.code == ErrorCode.passkeyNotFound.rawValue {
        // It is gone already.
      }
    }
    guard isGone, begun == beginning else { return }
    leaving = nil
    keys?.removeAll { $0.id == key.id }
    say(Sentence("%@ is removed. Delete it on your device as well.", key.name))
  }

  /// Neither another name nor one less.
  public func keep() {
    guard !nameForm.isBusy, !removeForm.isBusy else { return }
    (renaming, leaving) = (nil, nil)
    nameForm.clear()
    removeForm.clear()
  }

  /// Somebody else is here.
  func clear() {
    beginning += 1
    (keys, site, account, failure, renaming, leaving) = (nil, nil, nil, nil, nil, nil)
    addForm.clear()
    nameForm.clear()
    removeForm.clear()
  }
}
