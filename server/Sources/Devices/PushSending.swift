public import Contract
public import Platform

/// What a person sees of a notification.
public struct PushNotification: Sendable, Equatable {
  public enum Text: Sendable, Equatable {
    /// Of a person's: as it is.
    case words(String)
    /// Put into words by the device, with names and numbers in its places.
    case sentence(PushSentence, [String])
  }

  public var kind: String
  public var title: Text?
  public var body: Text
  /// Messages that were not read.
  public var badge: Int
  /// Notifications of one thread lie on each other.
  public var thread: String
  public var clipID: String?
  public var authorID: String?
  public var commentID: String?
  public var generationID: String?
  /// The same notification again, or a later one of the same, takes the place of the one that is shown.
  public var name: String
  /// Whether somebody waits for it.
  public var isUrgent: Bool
  public var expiresMs: Int64
}

/// Where it goes.
public struct PushTarget: Sendable, Equatable {
  public var id: String
  /// A capability: in no log line.
  public var token: String
  public var environment: PushEnvironment
  public var topic: String
  /// Of a browser, whose token is its address at its push service; nil: an app's device.
  public var web: WebKeys?

  public enum Service: Sendable, Hashable { case apple, web }

  public var service: Service { web == nil ? .apple : .web }

  public init(
    id: String, token: String, environment: PushEnvironment = .production, topic: String = "",
    web: WebKeys? = nil
  ) {
    self.id = id
    self.token = token
    self.environment = environment
    self.topic = topic
    self.web = web
  }
}

/// With which a notification is encrypted so that one browser alone can read it, each in base64url.
public struct WebKeys: Sendable, Equatable {
  public var p256dh: String
  public var auth: String

  public init(p256dh: String, auth: String) {
    self.p256dh = p256dh
    self.auth = auth
  }

  static func stored(_ keys: NewWebDevice.Keys) -> String { "\(keys.p256dh) \(keys.auth)" }

  init?(stored: String) {
    let parts = stored.split(atByte: UInt8(ascii: " ")).map(String.init)
    guard parts.count == 2 else { return nil }
    self.init(p256dh: parts[0], auth: parts[1])
  }
}

/// Who can be reached among browsers.
public protocol WebReaching: Sendable {
  /// The public key that browsers subscribe with, in base64url.
  var key: String { get }
  /// Whether this can be written to, as far as can be told without asking anybody.
  func mayReach(_ new: NewWebDevice) -> Bool
}

/// What people want to be told on devices.
public protocol PushChoosing: Sendable {
  /// `kind`: a value of `PushKey`.
  func wantsPush(of kind: String, _ viewer: String, in transaction: any Transaction) throws -> Bool
  /// Whether everybody and this viewer can see the clip.
  func isPublic(_ clip: String, for viewer: String, in transaction: any Transaction) throws -> Bool
}

/// Each device by its own service.
public struct PushServices: PushSending {
  private let senders: [PushTarget.Service: any PushSending]

  public init(_ senders: [PushTarget.Service: any PushSending]) { self.senders = senders }

  public func send(_ notification: PushNotification, to target: PushTarget) async -> PushOutcome {
    await senders[target.service]?.send(notification, to: target) ?? .refused("nobody writes to it here")
  }
}

/// What became of it.
public enum PushOutcome: Sendable, Equatable {
  case taken
  /// There is no such device any more, as was known at that time; nil: it never was one.
  case gone(sinceMs: Int64?)
  /// It will never be taken.
  case refused(String)
  /// This device takes no more for now.
  case later(afterMs: Int64?)
  /// The service takes nothing for now, from nobody.
  case unavailable(afterMs: Int64?, String)
}

/// Hands notifications to whoever reaches devices.
public protocol PushSending: Sendable {
  /// Says what became of it, in a time that ends. The same one may be sent again.
  func send(_ notification: PushNotification, to target: PushTarget) async -> PushOutcome
}

/// What may be told of messages, when it is told.
public protocol PushedMessages: Sendable {
  /// Nil: the message is gone, or was read.
  func unreadText(
    ofMessage id: String, to receiver: String, by sender: String, in transaction: any Transaction
  ) throws
    -> String?
  /// Of all conversations, without those of whom the viewer is kept apart from.
  func unreadCount(of viewer: String, in transaction: any Transaction) throws -> Int
}

/// What may be told of comments, when it is told.
public protocol PushedComments: Sendable {
  /// Nil: it is gone, or the viewer is kept apart from it.
  func text(ofComment id: String, for viewer: String, in transaction: any Transaction) throws -> String?
}
