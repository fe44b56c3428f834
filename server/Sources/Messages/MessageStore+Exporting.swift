public import Platform

extension MessageStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "messages", "What the account has written to others and what they have written to it.",
        of: ["messages.sender_id", "messages.receiver_id"],
        fields: ["id", "own", "peer_id", "peer_handle", "text", "clip_id", "created_at_ms"], persons: 2,
        sql: """
          SELECT m.id || '/' || m.receiver_id AS place, m.id, 1 AS own, m.receiver_id AS peer_id, a.handle AS peer_handle,
              m.text, m.clip_id, m.created_at_ms
          FROM messages m LEFT JOIN authors a ON a.id = m.receiver_id WHERE m.sender_id = ?
          UNION ALL
          SELECT m.id || '/' || m.sender_id, m.id, 0, m.sender_id, a.handle, m.text, m.clip_id, m.created_at_ms
          FROM messages m LEFT JOIN authors a ON a.id = m.sender_id WHERE m.receiver_id = ?
          """),
      ExportedRecords(
        "conversations", "With whom the account writes, and how much of it is unread.",
        of: ["conversations.owner_id"],
        fields: ["peer_id", "peer_handle", "unread", "begun_at_ms"],
        sql: """
          SELECT c.peer_id AS place, c.peer_id, a.handle AS peer_handle, c.unread, c.begun_at_ms FROM conversations c
          LEFT JOIN authors a ON a.id = c.peer_id WHERE c.owner_id = ?
          """),
    ]
  }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "conversations.peer_id",
        because: "how much the other one has read is theirs to know")
    ]
  }
}
