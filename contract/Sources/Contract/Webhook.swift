public import Foundation

/// What an endpoint of webhooks can hear of.
public enum WebhookEvent: String, Codable, Sendable, CaseIterable {
  case generationReady = "generation.ready"
  case generationFailed = "generation.failed"
  /// Everybody can see it from now on.
  case clipPublished = "clip.published"

  /// The type of a message that its owner asked for, to see whether it comes.
  public static let test = "webhook.test"
}

/// Why an endpoint was switched off, though its owner did not ask for it.
public enum WebhookProblem: String, Codable, Sendable, CaseIterable {
  /// A message was given up after 72 hours, and no other was taken meanwhile.
  case failing
  /// It answered with 410.
  case gone
}

/// An address that hears of what happens to an account.
public struct Webhook: Codable, Sendable, Equatable, Identifiable {
  public var id: String
  public var address: String
  public var events: [WebhookEvent]
  public var enabled: Bool
  /// Nil for one that its owner switched off, as for one that is on.
  public var problem: WebhookProblem?
  public var createdAt: Date
  /// When it took a message the last time.
  public var deliveredAt: Date?

  public init(
    id: String, address: String, events: [WebhookEvent], enabled: Bool, problem: WebhookProblem? = nil,
    createdAt: Date, deliveredAt: Date? = nil
  ) {
    self.id = id
    self.address = address
    self.events = events
    self.enabled = enabled
    self.problem = problem
    self.createdAt = createdAt
    self.deliveredAt = deliveredAt
  }
}

public struct WebhookList: Codable, Sendable, Equatable {
  /// Made first first.
  public var items: [Webhook]
  /// How many one may have; 0: this server sends none for accounts.
  public var most: Int
  /// Whether the sign-in of the account was verified, before which none can be made.
  public var verified: Bool

  public init(items: [Webhook], most: Int, verified: Bool = true) {
    self.items = items
    self.most = most
    self.verified = verified
  }
}

/// The body that makes one.
public struct NewWebhook: Codable, Sendable, Equatable {
  public var address: String
  public var events: [WebhookEvent]

  public init(address: String, events: [WebhookEvent]) {
    self.address = address
    self.events = events
  }
}

/// The body that changes one. What is left out stays.
public struct WebhookChange: Codable, Sendable, Equatable {
  public var events: [WebhookEvent]?
  public var enabled: Bool?

  public init(events: [WebhookEvent]? = nil, enabled: Bool? = nil) {
    self.events = events
    self.enabled = enabled
  }
}

/// An endpoint with the secret by which it knows us, which is in no later answer.
public struct WebhookWithSecret: Codable, Sendable, Equatable {
  public var webhook: Webhook
  /// `whsec_` and base64.
  public var secret: String

  public init(webhook: Webhook, secret: String) {
    self.webhook = webhook
    self.secret = secret
  }
}

public enum WebhookDeliveryState: String, Codable, Sendable, CaseIterable {
  /// For its first try, or for another one.
  case waiting
  case delivered
  /// It is not tried again.
  case failed
}

/// Why there was no answer.
public enum WebhookDeliveryProblem: String, Codable, Sendable, CaseIterable {
  /// No connection, or one that is not secure.
  case unreachable
  case timeout
  /// The name leads to an address that is not of the open network.
  case addressRefused = "address_refused"
}

/// A message to an endpoint, and what became of it.
public struct WebhookDelivery: Codable, Sendable, Equatable, Identifiable {
  /// The `webhook-id` of each of its tries.
  public var id: String
  /// A `WebhookEvent`, or `webhook.test`.
  public var event: String
  public var state: WebhookDeliveryState
  public var tries: Int
  public var createdAt: Date
  /// The last try.
  public var triedAt: Date?
  /// Of the last answer; nil: there was none.
  public var status: Int?
  public var problem: WebhookDeliveryProblem?
  public var tookMs: Int?
  /// While it waits for another try.
  public var nextAt: Date?

  public init(id: String, event: String, state: WebhookDeliveryState, tries: Int, createdAt: Date) {
    self.id = id
    self.event = event
    self.state = state
    self.tries = tries
    self.createdAt = createdAt
  }
}

public struct WebhookDeliveries: Codable, Sendable, Equatable {
  /// The last ones, newest first.
  public var items: [WebhookDelivery]

  public init(items: [WebhookDelivery]) { self.items = items }
}

/// The body of a message to an endpoint, by the names of Standard Webhooks.
public struct WebhookMessage: Codable, Sendable, Equatable {
  /// What it is about: ids and an address, since whoever may see more can ask for it.
  public struct Subject: Codable, Sendable, Equatable {
    public var generationId: String?
    public var clipId: String?
    /// Whose it is.
    public var authorId: String?
    /// Where it is; nil: the server does not know its own address.
    public var url: String?

    public init(
      generationId: String? = nil, clipId: String? = nil, authorId: String? = nil, url: String? = nil
    ) {
      self.generationId = generationId
      self.clipId = clipId
      self.authorId = authorId
      self.url = url
    }
  }

  /// A `WebhookEvent`, or `webhook.test`.
  public var type: String
  /// When it happened.
  public var timestamp: Date
  public var data: Subject

  public init(type: String, timestamp: Date, data: Subject) {
    self.type = type
    self.timestamp = timestamp
    self.data = data
  }
}

/// Headers of a message, by the names of Standard Webhooks, in lower case.
public enum WebhookHeader {
  public static let id = "webhook-id"
  /// Seconds since 1970.
  public static let timestamp = "webhook-timestamp"
  public static let signature = "webhook-signature"
}
