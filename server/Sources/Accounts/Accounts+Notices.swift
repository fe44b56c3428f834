public import Contract
internal import Foundation
internal import Platform

/// Owners are told of what matters to the safety of their account: in the account, and by mail where there is
/// both a mail program and an address that is confirmed.
extension Accounts {
  /// Newest first. A cursor belongs to the list of one account. Throws `invalid_cursor`.
  public func notices(of account: String, cursor: String?, limit: Int) async throws -> NoticePage {
    let codec = CursorCodec(keys: cursorKeys, list: "notices/\(account)")
    let place: String? = try cursor.map {
      guard case .words(let place) = try codec.place(of: $0) else { throw AppError(.invalidCursor) }
      return place
    }
    let found = try await database.read {
      try notices.list(of: account, below: place, limit: limit, in: $0)
    }
    let shown = Array(found.prefix(limit))
    return NoticePage(
      items: shown, nextCursor: found.count > limit ? shown.last.map { codec.token($0.id) } : nil)
  }

  /// In the transaction of what is told of. `addresses`: of the account, before and after it. Whoever calls
  /// says `outbox.sendNotices()` once that is done.
  func tell(
    _ kind: AccountNotice.Kind, of account: String, by client: String, provider: String? = nil,
    to addresses: String?..., in transaction: any Transaction
  ) throws {
    var recipients: [String] = []
    if around.mail != nil, around.origin != nil {
      for case let address? in addresses
      where !recipients.contains(where: { EmailAddress.key($0) == EmailAddress.key(address) }) {
        recipients.append(address)
      }
    }
    try notices.add(
      .init(kind: kind, device: DeviceName.of(client), provider: provider), to: account,
      addresses: recipients, in: transaction)
  }

  /// After the answer: it takes as long as for an account that is not there.
  func noteWrongPassword(for account: String, by client: String) {
    if wrongPasswords.isEnough(with: account) {
      outbox.add(Outbox.Guesses(account: account, client: client))
    }
  }

  /// Once a day at most, however many processes count.
  func run(_ guesses: Outbox.Guesses) async throws {
    let account = guesses.account
    try await database.write { transaction in
      try transaction.lock(account)
      guard let row = try store.find(account, in: transaction),
        try !notices.has(
          guesses.kind, since: time.nowMs - NoticeStore.dayMs, of: account, in: transaction)
      else { return }
      try tell(guesses.kind, of: account, by: guesses.client, to: row.email, in: transaction)
    }
    outbox.sendNotices()
  }

  // MARK: Messages

  /// Sends what is due. A message goes out at least once: one whose sending was cut off goes again. Throws
  /// the last thing that went wrong; it is tried again later.
  public func sendNotices() async throws {
    guard let mail = around.mail, let origin = around.origin else { return }
    var failure: (any Error)?
    while let (due, handle) = try await database.write({ try takeMail(in: $0) }) {
      do {
        try await mail.send(
          NoticeMail.made(due.notice, atMs: due.atMs, handle: handle, address: due.address, origin: origin))
      } catch {
        failure = error
        continue
      }
      try await database.write { try notices.removeMail(due.id, of: due.account, in: $0) }
    }
    if let failure { throw failure }
  }

  private func takeMail(in transaction: any Transaction) throws -> (NoticeStore.Due, handle: String)? {
    // A message goes with its account.
    guard let due = try notices.takeMail(in: transaction),
      let row = try store.find(due.account, in: transaction)
    else { return nil }
    return (due, row.handle)
  }
}
