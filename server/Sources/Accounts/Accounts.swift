public import Contract
internal import Foundation
public import Platform

/// Accounts and their sessions: who may say to be whom, and for how long.
///
/// It knows nothing of what people do here. That a guest becomes an account, and that an account goes, is
/// told to whoever keeps something by viewer (`ViewerMerging`, `ViewerErasing`), in the transaction in which
/// it happens.
public struct Accounts: Sendable {
  public static let migrations = [
    AccountStore.migration, Revocations.migration, AccountStore.keyMigration, IdentityStore.migration,
    NoticeStore.migration, SecondFactorStore.migration, PasskeyStore.migration,
    APIKeyStore.migration,
  ]

  /// For how long an access token is good: what it says may be this old where another process could not be
  /// heard.
  public static let accessLifeMs: Int64 = 600_000

  /// What surrounds accounts.
  public struct Dependencies: Sendable {
    public var faces: any AuthorProfiles
    public var merging: [any ViewerMerging]
    public var erasing: [any ViewerErasing]
    /// Nil: nobody writes to people; links come from the operator.
    public var mail: (any MailSending)?
    /// By whom else people can sign in. They need `origin`.
    public var providers: [any IdentityProvider]
    /// Nil: no device's key opens an account here.
    public var passkeys: (any PasskeyReading)?
    /// Where the links in messages lead. Never what a request says: that is a stranger's.
    public var origin: String?
    public var siteRules: SiteRules

    public init(
      faces: any AuthorProfiles, merging: [any ViewerMerging] = [], erasing: [any ViewerErasing] = [],
      mail: (any MailSending)? = nil, origin: String? = nil, providers: [any IdentityProvider] = [],
      passkeys: (any PasskeyReading)? = nil, siteRules: SiteRules = SiteRules()
    ) {
      self.faces = faces
      self.merging = merging
      self.erasing = erasing
      self.mail = mail
      self.origin = origin
      self.providers = providers
      self.passkeys = passkeys
      self.siteRules = siteRules
    }
  }

  let database: any Database
  let time: any TimeSource
  let hashing: any PasswordHashing
  let accessTokens: any AccessTokens
  let refreshTokens: RefreshTokens
  let cursorKeys: TokenKeys
  let around: Dependencies
  let revocations: Revocations
  let outbox = Outbox()
  let wrongPasswords: WrongPasswords
  let wrongCodes: WrongPasswords
  let store: AccountStore
  let sessions: SessionStore
  let identities: IdentityStore
  let notices: NoticeStore
  let secondFactors: SecondFactorStore
  let passkeys: PasskeyStore
  let apiKeys: APIKeyStore

  /// `sessionLifeMs`: after which a session ends, however often it is refreshed. `bus`: by which processes
  /// tell each other at once that a session has ended, if they share one.
  public init(
    database: any Database, time: any TimeSource, hashing: any PasswordHashing,
    accessTokens: any AccessTokens, refreshKeys: TokenKeys, cursorKeys: TokenKeys, around: Dependencies,
    sessionLifeMs: Int64? = nil, bus: (any MessageBus)? = nil
  ) {
    self.database = database
    self.time = time
    self.hashing = hashing
    self.accessTokens = accessTokens
    self.around = around
    self.cursorKeys = cursorKeys
    refreshTokens = RefreshTokens(keys: refreshKeys)
    revocations = Revocations(database: database, time: time, lifeMs: Self.accessLifeMs, bus: bus)
    store = AccountStore(time: time)
    sessions = SessionStore(time: time, tokens: refreshTokens, lifeMs: sessionLifeMs)
    identities = IdentityStore(time: time)
    notices = NoticeStore(time: time)
    wrongPasswords = WrongPasswords(time: time)
    wrongCodes = WrongPasswords(time: time)
    secondFactors = SecondFactorStore(time: time)
    passkeys = PasskeyStore(time: time)
    apiKeys = APIKeyStore(time: time)
  }

