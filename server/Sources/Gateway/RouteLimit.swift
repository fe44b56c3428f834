internal import Contract
internal import OpenAPI
internal import Platform

/// Which bucket a request takes a token of, as its operation says. Guesses at a password are counted beside
/// it, by whom they are about (`Call.guessing`).
enum RouteLimit: Sendable, Equatable {
  case free
  case caller(TokenBucket)
  case address(TokenBucket)
  case viewer(TokenBucket)
  case upload(TokenBucket)

  /// Nil: an address that nobody has thought about, so nobody may write there.
  static func rule(for route: Route, _ method: String, _ operation: Operation?) -> RouteLimit? {
    switch operation?.limit {
    case .caller(let kind)?: return .caller(.of(kind))
    case .address(let kind)?: return .address(.of(kind))
    case .viewer(let kind)?: return .viewer(.of(kind))
    case .upload(let kind)?: return .upload(.of(kind))
    case .free?, nil: break
    }
    // A provider sends people there by a form; it is no operation of the API.
    if route == .signInReturn, method == "POST" { return .address(.signInReturns) }
    return ["GET", "HEAD", "OPTIONS"].contains(method) ? .free : nil
  }
}

/// How many tokens each class has.
extension TokenBucket {
  static func of(_ kind: Operation.RateClass) -> TokenBucket {
    switch kind {
    case .comments: comments
    case .messages: messages
    case .reactions: reactions
    case .marks: marks
    case .events: events
    case .live: live
    case .search: search
    case .reports: reports
    case .moderation: moderation
    case .uploads: uploads
    case .uploadSteps: uploadSteps
    case .captions: captions
    case .generations: generations
    case .pictures: pictures
    case .signUps: signUps
    case .signIns: signIns
    case .signInAnswers: signInAnswers
    case .refreshes: refreshes
    case .resets: resets
    case .links: links
    case .accountChanges: accountChanges
    case .webhooks: webhooks
    case .webhookTests: webhookTests
    }
  }

  // A household or an office may share an address: several people who write, no machine.
  static let comments = TokenBucket("comments", burst: 20, intervalMs: 3000)
  // Two who write quickly to each other, and no mailing.
  static let messages = TokenBucket("messages", burst: 30, intervalMs: 2000)
  // Somebody who meets a series of them, and no flood; appeals too.
  static let reports = TokenBucket("reports", burst: 20, intervalMs: 6000)
  // One case after the other.
  static let moderation = TokenBucket("moderation", burst: 60, intervalMs: 1000)
  static let reactions = TokenBucket("reactions", burst: 60, intervalMs: 500)
  static let uploads = TokenBucket("uploads", burst: 20, intervalMs: 6000)
  // Pieces of a file and questions about it: 64 KiB each on the worst of links, some 20 uploads at once.
  static let uploadSteps = TokenBucket("upload-steps", burst: 600, intervalMs: 50)
  // Somebody who tries some; each costs a second of a processor.
  static let pictures = TokenBucket("pictures", burst: 10, intervalMs: 30_000)
  // Of one upload.
  static let uploadPieces = TokenBucket("upload-pieces", burst: 300, intervalMs: 100)
  // What is held is bounded by credits; each look at a prompt costs a little.
  static let generations = TokenBucket("generations", burst: 20, intervalMs: 6000)
  // Reading a file costs more than a comment; a clip may have sixteen at once.
  static let captions = TokenBucket("captions", burst: 32, intervalMs: 3000)
  // A thumb taps some times a second; a client sends a batch every few seconds.
  static let marks = TokenBucket("marks", burst: 60, intervalMs: 500)
  static let events = TokenBucket("events", burst: 60, intervalMs: 500)
  // A page comes back after every cut.
  static let live = TokenBucket("live", burst: 30, intervalMs: 2000)

  // Suggestions while somebody types, four a second at most, and pages of what is found.
  static let search = TokenBucket("search", burst: 60, intervalMs: 250)

  // A class or an office that signs up at once, then one at a time.
  static let signUps = TokenBucket("sign-ups", burst: 30, intervalMs: 20_000)
  static let signIns = TokenBucket("sign-ins", burst: 30, intervalMs: 4000)
  static let resets = TokenBucket("resets", burst: 10, intervalMs: 30_000)
  static let links = TokenBucket("links", burst: 20, intervalMs: 6000)
  /// Each asks a provider for something.
  static let signInAnswers = TokenBucket("sign-in-answers", burst: 30, intervalMs: 4000)
  static let signInReturns = TokenBucket("sign-in-returns", burst: 30, intervalMs: 4000)
  /// Each token lives ten minutes: 6,000 people behind one address.
  static let refreshes = TokenBucket("refreshes", burst: 300, intervalMs: 100)
  // Cheap, and counted for requests that are refused as well; a password that is wrong is counted as a guess
  // besides.
  static let accountChanges = TokenBucket("account-changes", burst: 300, intervalMs: 1000)

  /// A provider that makes many videos at once, and says of each that it is there.
  static let webhooks = TokenBucket("webhooks", burst: 120, intervalMs: 100)
  // Each has this server send something to an address of whoever asks.
  static let webhookTests = TokenBucket("webhook-tests", burst: 5, intervalMs: 30_000)

  /// For all accounts of one address.
  var shared: TokenBucket {
    TokenBucket("\(name)-shared", burst: burst * 10, intervalMs: max(1, intervalMs / 10))
  }

  /// For all addresses of a network.
  func widened(by factor: Int64) -> TokenBucket {
    TokenBucket("\(name)-of-\(factor)", burst: burst * factor, intervalMs: max(1, intervalMs / factor))
  }
}
