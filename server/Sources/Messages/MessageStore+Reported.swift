internal import Contract
public import Platform

/// For moderators.
extension MessageStore {
  /// As it is when its receiver reports it.
  public struct Reported: Sendable {
    /// An account or a guest.
    public let sender: String
    public let clipID: String?
    public let text: String
  }

  /// Nobody but its receiver reports a message. Throws `message_not_found`.
  public func reported(
    _ id: String, by receiver: String, in transaction: any Transaction
  ) throws -> Reported {
    let row = try transaction.query(
      "SELECT sender_id, text, clip_id FROM messages WHERE receiver_id = ? AND id = ?",
      [.text(receiver), .text(id)]
    ).first
    guard let row else { throw AppError(.messageNotFound) }
    return Reported(
      sender: try row.text("sender_id"), clipID: row.optionalText("clip_id"), text: try row.text("text"))
  }
}