  /// `guest`: who asks, if it is a guest; the account takes the id over, and all that the guest left.
  ///
  /// An e-mail address waits until it is confirmed, whether somebody has it or not, so the answer does not
  /// tell. Throws `handle_invalid`, `handle_taken`, `name_invalid`, `text_refused`, `email_invalid` and the
  /// errors of passwords.
  ///
  /// The same key with the same handle and password again, within a day, begins another session of the
  /// account that was made, since the first answer may have got lost; with another password it throws
  /// `idempotency_key_reused`. Nothing is kept for it but a hash of the key: whether the caller is the same
  /// is for the password to say.
  public func signUp(
    _ new: NewAccount, idempotencyKey: String? = nil, guest: String?, client: String
  ) async throws -> Session {
    let handle = try Handle.checked(new.handle)
    let name = try new.name.map(PersonName.checked) ?? handle
    try requireTaken(handle: handle, name: name)
    let email = try new.email.flatMap { $0.isEmpty ? nil : $0 }.map(EmailAddress.checked)
    let password = try Password.checked(new.password, handle: handle, email: email)
    // Handles are public. Whoever has to choose another one must not wait for the hash of a password.
    let key = idempotencyKey.map { SecretToken.hash(of: "sign-up/1\n\(handle)\n\($0)") }
    if let known = try await database.read({ try store.find(handle: handle, in: $0) }) {
      return try await signUpAgain(known, key, password, client)
    }
    let row = AccountStore.Row(
      id: guest ?? Identifier.make(at: time), handle: handle, name: name, pendingEmail: email,
      passwordHash: try await hashing.hash(password), role: .member, createdAtMs: time.nowMs,
      signUpKey: key, readMs: time.nowMs)
    switch try await database.write({ try make(row, client: client, in: $0) }) {
    case .known(let known): return try await signUpAgain(known, key, password, client)
    case .made(let made, let opened):
      if let email { outbox.add(.confirmation(account: made.id, email: email)) }
      return try await session(opened, of: made)
    }
  }

  enum SignUp: Sendable {
    case made(AccountStore.Row, SessionStore.Opened)
    case known(AccountStore.Row)
  }

  /// An account, its author and its first session, unless somebody has the handle.
  func make(
    _ row: AccountStore.Row, client: String, in transaction: any Transaction
  ) throws -> SignUp {
    var row = row
    // What a guest left who is gone is still being removed.
    if try ErasureLog(time: time).isGone(.viewer, row.id, in: transaction) {
      row.id = Identifier.make(at: time)
    }
    if try !store.insert(row, in: transaction) {
      // Of two at once the other was first.
      if let known = try store.find(handle: row.handle, in: transaction) { return .known(known) }
      // The guest is an account already: the same request came twice.
      row.id = Identifier.make(at: time)
      guard try store.insert(row, in: transaction) else { throw AppError(.handleTaken, field: "handle") }
    }
    try around.faces.makeFace(id: row.id, handle: row.handle, name: row.name, in: transaction)
    return .made(row, try sessions.open(for: row.id, client: client, in: transaction))
  }

  /// For how long a sign-up can be repeated, in milliseconds.
  private static let signUpLifeMs: Int64 = 86_400_000

  private func signUpAgain(
    _ row: AccountStore.Row, _ key: String?, _ password: [UInt8], _ client: String
  ) async throws -> Session {
    guard let key, row.signUpKey == key, time.nowMs - row.createdAtMs < Self.signUpLifeMs else {
      throw AppError(.handleTaken, field: "handle")
    }
    guard try await hashing.isRight(password, for: row.passwordHash) else {
      throw AppError(.idempotencyKeyReused)
    }
    let (now, opened) = try await database.write { transaction in
      try transaction.lock(row.id)
      // NB: an account that asks for a second step was entered since: no answer got lost.
      guard let now = try store.find(row.id, in: transaction), now.passwordHash == row.passwordHash,
        try !secondFactors.isOn(for: row.id, in: transaction)
      else { throw AppError(.handleTaken, field: "handle") }
      return (now, try sessions.open(for: row.id, client: client, in: transaction))
    }
    return try await session(opened, of: now)
  }

