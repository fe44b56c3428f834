internal import ArgumentParser
internal import Configured
internal import Contract
internal import CoreMetrics
internal import FFmpeg
internal import Features
internal import Foundation
internal import Gateway
internal import Hummingbird
internal import Live
internal import Logging
internal import Measuring
internal import NIOCore
internal import Platform
internal import Redis
internal import ServiceLifecycle
internal import UnixSignals
internal import Uploads

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves the feed, and converts videos in a process beside it.")

  @OptionGroup var options: DataOptions
  @OptionGroup var site: SiteOptions
  @Option(help: ArgumentHelp(.host)) var host: String?
  @Option(help: ArgumentHelp(.port)) var port: String?
  @OptionGroup var workers: WorkerOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var guests: GuestOptions
  @OptionGroup var uploads: UploadOptions
  @OptionGroup var captioner: CaptionerOptions
  @OptionGroup var shared: CacheOptions
  @OptionGroup var observing: ObservingOptions
  @Option(help: ArgumentHelp(.connectionsPerAddress)) var connectionsPerAddress: String?
  @Option(help: ArgumentHelp(.drainSeconds)) var drainSeconds: String?
  @OptionGroup var mail: MailOptions
  @OptionGroup var signIn: SignInOptions
  @OptionGroup var sessions: SessionOptions
  @Option(help: ArgumentHelp(.origin)) var origin: String?
  @Option(help: ArgumentHelp(.allowedOrigins)) var allowedOrigins: String?
  @Flag(help: "Fills an empty instance with demo clips.")
  var demo = false

  mutating func validate() throws {
    host = try settled(.host, host)
    port = try settled(.port, port)
    connectionsPerAddress = try settled(.connectionsPerAddress, connectionsPerAddress)
    drainSeconds = try settled(.drainSeconds, drainSeconds)
    guard port == "0" || observing.metricsPort != port else {
      throw ValidationError("\(Setting.metricsPort.places) must be another port than \(Setting.port.places).")
    }
    allowedOrigins = try settled(.allowedOrigins, allowedOrigins)
    if let wrong = Self.words(allowedOrigins).first(where: { !AllowedOrigin.isOne($0) }) {
      throw ValidationError(
        "\(Setting.allowedOrigins.places): \(wrong) is no origin as browsers say it, such as https://app.example.org."
      )
    }
    guard let text = try settled(.origin, origin) else {
      // A link that a request's Host header chose would lead wherever a stranger likes.
      guard mail.words == nil else {
        throw ValidationError(
          "\(Setting.mailCommand.places) needs \(Setting.origin.places): messages have links in them.")
      }
      guard signIn.said.isEmpty else {
        throw ValidationError(
          "\(Setting.signIn.places) needs \(Setting.origin.places): providers send people back to it.")
      }
      return
    }
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), url.host() != nil,
      url.path().isEmpty || url.path() == "/", url.query() == nil, url.fragment() == nil
    else {
      throw ValidationError(
        "\(Setting.origin.places) must be an address without a path, such as https://clips.example.org.")
    }
    origin = text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  private static func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: " ").map(String.init)
  }

  /// Nil: no limit.
  private var mostPerAddress: Int? {
    let most = connectionsPerAddress.flatMap { SafeInteger.read($0) } ?? 256
    return most > 0 ? most : nil
  }

  /// How long a slow download may hold up the end of the process.
  static let patience = Duration.seconds(5)

  func run() async throws {
    let (host, port) = (host ?? "127.0.0.1", port.flatMap { SafeInteger.read($0) } ?? 8080)
    let workers = workers.count
    if workers > 0 { try sandbox.check() }
    UnprotectedTransport.listening(on: host, origin: origin).log()
    UnprotectedTransport.cache(shared.address).log()
    UnprotectedTransport.storage(options.storage.storage).log()
    let instance = try await options.open(
      captioner: workers > 0 ? captioner.make(try FFmpegTools()) : nil,
      observer: observing.registry.map { DatabaseMetrics($0) })
    var rules = uploads.rules
    if options.storage.storage.sendsDirectly { rules.directFromBytes = UploadRules.directSizes }
    let cache = try await instance.cache(shared.address)
    let converting = workers > 0 ? workerProcess(of: instance) : nil
    let readiness = instance.readiness(cache: cache, lesser: Self.checks(of: converting))
    let accounts = try await instance.accounts(
      mail: try mail.make(), origin: origin, providers: try signIn.make(), sessionDays: sessions.days,
      cache: cache)
    let live = instance.live(cache: cache, metrics: observing.registry ?? NOOPMetricsHandler.instance)
    let security = SecurityLog()
    var services: [any Service] = []
    if let page = observing.page(of: instance, cache: cache, readiness: readiness) { services.append(page) }
    if let registry = observing.registry { services.append(LoopWatching(delays: LoopDelays(registry))) }
    services += [
      Self.application(
        try await instance.gateway(
          web: site.folder, comments: guests.comments, uploads: rules, proxies: guests.proxyCount,
          origin: origin, allowedOrigins: Self.words(allowedOrigins), accounts: accounts, cache: cache,
          live: live, streamsPerAddress: mostPerAddress, readiness: readiness, security: security,
          metrics: observing.registry ?? NOOPMetricsHandler.instance),
        host: host, port: port,
        server: Connection.server(
          ConnectionLimits(
            descriptors: DescriptorLimit.raise(),
            // Behind proxies all connections are theirs.
            ofOneAddress: guests.proxyCount > 0 ? nil : mostPerAddress))),
      AccountOutbox(accounts: accounts),
      PeriodicTasks(
        tasks: instance.features(FeatureContext(instance, rules: rules, accounts: accounts))
          .flatMap(\.periodicTasks)),
    ]
    if let converting {
      // Without it that process would begin and end for ever.
      _ = try FFmpegTools()
      sandbox.warn()
      services += [converting, HourlySweep(instance: instance)]
    }
    if demo {
      // Drawn by formulas of ours, so here; converted like all others.
      services.append(DemoService(fill: DemoFill(instance: instance, tools: try FFmpegTools())))
    }
    defer { security.end() }
    let drain = drainSeconds.flatMap { SafeInteger.read($0) } ?? 0
    // The last is told to stop first.
    services.append(Draining(seconds: drain, readiness: readiness, live: live))
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "clipfeed"))
    configuration.maximumGracefulShutdownDuration = Self.patience + .seconds(drain)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      Console.complain(
        "clipfeed: port \(port) on \(host) is taken by another program\(observing.metricsPort.map { ", or port \($0) of the metrics" } ?? ""). End that program, or choose another port: --port \(port + 1)"
      )
      throw ExitCode(1)
    } catch let error as IOError where error.errnoCode == EACCES {
      Console.complain("clipfeed: port \(port) needs more rights. Choose one above 1023: --port 8080")
      throw ExitCode(1)
    }
    cache?.stop()
    Console.say("Clipfeed has stopped.")
  }

  /// The process of our workers. It is told what we were told, by its environment: there may be secrets in it.
  private func workerProcess(of instance: Instance) -> WorkerProcess {
    let process = WorkerProcess(
      command: [WorkerProcess.ownProgram, Work.configuration.commandName ?? "work", Work.ofServerFlag],
      environment: ConfigurationOptions.environment(
        saying: Array(CommandLine.arguments.dropFirst()), over: ProcessInfo.processInfo.environment),
      metrics: observing.registry ?? NOOPMetricsHandler.instance
    ) { [changes = instance.changes] report in
      switch report {
      case .ended(let end): end.count()
      case .changed: changes.tell()
      }
    }
    instance.queue.listen { [weak process] in process?.hint() }
    return process
  }

  private static func checks(of process: WorkerProcess?) -> [String: @Sendable () async throws -> Void] {
    guard let process else { return [:] }
    return [
      "workers": { try process.check() },
      "sandbox": { if !FFmpegTools.isConfined { throw NoSandbox() } },
    ]
  }

  private struct NoSandbox: Error {}

  /// The HTTP service. `onReady` hears the real port once connections are taken.
  static func application(
    _ gateway: some HTTPResponder<GatewayContext>, host: String, port: Int,
    server: Connection.Server = Connection.server(ConnectionLimits()),
    onReady: (@Sendable (Int) -> Void)? = nil
  ) -> some ApplicationProtocol {
    Application(
      responder: gateway, server: server,
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { channel in
        let actual = channel.localAddress?.port ?? port
        if let onReady { return onReady(actual) }
        let shown = host.contains(":") ? "[\(host)]" : host
        Console.say("Clipfeed is running: http://\(shown):\(actual)")
      }, logger: Logger(label: "clipfeed.http"))
  }
}

