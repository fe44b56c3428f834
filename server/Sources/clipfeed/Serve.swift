internal import APNs
internal import Accounts
internal import ArgumentParser
internal import Composition
internal import CoreMetrics
internal import Devices
internal import FFmpeg
internal import Foundation
internal import Gateway
internal import HTTPServer
internal import Hummingbird
internal import Live
internal import Logging
internal import Maintenance
internal import Measuring
internal import ModelServer
internal import NIOCore
internal import Options
internal import Platform
internal import Redis
internal import ServiceLifecycle
internal import UnixSignals
internal import Uploads
internal import Workers

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves the feed, and converts videos in a process beside it.")

  @OptionGroup var options: ServeOptions
  @Flag(help: "Fills an empty instance with demo clips.")
  var demo = false

  /// How long a slow download may hold up the end of the process.
  static let patience = Duration.seconds(5)

  func run() async throws {
    let (host, port) = options.listening
    let observing = options.observing
    let isConverting = options.workers.count > 0
    if isConverting { try options.sandbox.check() }
    let storage = options.data.storage.storage
    UnprotectedTransport.listening(on: host, origin: options.origin).log()
    UnprotectedTransport.cache(options.shared.address).log()
    UnprotectedTransport.storage(storage).log()
    UnprotectedTransport.modelServer(options.model.settings?.address, host: options.model.settings?.host)
      .log()
    let instance = try await options.data.open(
      captioner: isConverting ? options.captioner.make(try FFmpegTools()) : nil,
      observer: observing.registry.map { DatabaseMetrics($0) })
    instance.conduct(try options.experiments.make())
    try options.siteRules.apply(to: instance)
    instance.ages.restrictsByDefault = options.guests.restricts
    try options.generation.apply(to: instance)
    if let model = options.model.make() { instance.score(by: model, within: options.model.limit) }
    var rules = options.uploads.rules
    if storage.sendsDirectly { rules.directFromBytes = UploadRules.directSizes }
    let cache = try await instance.cache(options.shared.address)
    let converting = isConverting ? workerProcess(of: instance) : nil
    let readiness = instance.readiness(cache: cache, lesser: Self.checks(of: converting))
    let accounts = try await instance.accounts(
      mail: try options.mail.make(), origin: options.origin, providers: try options.signIn.make(),
      sessionDays: options.sessions.days, bus: cache)
    let pushes = try options.apps.makeSender()
    let webPushes = try await options.webPush.makeSender(instance.settings)
    let live = instance.live(bus: cache, metrics: options.observing.registry ?? NOOPMetricsHandler.instance)
    let security = SecurityLog()
    var services: [any Service] = []
    let page = observing.page(
      of: instance, cache: cache, readiness: readiness, onReady: ObservingOptions.announce)
    if let page { services.append(page) }
    if let registry = observing.registry { services.append(LoopWatching(delays: LoopDelays(registry))) }
    let (proxies, mostPerAddress) = (options.guests.proxyCount, options.mostPerAddress)
    services += [
      WebServer.application(
        try await instance.gateway(
          web: options.site.folder, comments: options.guests.comments, uploads: rules, proxies: proxies,
          origin: options.origin, allowedOrigins: options.otherOrigins, accounts: accounts, cache: cache,
          live: live, streamsPerAddress: mostPerAddress, readiness: readiness, security: security,
          apps: options.apps.ids, pushTopic: pushes == nil ? nil : options.apps.topic,
          webPush: webPushes,
          metrics: options.observing.registry ?? NOOPMetricsHandler.instance),
        host: host, port: port,
        server: Connection.server(
          ConnectionLimits(
            descriptors: DescriptorLimit.raise(),
            // Behind proxies all connections are theirs.
            ofOneAddress: proxies > 0 ? nil : mostPerAddress))
      ) { Console.say("Clipfeed is running: \(WebServer.address(host, $0))") },
      Outbox { await accounts.runOutbox(failed: $0) },
      PeriodicTasks(instance.periodicTasks(rules: rules, accounts: accounts)),
    ]
    var senders: [PushTarget.Service: any PushSending] = [:]
    if let pushes { senders[.apple] = pushes }
    if let webPushes { senders[.web] = webPushes }
    if !senders.isEmpty {
      let delivery = PushDelivery(
        instance.devices(topic: options.apps.topic, web: webPushes), by: PushServices(senders),
        metrics: options.observing.registry ?? NOOPMetricsHandler.instance)
      services.append(
        Outbox { _ in
          await delivery.run()
          await pushes?.end()
        })
    }
    if let converting {
      // Without it that process would begin and end for ever.
      _ = try FFmpegTools()
      options.sandbox.warn()
      services += [converting, instance.hourlySweep]
    }
    if demo {
      // Drawn by formulas of ours, so here; converted like all others.
      services.append(DemoService(fill: DemoFill(instance: instance, tools: try FFmpegTools())))
    }
    defer { security.end() }
    // The last is told to stop first.
    services.append(Draining(seconds: options.drain, readiness: readiness, live: live))
    try await run(services)
    cache?.stop()
    Console.say("Clipfeed has stopped.")
  }

  /// Until a signal ends them.
  private func run(_ services: [any Service]) async throws {
    let (host, port) = options.listening
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "clipfeed"))
    configuration.maximumGracefulShutdownDuration = Self.patience + .seconds(options.drain)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      let metrics = options.observing.metricsPort.map { ", or port \($0) of the metrics" } ?? ""
      Console.complain(
        "clipfeed: port \(port) on \(host) is taken by another program\(metrics). End that program, or choose another port: --port \(port + 1)"
      )
      throw ExitCode(1)
    } catch let error as IOError where error.errnoCode == EACCES {
      Console.complain("clipfeed: port \(port) needs more rights. Choose one above 1023: --port 8080")
      throw ExitCode(1)
    }
  }

  /// The process of our workers. It is told what we were told, by its environment: there may be secrets in
  /// it.
  private func workerProcess(of instance: Instance) -> WorkerProcess {
    let process = WorkerProcess(
      command: [WorkerProcess.ownProgram, Work.configuration.commandName ?? "work", WorkerProcess.flag],
      environment: ConfigurationOptions.environment(
        saying: Array(CommandLine.arguments.dropFirst()), over: ProcessInfo.processInfo.environment),
      metrics: options.observing.registry ?? NOOPMetricsHandler.instance
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
}

/// Says that this server is about to go, and lets it go on for as long as a balancer takes to notice, or
/// until it is told a second time.
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
