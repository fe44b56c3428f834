internal import Contract
internal import Foundation
internal import Platform

/// What accounts ask for beside a password or a provider, and sign-ins that wait for it.
struct SecondFactorStore: Sendable {
  static let migration = Migration(
    "0053_second_factors",
    [
      // NB: the secret itself, since codes are made of it. The instance's own keys lie in the same database:
      // a seal by one of them would be a lock with its key beside it.
      """
      CREATE TABLE code_apps (
          account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE, secret TEXT NOT NULL,
          used_step BIGINT NOT NULL, made_at_ms BIGINT NOT NULL, confirmed_at_ms BIGINT)
      """,
      """
      CREATE TABLE recovery_codes (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, code_hash TEXT NOT NULL,
          PRIMARY KEY (account_id, code_hash))
      """,
      """
      CREATE TABLE second_steps (
          account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE, secret_hash TEXT NOT NULL,
          expires_at_ms BIGINT NOT NULL, PRIMARY KEY (account_id, secret_hash))
      """,
      "CREATE INDEX second_steps_by_expiry ON second_steps (expires_at_ms)",
    ])

  struct CodeApp: Sendable {
    var secret: [UInt8]
    /// Codes of this step and of those before do not count any more.
    var usedStep: Int64
    var madeAtMs: Int64
    /// Nil: no code of it has come yet.
    var confirmedAtMs: Int64?
  }

  let time: any TimeSource

  // MARK: The app

  func codeApp(of account: String, in transaction: any Transaction) throws -> CodeApp? {
    try transaction.query("SELECT * FROM code_apps WHERE account_id = ?", [.text(account)]).first.map { row in
      CodeApp(
        secret: Base64URL.bytes(try row.text("secret")) ?? [], usedStep: try row.integer("used_step"),
        madeAtMs: try row.integer("made_at_ms"), confirmedAtMs: row.optionalInteger("confirmed_at_ms"))
    }
  }

  /// Whether signing in asks for a second step.
  func isOn(for account: String, in transaction: any Transaction) throws -> Bool {
    try codeApp(of: account, in: transaction)?.confirmedAtMs != nil
  }

  /// In place of one that was begun before.
  func begin(_ secret: [UInt8], of account: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM code_apps WHERE account_id = ?", [.text(account)])
    try transaction.execute(
      "INSERT INTO code_apps (account_id, secret, used_step, made_at_ms) VALUES (?, ?, 0, ?)",
      [.text(account), .text(Base64URL.text(secret)), .integer(time.nowMs)])
  }

  /// `step`: of the code by which it was shown that the app has the secret.
  func confirm(_ account: String, step: Int64, in transaction: any Transaction) throws {
    try transaction.execute(
      "UPDATE code_apps SET confirmed_at_ms = ?, used_step = ? WHERE account_id = ?",
      [.integer(time.nowMs), .integer(step), .text(account)])
  }

  /// False: a code of this step or of a later one was used already.
  func use(step: Int64, of account: String, in transaction: any Transaction) throws -> Bool {
    try transaction.execute(
      "UPDATE code_apps SET used_step = ? WHERE account_id = ? AND used_step < ?",
      [.integer(step), .text(account), .integer(step)]) == 1
  }

  /// With all that belongs to it.
  func remove(of account: String, in transaction: any Transaction) throws {
    for table in ["code_apps", "recovery_codes", "second_steps"] {
      try transaction.execute("DELETE FROM \(table) WHERE account_id = ?", [.text(account)])
    }
  }

  // MARK: Recovery codes

  /// In place of those before. Answers the codes, which are nowhere else.
  func makeRecoveryCodes(of account: String, in transaction: any Transaction) throws -> [String] {
    try transaction.execute("DELETE FROM recovery_codes WHERE account_id = ?", [.text(account)])
    let codes = (0..<Limits.recoveryCodes).map { _ in RecoveryCode.make() }
    for code in codes.compactMap(TypedCode.init) {
      try transaction.execute(
        "INSERT INTO recovery_codes (account_id, code_hash) VALUES (?, ?)",
        [.text(account), .text(RecoveryCode.hash(code, of: account))])
    }
    return codes
  }

  /// Uses it up. False: there is none such, or not any more.
  func use(_ code: TypedCode, of account: String, in transaction: any Transaction) throws -> Bool {
    guard RecoveryCode.canBe(code) else { return false }
    return try transaction.execute(
      "DELETE FROM recovery_codes WHERE account_id = ? AND code_hash = ?",
      [.text(account), .text(RecoveryCode.hash(code, of: account))]) == 1
  }

  func recoveryCodesLeft(of account: String, in transaction: any Transaction) throws -> Int {
    Int(
      clamping: try transaction.query(
        "SELECT COUNT(*) AS n FROM recovery_codes WHERE account_id = ?", [.text(account)])[0].integer("n"))
  }

  // MARK: Sign-ins that wait

  /// Whoever has it has shown the first of the two. Nobody collects them: the oldest go.
  func addStep(of account: String, in transaction: any Transaction) throws -> String {
    let secret = SecretToken.make()
    try transaction.execute(
      "INSERT INTO second_steps (account_id, secret_hash, expires_at_ms) VALUES (?, ?, ?)",
      [
        .text(account), .text(SecretToken.hash(of: secret)), .integer(time.nowMs + Limits.secondStepMs),
      ])
    let tooMany = try transaction.query(
      """
      SELECT secret_hash FROM second_steps WHERE account_id = ?
      ORDER BY expires_at_ms DESC, secret_hash DESC LIMIT 100 OFFSET ?
      """, [.text(account), SQLValue(Limits.secondSteps)])
    for row in tooMany {
      try transaction.execute(
        "DELETE FROM second_steps WHERE account_id = ? AND secret_hash = ?",
        [.text(account), .text(try row.text("secret_hash"))])
    }
    return "\(account).\(secret)"
  }

  func hasStep(_ link: Link, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT 1 AS n FROM second_steps WHERE account_id = ? AND secret_hash = ? AND expires_at_ms >= ?",
      [.text(link.account), .text(link.hash), .integer(time.nowMs)]
    ).isEmpty
  }

  func removeStep(_ link: Link, in transaction: any Transaction) throws {
    try transaction.execute(
      "DELETE FROM second_steps WHERE account_id = ? AND secret_hash = ?",
      [.text(link.account), .text(link.hash)])
  }

  /// Where what was shown first does not count any more.
  func removeSteps(of account: String, in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM second_steps WHERE account_id = ?", [.text(account)])
  }

  /// Steps that nobody took, and apps whose first code never came.
  func forget(in transaction: any Transaction) throws {
    try transaction.execute("DELETE FROM second_steps WHERE expires_at_ms < ?", [.integer(time.nowMs)])
    try transaction.execute(
      "DELETE FROM code_apps WHERE confirmed_at_ms IS NULL AND made_at_ms < ?",
      [.integer(time.nowMs - Limits.codeAppSetupMs)])
  }
}