  /// Which account somebody means who gives this name to sign in, and what guesses at its password are
  /// counted by: the same for every spelling of every name of an account, and for every spelling of a name
  /// that nobody has.
  public func guessed(by name: String) async throws -> (key: String, account: String?) {
    if let id = try await database.read({ try store.find(named: name, in: $0)?.id }) {
      return ("account/\(id)", id)
    }
    // A name that is longer than any account's is one name.
    let folded = name.utf8.count <= Limits.emailBytes ? Handle.folded(name) : ""
    return ("name/" + ContentHash.of(Array(folded.utf8)), nil)
  }

  /// `guest`: who asks, if it is a guest, whose traces become the account's. `knownTo`: the accounts that
  /// were signed in to on this device before. Throws `credentials_wrong`, after the same work whatever it is
  /// that is wrong, and `second_step_needed`.
  public func signIn(
    _ new: NewSession, guest: String?, client: String, knownTo accounts: [String] = []
  ) async throws -> Session {
    let found = try await database.read { try store.find(named: new.handle, in: $0) }
    let password = Password.bytes(new.password)
    // NB: also for an account that is not there, and for a password that none can have: the answer takes as
    // long.
    let hash = found.flatMap { $0.hasPassword ? $0.passwordHash : nil }
    let isRight = try await hashing.isRight(password ?? [0], for: hash ?? hashing.decoy)
    guard let found, found.hasPassword, let password, isRight else {
      if let found { noteWrongPassword(for: found.id, by: client) }
      throw AppError(.credentialsWrong)
    }
    let stronger = hashing.isOutdated(found.passwordHash) ? try await hashing.hash(password) : nil
    let (row, entry) = try await database.write { transaction in
      // It may have another password by now, or be gone. Whoever changes that ends all sessions: none begins
      // beside it.
      try transaction.lock(found.id)
      guard let row = try store.find(found.id, in: transaction), row.passwordHash == found.passwordHash else {
        throw AppError(.credentialsWrong)
      }
      if let stronger {
        _ = try store.setPassword(of: row.id, from: found.passwordHash, to: stronger, in: transaction)
      }
      return (
        row, try open(row, guest: guest, client: client, knownTo: accounts, in: transaction)
      )
    }
    return try await session(entry, of: row)
  }

  /// What comes of a right password, or of a provider's word.
  func open(
    _ row: AccountStore.Row, guest: String?, client: String, knownTo accounts: [String],
    in transaction: any Transaction
  ) throws -> Entry {
    if try secondFactors.isOn(for: row.id, in: transaction) {
      return .secondStep(challenge: try secondFactors.addStep(of: row.id, in: transaction))
    }
    return try begin(row, guest: guest, client: client, knownTo: accounts, in: transaction)
  }

  /// A session of an account that exists, to which the guest's traces go; and what ended for it.
  func begin(
    _ row: AccountStore.Row, guest: String?, client: String, knownTo accounts: [String],
    in transaction: any Transaction
  ) throws -> Entry {
    if !accounts.contains(row.id) {
      try tell(.newDevice, of: row.id, by: client, to: row.email, in: transaction)
    }
    // NB: asked once more: a guest may have become an account since the request began.
    if let guest, guest != row.id, try !isTaken(guest, in: transaction) {
      for feature in around.merging { try feature.merge(guest, into: row.id, in: transaction) }
    }
    let opened = try sessions.open(for: row.id, client: client, in: transaction)
    let ended = try sessions.prune(of: row.id, in: transaction).map(Revocations.Subject.session)
    try revocations.note(ended, in: transaction)
    return .session(opened, ended: ended)
  }

  /// Throws `text_refused`.
  func requireTaken(handle: String, name: String) throws {
    try around.siteRules.requireTaken(handle, at: "handle")
    if name != handle { try around.siteRules.requireTaken(name, at: "name") }
  }

  /// Throws `account_not_found`.
  public func account(_ id: String) async throws -> Account { try await row(id).account }

