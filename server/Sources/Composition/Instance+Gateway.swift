public import Accounts
public import Argon2
public import Contract
public import CoreMetrics
public import Devices
internal import Features
internal import Foundation
public import Gateway
internal import HTTPServer
internal import JWTAccess
public import Live
internal import LocalUploads
public import Platform
internal import Recommendations
public import Uploads
internal import Videos
internal import WebAuthn

/// The site, and who signs in there.
extension Instance {
  public func gateway(
    web: String, comments state: Commenting = .open, uploads rules: UploadRules = UploadRules(),
    proxies: Int = 0, origin: String? = nil, allowedOrigins: [String] = [], accounts: Accounts? = nil,
    time: (any TimeSource)? = nil,
    cache: (any SharedCache)? = nil, live: LiveHub? = nil, streamsPerAddress: Int? = nil,
    readiness: Readiness? = nil, security: SecurityLog = SecurityLog(), apps: [String] = [],
    pushTopic: String? = nil, webPush: (any WebReaching)? = nil, requiringSandbox: Bool = false,
    metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) async throws -> Gateway {
    let accounts =
      if let accounts { accounts } else { try await self.accounts(time: time, bus: cache) }
    let cursorKeys = try await cursorKeys()
    ranking.measure(by: metrics)
    let live = live ?? self.live(bus: cache, metrics: metrics)
    let guarding = ClipAccess(database: database, time: time ?? self.time, keys: sealKeys)
    let news = news(live: live, topic: pushTopic, web: webPush, time: time)
    let context = FeatureContext(
      self, guests: state, notices: SocialNews(live: news), rules: rules, cursorKeys: cursorKeys,
      sealing: guarding, accounts: accounts, pushTopic: pushTopic, webPush: webPush,
      requiringSandbox: requiringSandbox)
    let limits = RequestLimits(
      time: time ?? self.time, rates: cache.map { Rates(shared: $0, time: self.time) }, proxies: proxies)
    let site = Site(
      files: StaticSite(
        folder: URL(fileURLWithPath: web, isDirectory: true), mediaOrigin: mediaReads?.readOrigin,
        uploadOrigin: rules.directFromBytes == nil ? nil : sourceSends?.sendOrigin),
      origin: origin, isBehindProxy: proxies > 0, allowedOrigins: allowedOrigins,
      cookiePrefixes: try await cookiePrefixes(
        mayBeSecure: proxies > 0 || origin?.hasPrefix("https:") == true, time ?? self.time))
    let delivery = MediaDelivery(blobs: media, direct: mediaReads, guarding: guarding)
    let responders: [Responder] = [
      .feed(context.feed, changes: changes, cache: cache, metrics: metrics),
      .clipPages(of: context.feed, sealing: guarding, on: site),
      .uploads(context.uploads, limits: limits, sealing: guarding),
      .live(
        LiveStreams(hub: live, accounts: accounts), streams: StreamLimits(ofOneAddress: streamsPerAddress),
        limits: limits),
      .media(delivery),
      .archives(
        OpenedArchives(exports: context.exports), from: MediaDelivery(blobs: sources, guarding: guarding)),
      .signInReturn(to: site), .description, .appSiteAssociation(apps: apps),
      .health(readiness ?? self.readiness(cache: cache), limits: limits),
    ]
    return Gateway(
      endpoints: features(context).flatMap(\.endpoints), responders: responders, media: delivery, site: site,
      identities: try await identities(accounts, time: time), limits: limits, security: security,
      metrics: metrics)
  }

  var liveLog: LiveLog { LiveLog(database: database, time: time) }

  public func live(
    bus: (any MessageBus)?, metrics: any MetricsFactory = NOOPMetricsHandler.instance
  ) -> LiveHub {
    LiveHub(log: liveLog, bus: bus ?? MemoryCache(time: time), time: time, metrics: metrics)
  }

  public func readiness(
    cache: (any HealthChecking)?, lesser: [String: @Sendable () async throws -> Void] = [:],
    patience: Duration? = nil, time: (any TimeSource)? = nil, keptMs: Int64 = Readiness.keptMs
  ) -> Readiness {
    Readiness(
      database: database, blobs: media, cache: cache,
      room: { [receiving] in
        // Below it no upload begins any more.
        guard try await receiving.room() >= UploadRules().reserveBytes else { throw AppError(.storageFull) }
      }, lesser: lesser, patience: patience, time: time ?? self.time, keptMs: keptMs)
  }

  /// `mail` needs `origin`, since messages have links in them. `sessionDays`: after which sessions end at the
  /// latest; 0: never.
  public func accounts(
    mail: (any MailSending)? = nil, origin: String? = nil, hashing: any PasswordHashing = Argon2Passwords(),
    providers: [any IdentityProvider] = [], sessionDays: Int = 0, time: (any TimeSource)? = nil,
    bus: (any MessageBus)? = nil
  ) async throws -> Accounts {
    let time = time ?? self.time
    return Accounts(
      database: database, time: time, hashing: hashing, accessTokens: JWTAccessTokens(ring: accessKeys(time)),
      refreshKeys: try await keys(.refreshTokens, time).tokenKeys(),
      cursorKeys: try await cursorKeys(),
      around: Accounts.Dependencies(
        faces: authors(time), merging: viewerMerging, erasing: viewerErasing(time), mail: mail,
        origin: origin, providers: providers, passkeys: origin.flatMap(PasskeyReader.init),
        siteRules: siteRules),
      sessionLifeMs: sessionDays == 0 ? nil : Int64(sessionDays) * 86_400_000, bus: bus)
  }

  func identities(_ accounts: Accounts, time: (any TimeSource)? = nil) async throws -> Identities {
    Identities(
      guests: GuestTokens(keys: try await keys(.guests, time).tokenKeys()),
      devices: DeviceTokens(keys: try await keys(.devices, time).tokenKeys()), accounts: accounts,
      time: time ?? self.time)
  }

  func accessKeys(_ time: any TimeSource) -> KeyRing { keys(.accessTokens, time) }

  public func keys(_ purpose: KeyRing.Purpose, _ time: (any TimeSource)? = nil) -> KeyRing {
    KeyRing(purpose, database: database, time: time ?? self.time)
  }

  func authors(_ time: any TimeSource) -> AuthorStore {
    AuthorStore(
      time: time, transcoding: TranscodeRequests(queue: queue), changes: changes, indexing: indexes)
  }

  func cursorKeys() async throws -> TokenKeys { try await keys(.cursors).tokenKeys() }

  /// Counted from the first start at which the site can be https: until then all cookies have plain names.
  func cookiePrefixes(
    mayBeSecure: Bool, _ time: any TimeSource
  ) async throws -> CookiePrefixes {
    guard mayBeSecure else { return CookiePrefixes(sinceMs: time.nowMs, time: time) }
    let since = try await settings.value("cookie_prefixes_since_ms") { "\(time.nowMs)" }
    return CookiePrefixes(sinceMs: SafeInteger.read(since).map(Int64.init) ?? 0, time: time)
  }
}
