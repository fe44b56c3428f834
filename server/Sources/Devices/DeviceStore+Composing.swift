internal import Contract
internal import Platform

extension DeviceStore {
  /// What a notice says now, and to which device. Nil: nothing, for good: it was read, its people are kept
  /// apart, the device is somebody else's or silent.
  func compose(_ due: Due) async throws -> (PushNotification, PushTarget)? {
    try await database.read { transaction in
      // A device without a session is a guest's. NB: one of an account is silent until it is registered in a
      // session, with whose end it goes.
      let row = try transaction.query(
        """
        SELECT viewer_id, token, environment, topic, web_keys FROM push_devices WHERE id = ?
            AND (session_id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM accounts WHERE id = viewer_id))
        """, [.text(due.deviceID)]
      ).first
      guard let row, let target = try target(row, due.deviceID) else { return nil }
      let viewer = try row.text("viewer_id")
      // Switched off meanwhile.
      guard try choices.wantsPush(of: due.kind, viewer, in: transaction) else { return nil }
      if let actor = due.actorID,
        try blocking.hasAnyBlock(viewer, in: transaction),
        try blocking.blocked(from: viewer, among: [actor], in: transaction).contains(actor)
      {
        return nil
      }
      guard
        var notification = try words(of: due, for: viewer, in: transaction)
      else { return nil }
      notification.badge = try messages.unreadCount(of: viewer, in: transaction)
      return (notification, target)
    }
  }

  /// Nil: nobody writes to it here.
  private func target(_ row: Row, _ id: String) throws -> PushTarget? {
    guard let environment = PushEnvironment(rawValue: try row.text("environment")) else { return nil }
    var target = PushTarget(
      id: id, token: try row.text("token"), environment: environment, topic: try row.text("topic"))
    guard let stored = row.optionalText("web_keys") else { return target.topic == topic ? target : nil }
    guard web != nil, let keys = WebKeys(stored: stored) else { return nil }
    target.web = keys
    return target
  }

  private func words(
    of due: Due, for viewer: String, in transaction: any Transaction
  ) throws -> PushNotification? {
    let name = try due.actorID.flatMap { try self.name(of: $0, in: transaction) }
    var notification = PushNotification(
      kind: due.kind, body: .sentence(.guest, []), badge: 0, thread: due.kind, clipID: due.clipID,
      name: due.name, isUrgent: false, expiresMs: due.createdMs + Self.noticeLifeMs)
    switch due.kind {
    case PushKey.message:
      guard let sender = due.actorID, let id = due.subject,
        let text = try messages.unreadText(ofMessage: id, to: viewer, by: sender, in: transaction)
      else { return nil }
      notification.title = name.map(PushNotification.Text.words) ?? .sentence(.guest, [])
      notification.body = .words(text)
      notification.thread = "\(PushKey.message)/\(sender)"
      notification.authorID = sender
      notification.isUrgent = true
    case PushKey.commentLike:
      guard let id = due.subject, try comments.text(ofComment: id, for: viewer, in: transaction) != nil,
        let body = Self.sentence(due, by: name)
      else { return nil }
      notification.body = body
      notification.commentID = id
    case PushKey.like, PushKey.follow, PushKey.reaction:
      guard let body = Self.sentence(due, by: name) else { return nil }
      notification.body = body
      if due.kind == PushKey.follow { notification.authorID = due.actorID }
    case PushKey.comment, PushKey.reply, PushKey.mention:
      guard let id = due.subject,
        let text = try comments.text(ofComment: id, for: viewer, in: transaction)
      else { return nil }
      if let name {
        notification.body = .sentence(Self.sentence(ofComment: due.kind), [name, text])
      } else {
        notification.title = .sentence(.guest, [])
        notification.body = .words(text)
      }
      notification.commentID = id
    case PushKey.published: notification.body = .sentence(.published, [])
    case PushKey.failed: notification.body = .sentence(.failed, [])
    case PushKey.generated, PushKey.generationFailed:
      notification.body = .sentence(due.kind == PushKey.generated ? .generated : .generationFailed, [])
      notification.generationID = due.subject
    case PushKey.webhookOff: notification.body = .sentence(.webhookOff, [])
    case PushKey.newClip:
      guard let name, let clip = due.clipID, try choices.isPublic(clip, for: viewer, in: transaction)
      else { return nil }
      notification.body = .sentence(.newClip, [name])
    default: return nil
    }
    return notification
  }

  private static func sentence(ofComment kind: String) -> PushSentence {
    switch kind {
    case PushKey.reply: .reply
    case PushKey.mention: .mention
    default: .comment
    }
  }

  /// Nil: whoever did it is gone.
  private static func sentence(_ due: Due, by name: String?) -> PushNotification.Text? {
    guard let name else { return nil }
    let others = due.times - 1
    switch (due.kind, others) {
    case (PushKey.like, 0): return .sentence(.like, [name])
    case (PushKey.like, 1): return .sentence(.twoLike, [name])
    case (PushKey.like, _): return .sentence(.likes, [name, "\(others)"])
    case (PushKey.follow, 0): return .sentence(.follow, [name])
    case (PushKey.follow, 1): return .sentence(.twoFollow, [name])
    case (PushKey.follow, _): return .sentence(.follows, [name, "\(others)"])
    case (PushKey.commentLike, 0): return .sentence(.commentLike, [name])
    case (PushKey.commentLike, 1): return .sentence(.twoCommentLike, [name])
    case (PushKey.commentLike, _): return .sentence(.commentLikes, [name, "\(others)"])
    case (PushKey.reaction, 0):
      guard let sign = due.subject.flatMap(Reaction.init(rawValue:))?.sign else { return nil }
      return .sentence(.reaction, [name, sign])
    case (PushKey.reaction, _): return .sentence(.reactions, [name])
    default: return nil
    }
  }

  /// Nil: a guest, or somebody who is gone.
  func name(of author: String, in transaction: any Transaction) throws -> String? {
    try transaction.query("SELECT name FROM authors WHERE id = ?", [.text(author)]).first?.text("name")
  }
}

extension Reaction {
  /// As every keyboard has it.
  fileprivate var sign: String {
    switch self {
    case .heart: "❤️"
    case .laugh: "😂"
    case .wow: "😮"
    case .clap: "👏"
    case .fire: "🔥"
    case .cry: "😢"
    }
  }
}