  /// Throws `name_invalid`, `text_refused`, `email_invalid`, `password_wrong`, `proof_needed` and
  /// `sign_in_over`.
  public func change(_ id: String, _ change: AccountChange, client: String = "") async throws -> Account {
    let name = try change.name.map(PersonName.checked)
    if let name { try around.siteRules.requireTaken(name, at: "name") }
    let email = try change.email.map { $0.isEmpty ? $0 : try EmailAddress.checked($0) }
    let owner =
      email == nil
      ? nil : try await requireOwner(id, password: change.password, proof: change.proof, client: client)
    let row = try await database.write { transaction in
      if let owner { try use(owner, of: id, in: transaction) }
      guard let before = try store.find(id, in: transaction) else { throw AppError(.accountNotFound) }
      if let name {
        try store.rename(id, name, in: transaction)
        try around.faces.renameFace(id: id, name: name, in: transaction)
      }
      // What was sent to another address must not confirm this one, nor reset what it is no longer for.
      if email != nil { try store.removeLinks(.email, of: id, in: transaction) }
      if email == "" {
        try store.removeLinks(.reset, of: id, in: transaction)
        try store.removeEmail(of: id, in: transaction)
        if let old = before.email {
          try tell(.emailRemoved, of: id, by: client, to: old, in: transaction)
        }
      } else if let email, email != before.email {
        try store.setPending(email, of: id, in: transaction)
      } else if email != nil {
        try store.removePending(of: id, in: transaction)
      }
      return try store.find(id, in: transaction) ?? before
    }
    if let email, !email.isEmpty, row.pendingEmail == email {
      outbox.add(.confirmation(account: id, email: email))
    }
    outbox.sendNotices()
    return row.account
  }

  /// With everything in it. Throws `password_wrong`, `proof_needed` and `sign_in_over`.
  public func delete(_ id: String, _ deletion: AccountDeletion, client: String = "") async throws {
    try await erase(
      id,
      by: try await requireOwner(id, password: deletion.password, proof: deletion.proof, client: client))
  }

  func erase(_ id: String, by owner: Owner? = nil) async throws {
    let ended = try await database.write { transaction in
      try transaction.lock(id)
      if let owner { try use(owner, of: id, in: transaction) }
      let ended = try sessions.endAll(of: id, in: transaction).map(Revocations.Subject.session)
      try revocations.note(ended, in: transaction)
      for feature in around.erasing { try feature.erase(id, in: transaction) }
      try identities.erase(id, in: transaction)
      try transaction.execute("DELETE FROM accounts WHERE id = ?", [.text(id)])
      // A request of it may be on its way.
      try ErasureLog(time: time).note(.viewer, id, in: transaction)
      return ended
    }
    revocations.remember(ended)
    outbox.add(.revocations)
  }

  // MARK: Parts

  func row(_ id: String) async throws -> AccountStore.Row {
    guard let row = try await database.read({ try store.find(id, in: $0) }) else {
      throw AppError(.accountNotFound)
    }
    return row
  }

  /// Tokens for a session that was just opened or refreshed. They are of the time at which the row was read:
  /// whatever was taken back since ends them.
  func session(_ opened: SessionStore.Opened, of row: AccountStore.Row) async throws -> Session {
    let now = time.nowMs
    let claims = AccessClaims(
      account: row.id, session: opened.id, role: row.role, isSuspended: row.isSuspended,
      madeMs: row.readMs,
      // Not beyond the session's end.
      expiresMs: min(now + Self.accessLifeMs, opened.expiresMs))
    return Session(
      id: opened.id, account: row.account, accessToken: try await accessTokens.make(claims),
      refreshToken: opened.token, expiresAt: Date(timeIntervalSince1970: Double(claims.expiresMs) / 1000),
      refreshExpiresAt: Date(timeIntervalSince1970: Double(opened.expiresMs) / 1000))
  }

  /// The hash that was right. Throws `password_wrong`, and `proof_needed` if there is no password.
  func requirePassword(_ text: String, of id: String, field: String, client: String) async throws -> String {
    let row = try await row(id)
    guard row.hasPassword else { throw AppError(.proofNeeded) }
    let hash = row.passwordHash
    guard let bytes = Password.bytes(text), try await hashing.isRight(bytes, for: hash) else {
      // What was left out is no guess.
      if !text.isEmpty { noteWrongPassword(for: id, by: client) }
      throw AppError(.passwordWrong, field: field)
    }
    return hash
  }
}
