public import Platform

/// What an account takes along of what is kept to sign in by.
public struct AccountRecords: ViewerExporting {
  public init() {}

  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "account", "The account itself, without its password.",
        of: ["accounts.id"],
        fields: [
          "id", "handle", "name", "email", "pending_email", "role", "created_at_ms", "suspended_at_ms",
        ],
        sql: """
          SELECT id AS place, id, handle, name, email, pending_email, role, created_at_ms, suspended_at_ms FROM accounts
          WHERE id = ?
          """),
      ExportedRecords(
        "sessions", "Devices that are signed in, as they call themselves.",
        of: ["sessions.account_id"],
        fields: ["id", "client", "created_at_ms", "rotated_at_ms", "expires_at_ms"],
        sql: """
          SELECT id AS place, id, client, created_at_ms, rotated_at_ms, expires_at_ms FROM sessions WHERE account_id = ?
          """),
      ExportedRecords(
        "identities", "By whom else the account can be signed in to.",
        of: ["identities.account_id"],
        fields: ["id", "issuer", "subject", "email", "connected_at_ms"],
        sql: """
          SELECT id AS place, id, issuer, subject, email, connected_at_ms FROM identities WHERE account_id = ?
          """),
      ExportedRecords(
        "passkeys", "Keys of devices that open the account, by their names.",
        of: ["passkeys.account_id"],
        fields: ["id", "name", "created_at_ms", "used_at_ms"],
        sql: """
          SELECT id AS place, id, name, created_at_ms, used_at_ms FROM passkeys WHERE account_id = ?
          """),
      ExportedRecords(
        "api_keys", "Keys by which programs act for the account, by their names and without their secrets.",
        of: ["api_keys.account_id"],
        fields: ["id", "name", "scopes", "created_at_ms", "used_at_ms", "expires_at_ms", "revoked_at_ms"],
        sql: """
          SELECT id AS place, id, name, scopes, created_at_ms, used_at_ms, expires_at_ms, revoked_at_ms FROM api_keys
          WHERE account_id = ?
          """),
      ExportedRecords(
        "code_app", "Since when an app makes codes for the account, without its secret.",
        of: ["code_apps.account_id"],
        fields: ["made_at_ms", "confirmed_at_ms"],
        sql: """
          SELECT account_id AS place, made_at_ms, confirmed_at_ms FROM code_apps WHERE account_id = ?
          """),
      ExportedRecords(
        "account_notices", "What happened to the safety of the account.",
        of: ["account_notices.account_id"],
        fields: ["id", "kind", "device", "provider", "times", "at_ms"],
        sql: """
          SELECT id AS place, id, kind, device, provider, times, at_ms FROM account_notices WHERE account_id = ?
          """),
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "account_links.account_id",
        because: "links that were sent and not used: they open the account"),
      KeptColumns(
        "notice_mails.account_id",
        because: "messages on their way, which say what `account_notices` says"),
      KeptColumns(
        "sign_in_tickets.account_id", "second_steps.account_id",
        because: "secrets of a sign-in that is under way"),
      KeptColumns(
        "recovery_codes.account_id",
        because: "hashes of codes that open the account"),
    ]
  }
}
