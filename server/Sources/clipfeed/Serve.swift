internal import APNs
internal import Accounts
public import ArgumentParser
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
public import Options
internal import Platform
internal import Redis
internal import ServiceLifecycle
internal import UnixSignals
internal import Uploads
internal import Workers

/// The command is its options themselves: another level of groups would make a build for debugging, which
/// checks each level anew, think for a second before it starts.
extension ServeOptions: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serves the feed, and converts videos in a process beside it.")

  /// How long a slow download may hold up the end of the process.
  private static let patience = Duration.seconds(5)

  public func run() async throws {
    let (host, port) = listening
    let isConverting = workers.count > 0
    if isConverting { try sandbox.check() }
    let storage = data.storage.storage
    UnprotectedTransport.listening(on: host, origin: origin).log()
    UnprotectedTransport.cache(shared.address).log()
    UnprotectedTransport.storage(storage).log()
    UnprotectedTransport.modelServer(model.settings?.address, host: model.settings?.host)
      .log()
    let instance = try await data.open(
      captioner: isConverting ? captioner.make(try FFmpegTools()) : nil,
      observer: observing.registry.map { DatabaseMetrics($0) })
    instance.conduct(try experiments.make())
    try siteRules.apply(to: instance)
    instance.ages.restrictsByDefault = guests.restricts
    try generation.apply(to: instance)
    webhooks.apply(to: instance, origin: origin)
    if let scorer = model.make() { instance.score(by: scorer, within: model.limit) }
    var rules = uploads.rules
    if storage.sendsDirectly { rules.directFromBytes = UploadRules.directSizes }
    let cache = try await instance.cache(shared.address)
    let converting = isConverting ? workerProcess(of: instance) : nil
    let readiness = instance.readiness(cache: cache, lesser: Self.checks(of: converting))
    let accounts = try await instance.accounts(
      mail: try mail.make(), origin: origin, providers: try signIn.make(),
      sessionDays: sessions.days, bus: cache)
    let pushes = try apps.makeSender()
    let webPushes = try await webPush.makeSender(instance.settings)
    let live = instance.live(bus: cache, metrics: observing.registry ?? NOOPMetricsHandler.instance)
    let security = SecurityLog()
    var services: [any Service] = []
    let page = observing.page(
      of: instance, cache: cache, readiness: readiness, onReady: ObservingOptions.announce)
    if let page { services.append(page) }
    if let registry = observing.registry { services.append(LoopWatching(delays: LoopDelays(registry))) }
    let proxies = guests.proxyCount
    services += [
      WebServer.application(
        try await instance.gateway(
          web: site.folder, comments: guests.comments, uploads: rules, proxies: proxies,
          origin: origin, allowedOrigins: otherOrigins, accounts: accounts, cache: cache,
          live: live, streamsPerAddress: mostPerAddress, readiness: readiness, security: security,
          apps: apps.ids, pushTopic: pushes == nil ? nil : apps.topic,
          webPush: webPushes, requiringSandbox: sandbox.isRequired,
          metrics: observing.registry ?? NOOPMetricsHandler.instance),
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
        instance.devices(topic: apps.topic, web: webPushes), by: PushServices(senders),
        metrics: observing.registry ?? NOOPMetricsHandler.instance)
      services.append(
        Outbox { _ in
          await delivery.run()
          await pushes?.end()
        })
    }
    if let converting {
      // Without it that process would begin and end for ever.
      _ = try FFmpegTools()
      sandbox.warn()
      services += [converting, instance.hourlySweep]
    }
    if demo {
      // Drawn by formulas of ours, so here; converted like all others.
      services.append(DemoService(fill: DemoFill(instance: instance, tools: try FFmpegTools())))
    }
    defer { security.end() }
    // The last is told to stop first.
    services.append(Draining(seconds: drain, readiness: readiness, live: live))
    try await run(services)
    cache?.stop()
    Console.say("Clipfeed has stopped.")
  }

  /// Until a signal ends them.
  private func run(_ services: [any Service]) async throws {
    let (host, port) = listening
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "clipfeed"))
    configuration.maximumGracefulShutdownDuration = Self.patience + .seconds(drain)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      let metrics = observing.metricsPort.map { ", or port \($0) of the metrics" } ?? ""
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
