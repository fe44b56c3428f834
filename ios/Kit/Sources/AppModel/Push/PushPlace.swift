internal import Contract

/// Where a tap on a notification leads.
///
/// What a notification carries came over the network: it is a place only if every part of it is what the
/// server says there. What is not leads nowhere, and the app opens as it always does.
public enum PushPlace: Equatable, Sendable {
  case conversation(with: String)
  case clip(String)
  case comment(String, of: String)
  /// Of the person's own: what became of an upload.
  case uploads
  /// A clip from words; `nil`: all of them, where it does not say which.
  case generation(String?)
  /// Who follows.
  case notices
  /// One's own: one was switched off.
  case webhooks

  /// `payload`: all of the notification, of whatever types.
  public init?(_ payload: [AnyHashable: Any]) {
    switch payload[PushKey.kind] as? String {
    case PushKey.message:
      guard let author = Self.id(payload[PushKey.author]) else { return nil }
      self = .conversation(with: author)
    case PushKey.like, PushKey.reaction, PushKey.published, PushKey.newClip:
      guard let clip = Self.id(payload[PushKey.clip]) else { return nil }
      self = .clip(clip)
    case PushKey.comment, PushKey.reply, PushKey.mention, PushKey.commentLike:
      guard let clip = Self.id(payload[PushKey.clip]), let comment = Self.id(payload[PushKey.commentID])
      else { return nil }
      self = .comment(comment, of: clip)
    case PushKey.failed: self = .uploads
    case PushKey.generated, PushKey.generationFailed:
      self = .generation(Self.id(payload[PushKey.generation]))
    case PushKey.follow: self = .notices
    case PushKey.webhookOff: self = .webhooks
    // Of a newer server.
    default: return nil
    }
  }

  /// As every id of the server's is spelled.
  private static func id(_ value: Any?) -> String? {
    guard let text = value as? String, (1...64).contains(text.utf8.count) else { return nil }
    let isOne = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isOne ? text : nil
  }
}

/// The sentences of notifications, as the app's catalog has them. The system shows them, by the key that the
/// server sends; so they are named here, and nobody takes them out of the catalog as not used.
enum PushTexts {
  static let all: [PushSentence: String] = [
    .guest: "Guest",
    .like: "%@ likes your clip",
    .likes: "%1$@ and %2$@ others like your clips",
    .twoLike: "%@ and somebody else like your clips",
    .reaction: "%1$@ reacted to your clip with %2$@",
    .reactions: "%@ and others reacted to your clips",
    .follow: "%@ follows you",
    .follows: "%1$@ and %2$@ others follow you",
    .twoFollow: "%@ and somebody else follow you",
    .published: "Your clip is published",
    .failed: "Your clip could not be published",
    .generated: "Your clip is made: have a look",
    .generationFailed: "Your clip could not be made",
    .webhookOff: "A webhook of yours was switched off",
    .newClip: "%@ published a clip",
    .comment: "%1$@ commented: %2$@",
    .reply: "%1$@ replied: %2$@",
    .mention: "%1$@ mentioned you: %2$@",
    .commentLike: "%@ likes your comment",
    .commentLikes: "%1$@ and %2$@ others like your comments",
    .twoCommentLike: "%@ and somebody else like your comments",
  ]
}
