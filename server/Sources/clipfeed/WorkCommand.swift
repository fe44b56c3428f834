internal import ArgumentParser
internal import Composition
internal import FFmpeg
internal import Foundation
internal import Hummingbird
internal import Maintenance
internal import Measuring
internal import Options
internal import Platform
internal import Workers

struct Work: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Converts videos for the servers on the same data.")

  @OptionGroup var options: DataOptions
  @OptionGroup var workers: WorkerOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var captioner: CaptionerOptions
  @OptionGroup var generation: GenerationOptions
  @OptionGroup var observing: ObservingOptions

  /// How a server starts it (`WorkerProcess`): standard input is a socket to the server, which sweeps, folds
  /// and counts.
  @Flag(name: .customLong(String(WorkerProcess.flag.dropFirst(2))), help: .hidden) var isOfServer = false

  func run() async throws {
    let tools = try FFmpegTools()
    try sandbox.check()
    if isOfServer { return try await workForServer(tools) }
    sandbox.warn()
    UnprotectedTransport.storage(options.storage.storage).log()
    let instance = try await options.open(
      captioner: captioner.make(tools), observer: observing.registry.map { DatabaseMetrics($0) })
    try generation.apply(to: instance)
    let page = observing.page(of: instance, onReady: ObservingOptions.announce)
    Console.say("Clipfeed works on \(instance.folder.path)")
    do {
      try await untilSignal {
        try await withWorkers(max(1, workers.count), instance, tools) {
          let tasks = instance.periodicTasks().ofWorkers
          async let repeating: Void = PeriodicTasks(tasks).keepRunning()
          async let telling: Void? = page?.run()
          try await instance.hourlySweep.keepSweeping()
          await repeating
          try await telling
        }
      }
    } catch is CancellationError {
      Console.say("Clipfeed has stopped.")
    }
  }
}

extension Work {
  private func workForServer(_ tools: FFmpegTools) async throws {
    ServerLink.volunteer()
    let link = ServerLink()
    // NB: before anything that may hang. A server that is gone by now is noticed as well.
    let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    Task {
      await link.follow { hint.yield() }
      hint.finish()
      ServerLink.endSoon()
    }
    let instance = try await options.open(captioner: captioner.make(tools))
    instance.changes.listen { link.tell(.changed) }
    do {
      try await untilSignal {
        try await withWorkers(workers.count, instance, tools, ended: { link.tell(.ended($0)) }) {
          for await _ in hints { instance.queue.ring() }
        }
      }
    } catch is CancellationError {
      // Whatever was in hand is in the queue again.
    }
  }
}
