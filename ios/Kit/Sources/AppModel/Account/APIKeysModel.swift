public import Contract
public import Observation

/// Keys by which programs act for an account: which there are, another one, one less. A new one stays shown
/// until somebody says that it is kept: its secret is told once.
///
/// It refuses to know what programs do with them.
@MainActor @Observable public final class APIKeysModel {
  public enum Field: String, CaseIterable, Sendable { case name, password, code }

  /// For how long a key counts.
  public enum Lifetime: CaseIterable, Sendable {
    case month, quarter, year, open

    /// `nil`: it does not expire.
    public var days: Int? {
      switch self {
      case .month: 30
      case .quarter: 90
      case .year: 365
      case .open: nil
      }
    }

    public var title: Sentence {
      switch self {
      case .month: "For 30 days"
      case .quarter: "For 90 days"
      case .year: "For a year"
      case .open: "Until you revoke it"
      }
    }
  }

  /// `nil`: they are not there yet.
  public private(set) var keys: [APIKey]?
  public private(set) var failure: Sentence?
  /// One that nobody has kept yet.
  public private(set) var made: MadeAPIKey?
  public private(set) var isRevoking = false
  public private(set) var scopes = Set(APIKeyScope.allCases)
  public var lifetime = Lifetime.month
  public let form = FormState<Field>()

  private var account: Account?
  private var hasApp = false
  @ObservationIgnored private let client: Client
  @ObservationIgnored var renewed: (Account) -> Void = { _ in }
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Answers for somebody else are none.
  @ObservationIgnored private var beginning = 0

  init(client: Client) { self.client = client }

  public var hasPassword: Bool { account?.hasPassword ?? false }
  /// Whether there is something by which whoever asks can show to be the owner.
  public var canMake: Bool { hasPassword || hasApp }
  /// Who has no password shows that it is them by the app.
  public var showing: [Field] { [.name, hasPassword ? .password : .code] }

  public func load() async {
    let begun = beginning
    failure = nil
    do {
      async let keys = client.apiKeys()
      async let account = client.account()
      async let factors = client.secondFactors()
      let (known, owner, asked) = try await (keys, account, factors)
      guard begun == beginning else { return }
      (self.keys, self.account, hasApp) = (known.items, owner, asked.codeAppSince != nil)
      renewed(owner)
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  // MARK: Another one

  /// What the key is to be used for.
  public func choose(_ scope: APIKeyScope, isOn: Bool) {
    if isOn {
      scopes.insert(scope)
    } else {
      scopes.remove(scope)
    }
  }

  public func make() async {
    guard !scopes.isEmpty else {
      form.fail("Choose at least one thing that the key may do.")
      return
    }
    let begun = beginning
    var answer: MadeAPIKey?
    let isMade = await form.submit(showing) {
      let owner =
        hasPassword ? OwnerProof(password: form[.password]) : OwnerProof(code: form.trimmed(.code))
      answer = try await client.makeAPIKey(
        NewAPIKey(
          name: form.trimmed(.name) ?? "", scopes: APIKeyScope.allCases.filter(scopes.contains),
          expiresInDays: lifetime.days, owner: owner))
    }
    guard isMade, let answer, begun == beginning else { return }
    keys = [answer.key] + (keys ?? []).filter { $0.id != answer.key.id }
    made = answer
    (scopes, lifetime) = (Set(APIKeyScope.allCases), .month)
  }

  /// The secret is nowhere else from now on.
  public func kept() { made = nil }

  public func noteCopied() { say("The key is copied.") }

  // MARK: One less

  public func revoke(_ key: APIKey) async {
    guard !isRevoking else { return }
    let begun = beginning
    isRevoking = true
    defer { isRevoking = false }
    do {
      try await client.revokeAPIKey(key.id)
    } catch let problem as Problem where problem.code == ErrorCode.apiKeyNotFound.rawValue {
      // It is gone already.
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { say(Sentence(for: error)) }
      return
    }
    guard begun == beginning else { return }
    keys?.removeAll { $0.id == key.id }
    say(Sentence("%@ is revoked.", key.name))
  }

  /// Somebody else is here.
  func clear() {
    beginning += 1
    (keys, account, failure, made, hasApp) = (nil, nil, nil, nil, false)
    (scopes, lifetime) = (Set(APIKeyScope.allCases), .month)
    form.clear()
  }
}

extension APIKeyScope {
  /// What a key may be used for.
  public var sentence: Sentence {
    switch self {
    case .readVideos: "Look at videos from words and download them"
    case .writeVideos: "Have videos made and delete them, for your credits"
    }
  }
}
