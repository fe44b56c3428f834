public import Contract
public import Observation

/// Notifications on this device: whether the person is asked for them, where the server sends them, and where
/// a tap on one leads.
///
/// It decides when. How the system is asked is the port's; who is signed in and what is on the screen it is
/// told. It asks after the first message that somebody sends, when there is somebody who may answer, or the
/// first clip that they have made, and never at the start.
@MainActor @Observable public final class PushModel {
  /// What the server is to know of this device.
  private struct Registration: Equatable {
    var token: String
    /// Nil: a guest.
    var account: String?
    /// Counts who signs in: the same account again has another session.
    var change: Int
  }

  /// How the feed is brought to a clip, a clip's comments to one of them, and the account to its webhooks.
  public struct Ways {
    let clip: (String) -> Void
    let comment: (_ comment: String, _ clip: String) -> Void
    let webhooks: () -> Void

    public init(
      clip: @escaping (String) -> Void, comment: @escaping (_ comment: String, _ clip: String) -> Void,
      webhooks: @escaping () -> Void
    ) {
      self.clip = clip
      self.comment = comment
      self.webhooks = webhooks
    }
  }

  /// Where the last tap leads, until somebody goes there.
  public private(set) var waiting: PushPlace?

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let port: any PushPort
  @ObservationIgnored private let router: Router
  @ObservationIgnored private let environment: PushEnvironment
  @ObservationIgnored private let topic: String
  @ObservationIgnored private let locale: String?
  @ObservationIgnored private var ways: Ways?

  @ObservationIgnored private var token: String?
  @ObservationIgnored private var account: String?
  @ObservationIgnored private var change = 0
  @ObservationIgnored private var registered: Registration?
  @ObservationIgnored private var registering: Task<Void, Never>?
  /// As the server knows it.
  @ObservationIgnored private var device: String?
  @ObservationIgnored private var hasLeft = false
  @ObservationIgnored private var hasAsked = false
  /// Somebody has just allowed notifications, and expects them.
  @ObservationIgnored private var isExpected = false
  @ObservationIgnored private let announcements: Announcements

  /// `topic`: the app's bundle id. `environment`: of the app's entitlement. `locale`: of the texts that are
  /// shown. `account`: who is signed in.
  public init(
    client: Client, port: any PushPort, router: Router, environment: PushEnvironment, topic: String,
    locale: String?, account: String?, announcements: Announcements
  ) {
    self.announcements = announcements
    self.client = client
    self.port = port
    self.router = router
    self.environment = environment
    self.topic = topic
    self.locale = locale.flatMap(Self.tag)
    self.account = account
  }

  // MARK: Registering

  /// With each start, and whenever the app comes to the front: a token may be another one, and what did not
  /// get through is tried again.
  public func becameActive() async {
    guard await port.permission() == .given else { return }
    if token == nil || registered == nil { port.requestToken() }
    await register()
  }

  /// Somebody else, or nobody, uses the app from now on.
  public func isNow(_ account: String?) {
    self.account = account
    change += 1
    _ = startRegistering()
  }

  /// The token that the system gives this device.
  public func received(_ token: [UInt8]) async {
    let digits = Array("0123456789abcdef".utf8)
    let text = token.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    guard Limits.deviceTokenLength.contains(text.count) else { return }
    self.token = String(decoding: text, as: UTF8.self)
    isExpected = false
    await register()
  }

  /// The system gives this device no token now. It is asked again when the app comes to the front; whoever
  /// allowed notifications a moment ago is told that there are none yet.
  public func receivedNone() {
    if isExpected { announcements.post("Notifications could not be set up. They are tried again later.") }
    isExpected = false
  }

  /// The first message of a person is when notifications begin to mean something.
  public func messageSent() async { await askOnce() }

  /// So is a clip that is made while they are elsewhere.
  public func generationBegun() async { await askOnce() }

  /// Where the server sends none, nobody is asked.
  private func askOnce() async {
    guard !hasAsked else { return }
    hasAsked = true
    guard await port.permission() == .undecided else { return }
    guard let devices = try? await client.devices() else {
      // Without a network nobody is asked now.
      hasAsked = false
      return
    }
    guard devices.topic == topic, await port.ask() else { return }
    isExpected = true
    port.requestToken()
  }

  /// One request at a time, and the last word counts.
  private func register() async { await startRegistering()?.value }

  /// Nil: there is nothing to do.
  private func startRegistering() -> Task<Void, Never>? {
    if let registering { return registering }
    guard let wanted, wanted != registered else { return nil }
    let task = Task {
      // NB: with nothing in between that waits, or what is wanted meanwhile would be missed.
      defer { registering = nil }
      while let next = self.wanted, next != registered {
        let new = NewPushDevice(
          token: next.token, environment: environment, topic: topic, locale: locale)
        // What fails is tried when the app comes to the front again.
        guard let device = try? await client.register(new) else { return }
        self.device = device.id
        registered = next
      }
    }
    registering = task
    return task
  }

  /// This device is another server's from now on: the old one is told, as far as it can be. There is no way
  /// back.
  public func leave() async {
    hasLeft = true
    await settled()
    guard let device else { return }
    self.device = nil
    try? await client.removeDevice(device)
  }

  /// Nothing is under way any more.
  func settled() async { await registering?.value }

  private var wanted: Registration? {
    hasLeft ? nil : token.map { Registration(token: $0, account: account, change: change) }
  }

  /// As the server takes it; the system's names may have more in them ("de_DE@calendar=…").
  private static func tag(_ locale: String) -> String? {
    let words = locale.utf8.prefix { $0 != UInt8(ascii: "@") }.map {
      $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0
    }
    let isTag = words.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    }
    return isTag && (2...35).contains(words.count) ? String(decoding: words, as: UTF8.self) : nil
  }

  // MARK: Notifications

  /// Whether a notification is shown although the app is: not one of the conversation or of the comments that
  /// are on the screen.
  public func isShown(_ payload: [AnyHashable: Any]) -> Bool {
    switch PushPlace(payload) {
    case .conversation(let author): router.top != .conversation(with: author)
    case .comment(_, let clip): router.top != .comments(clip: clip)
    case .notices: router.top != .notifications
    case .generation(let id):
      router.top != .generations && (id.map { router.top != .generation($0) } ?? true)
    default: true
    }
  }

  /// Somebody tapped on it: before anything else is on the screen, where that started the app.
  public func tapped(_ payload: [AnyHashable: Any]) {
    waiting = PushPlace(payload)
    go()
  }

  /// From now on places can be opened.
  public func isReady(_ ways: Ways) {
    self.ways = ways
    go()
  }

  /// Messages that were not read, as a list of them says.
  public func unread(_ count: Int) { port.showBadge(max(0, count)) }

  private func go() {
    guard let ways, let place = waiting else { return }
    waiting = nil
    switch place {
    case .conversation(let author): router.open(.conversation(with: author))
    case .clip(let id):
      router.showFeed()
      ways.clip(id)
    case .comment(let id, let clip):
      router.showFeed()
      ways.comment(id, clip)
    case .uploads: router.open(.upload)
    case .generation(let id): router.open(id.map(Router.Destination.generation) ?? .generations)
    case .notices: router.open(.notifications)
    case .webhooks: ways.webhooks()
    }
  }
}
