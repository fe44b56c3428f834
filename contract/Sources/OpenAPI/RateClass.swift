extension Operation {
  /// What is counted together: a token bucket of its own for everybody who is counted. `burst` requests at
  /// once, then one per `intervalMs`, in milliseconds.
  public struct RateClass: Sendable, Equatable {
    /// In metrics, and in the shared cache.
    public let name: String
    public let burst: Int64
    public let intervalMs: Int64

    public init(_ name: String, burst: Int64, intervalMs: Int64) {
      self.name = name
      self.burst = burst
      self.intervalMs = intervalMs
    }
  }
}

extension Operation.RateClass {
  // A household or an office may share an address: several people who write, no machine.
  public static let comments = Self("comments", burst: 20, intervalMs: 3000)
  // Two who write quickly to each other, and no mailing.
  public static let messages = Self("messages", burst: 30, intervalMs: 2000)
  // Somebody who meets a series of them, and no flood; appeals too.
  public static let reports = Self("reports", burst: 20, intervalMs: 6000)
  // One case after the other.
  public static let moderation = Self("moderation", burst: 60, intervalMs: 1000)
  public static let reactions = Self("reactions", burst: 60, intervalMs: 500)
  public static let uploads = Self("uploads", burst: 20, intervalMs: 6000)
  // Pieces of a file and questions about it: 64 KiB each on the worst of links, some 20 uploads at once.
  public static let uploadSteps = Self("upload-steps", burst: 600, intervalMs: 50)
  // Somebody who tries some; each costs a second of a processor.
  public static let pictures = Self("pictures", burst: 10, intervalMs: 30_000)
  // What is held is bounded by credits; each look at a prompt costs a little.
  public static let generations = Self("generations", burst: 20, intervalMs: 6000)
  // Reading a file costs more than a comment; a clip may have sixteen at once.
  public static let captions = Self("captions", burst: 32, intervalMs: 3000)
  // A thumb taps some times a second; a client sends a batch every few seconds.
  public static let marks = Self("marks", burst: 60, intervalMs: 500)
  public static let events = Self("events", burst: 60, intervalMs: 500)
  // A page comes back after every cut.
  public static let live = Self("live", burst: 30, intervalMs: 2000)

  // Suggestions while somebody types, four a second at most, and pages of what is found.
  public static let search = Self("search", burst: 60, intervalMs: 250)

  // A class or an office that signs up at once, then one at a time.
  public static let signUps = Self("sign-ups", burst: 30, intervalMs: 20_000)
  public static let signIns = Self("sign-ins", burst: 30, intervalMs: 4000)
  public static let resets = Self("resets", burst: 10, intervalMs: 30_000)
  public static let links = Self("links", burst: 20, intervalMs: 6000)
  // Each asks a provider for something.
  public static let signInAnswers = Self("sign-in-answers", burst: 30, intervalMs: 4000)
  public static let signInReturns = Self("sign-in-returns", burst: 30, intervalMs: 4000)
  // Each token lives ten minutes: 6,000 people behind one address.
  public static let refreshes = Self("refreshes", burst: 300, intervalMs: 100)
  // Cheap, and counted for requests that are refused as well; a password that is wrong is counted as a guess
  // besides.
  public static let accountChanges = Self("account-changes", burst: 300, intervalMs: 1000)

  // A provider that makes many videos at once, and says of each that it is there.
  public static let webhooks = Self("webhooks", burst: 120, intervalMs: 100)
  // Each has this server send something to an address of whoever asks.
  public static let webhookTests = Self("webhook-tests", burst: 5, intervalMs: 30_000)
}
