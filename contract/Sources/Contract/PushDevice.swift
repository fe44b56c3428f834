public import Foundation

/// Which of Apple's two services a device's token belongs to: that of the App Store and of TestFlight, or
/// that of apps that Xcode installs.
public enum PushEnvironment: String, Codable, Sendable, CaseIterable {
  case production, sandbox
}

/// The body that registers a device to be told of what happens while the app is not open.
public struct NewPushDevice: Codable, Sendable, Equatable {
  /// What the system gave the app, in hexadecimal.
  public var token: String
  public var environment: PushEnvironment
  /// The bundle id of the app.
  public var topic: String
  public var locale: String?

  public init(token: String, environment: PushEnvironment, topic: String, locale: String? = nil) {
    self.token = token
    self.environment = environment
    self.topic = topic
    self.locale = locale
  }
}

/// The body that registers a browser: what `PushSubscription.toJSON()` gives there.
public struct NewWebDevice: Codable, Sendable, Equatable {
  public struct Keys: Codable, Sendable, Equatable {
    /// A point of P-256, not compressed, and 16 bytes; each in base64url.
    public var p256dh: String
    public var auth: String

    public init(p256dh: String, auth: String) {
      self.p256dh = p256dh
      self.auth = auth
    }
  }

  /// The browser's address at its push service.
  public var endpoint: String
  public var keys: Keys
  public var locale: String?

  public init(endpoint: String, keys: Keys, locale: String? = nil) {
    self.endpoint = endpoint
    self.keys = keys
    self.locale = locale
  }
}

/// A device that is told. Its token is never told again: whoever has it could have notices for another.
public struct PushDevice: Codable, Sendable, Equatable {
  public var id: String
  /// Nil, as the topic is: a browser.
  public var environment: PushEnvironment?
  public var topic: String?
  public var locale: String?
  public var createdAt: Date
  public var registeredAt: Date
  /// The session that asks registered it.
  public var isCurrent: Bool

  public init(
    id: String, environment: PushEnvironment?, topic: String?, locale: String? = nil, createdAt: Date,
    registeredAt: Date, isCurrent: Bool
  ) {
    self.id = id
    self.environment = environment
    self.topic = topic
    self.locale = locale
    self.createdAt = createdAt
    self.registeredAt = registeredAt
    self.isCurrent = isCurrent
  }
}

public struct PushDevices: Codable, Sendable, Equatable {
  /// Registered last first.
  public var items: [PushDevice]
  /// The app that is written to; nil: this server sends no notifications, so nobody need be asked whether
  /// they may come.
  public var topic: String?
  /// The key that a browser subscribes with (RFC 8292); nil: none is written to.
  public var webKey: String?

  public init(items: [PushDevice], topic: String? = nil, webKey: String? = nil) {
    self.items = items
    self.topic = topic
    self.webKey = webKey
  }
}

/// What a notification says beside what the system shows of it: where a tap on it leads. Names of its keys
/// beside `aps`, and the values of `kind`.
public enum PushKey {
  public static let kind = "kind"
  /// Of `like`, `reaction`, `published`, `failed`, `generated`, `new_clip` and those of comments, and of a
  /// message about a clip.
  public static let clip = "clip"
  /// Of `message` and `follow`: who wrote or follows.
  public static let author = "author"
  /// Of `comment`, `reply` and `mention`: the comment that was written. Of `comment_like`: the one that is
  /// liked.
  public static let commentID = "comment"
  /// Of `generated` and `generation_failed`: which.
  public static let generation = "generation"

  public static let message = "message"
  public static let like = "like"
  public static let reaction = "reaction"
  public static let follow = "follow"
  public static let published = "published"
  public static let failed = "failed"
  public static let generated = "generated"
  public static let generationFailed = "generation_failed"
  public static let webhookOff = "webhook_off"
  public static let newClip = "new_clip"
  public static let comment = "comment"
  public static let reply = "reply"
  public static let mention = "mention"
  public static let commentLike = "comment_like"
}

/// The sentences of notifications as the app's catalogue of texts has them: the system puts the words of
/// the phone's language in their place.
public enum PushSentence: String, Sendable, CaseIterable {
  case guest = "Guest"
  case like = "%@ likes your clip"
  case likes = "%1$@ and %2$@ others like your clips"
  case twoLike = "%@ and somebody else like your clips"
  case reaction = "%1$@ reacted to your clip with %2$@"
  case reactions = "%@ and others reacted to your clips"
  case follow = "%@ follows you"
  case follows = "%1$@ and %2$@ others follow you"
  case twoFollow = "%@ and somebody else follow you"
  case published = "Your clip is published"
  case failed = "Your clip could not be published"
  case generated = "Your clip is made: have a look"
  case generationFailed = "Your clip could not be made"
  case webhookOff = "A webhook of yours was switched off"
  case newClip = "%@ published a clip"
  /// Who wrote it, and what.
  case comment = "%1$@ commented: %2$@"
  case reply = "%1$@ replied: %2$@"
  case mention = "%1$@ mentioned you: %2$@"
  case commentLike = "%@ likes your comment"
  case commentLikes = "%1$@ and %2$@ others like your comments"
  case twoCommentLike = "%@ and somebody else like your comments"

  /// In the language of the catalogue's keys, for whoever has no catalogue.
  public func words(_ arguments: [String]) -> String {
    var text = ""
    var rest = rawValue[...]
    var next = 0
    while let start = rest.firstIndex(of: "%") {
      text += rest[..<start]
      rest = rest[start...].dropFirst()
      var place = next
      if let digit = rest.first?.wholeNumberValue {
        place = digit - 1
        rest = rest.dropFirst(2)
      } else {
        next += 1
      }
      rest = rest.dropFirst()
      if arguments.indices.contains(place) { text += arguments[place] }
    }
    return text + rest
  }
}
