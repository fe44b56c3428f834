public import Contract

extension WebhookEvent {
  /// What can be heard of.
  public var sentence: Sentence {
    switch self {
    case .generationReady: "A clip from words is ready"
    case .generationFailed: "A clip from words could not be made"
    case .clipPublished: "A clip of yours is published"
    }
  }
}

extension Webhook {
  /// How it is, and why where its owner did not ask for that.
  public var state: Sentence {
    switch problem {
    case .gone: "Off: it answered that it is gone."
    case .failing: "Off: it took nothing for three days."
    case nil: enabled ? "On" : "Off"
    }
  }
}

extension WebhookDelivery {
  /// What became of it.
  public var outcome: Sentence {
    switch state {
    case .delivered: reason.map { Sentence("Delivered. %@", [.sentence($0)]) } ?? "Delivered."
    case .failed: reason.map { Sentence("Not delivered. %@", [.sentence($0)]) } ?? "Not delivered."
    case .waiting where tries == 0: "About to be sent."
    case .waiting: reason.map { Sentence("%@ It is tried again.", [.sentence($0)]) } ?? "Being tried."
    }
  }

  /// What the last try came to; `nil`: there is nothing to say.
  private var reason: Sentence? {
    if let status { return Sentence("It answered %@.", "\(status)") }
    return switch problem {
    case .unreachable: "There was no connection."
    case .timeout: "There was no answer in time."
    case .addressRefused: "The address is not on the open network."
    case nil: nil
    }
  }
}