/// Says that this server is about to go, and lets it go on for as long as a balancer takes to notice, or until it is told a second time.
struct Draining: Service {
  let seconds: Int
  let readiness: Readiness
  let live: LiveHub

  func run() async throws {
    try? await gracefulShutdown()
    // NB: heard from before it is said that we stop, so that whoever reads that can tell us again.
    let again = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    readiness.stop()
    await withTaskGroup { [seconds] group in
      group.addTask { try? await Task.sleep(for: .seconds(seconds)) }
      group.addTask { for await _ in again { return } }
      await group.next()
      group.cancelAll()
    }
    // Requests end by themselves; streams have to be told.
    live.stop()
  }
}

/// Times the event loops, on which requests are answered.
struct LoopWatching: Service {
  let delays: LoopDelays

  func run() async throws {
    let watch = delays.watch(EventLoopGroupProvider.singleton.eventLoopGroup)
    defer { watch.end() }
    try? await gracefulShutdown()
  }
}

/// Fills the instance beside serving, then stays, since a service that returns would end the others.
struct DemoService: Service {
  let fill: DemoFill

  func run() async throws {
    await cancelWhenGracefulShutdown {
      do {
        try await fill.run()
      } catch is CancellationError {
        return
      } catch {
        Console.complain("clipfeed: the demo clips could not be made: \(error)")
      }
    }
    try? await gracefulShutdown()
  }
}
