public import Features
internal import Foundation
internal import Logging
public import ServiceLifecycle

/// Does what features want done again and again, as long as the process runs.
public struct PeriodicTasks: Service {
  private let tasks: [PeriodicTask]

  public init(_ tasks: [PeriodicTask]) {
    self.tasks = tasks
  }

  public func run() async throws {
    await cancelWhenGracefulShutdown { await keepRunning() }
    // A service that returns ends the others.
    try? await gracefulShutdown()
  }

  /// Until it is cancelled.
  public func keepRunning() async {
    await withTaskGroup(of: Void.self) { group in
      for task in tasks {
        switch task.schedule {
        case .servers(let pause), .processes(let pause):
          group.addTask { await Self.keepDoing(task, every: pause) }
        // `Sweep` does these.
        case .hourly: break
        }
      }
    }
  }

  private static func keepDoing(_ task: PeriodicTask, every pause: Duration) async {
    var failed = false
    while !Task.isCancelled {
      do {
        try await task.work()
        failed = false
      } catch is CancellationError {
        return
      } catch {
        // Said once, not every second.
        if !failed { log(task, error) }
        failed = true
      }
      try? await Task.sleep(for: pause)
    }
  }

  static func log(_ task: PeriodicTask, _ error: any Error) {
    Logger(label: "clipfeed.maintenance").warning("\(task.failure)", metadata: ["error": "\(error)"])
  }
}

extension [PeriodicTask] {
  /// Those of a worker that runs without a server.
  public var ofWorkers: [PeriodicTask] {
    filter { if case .processes = $0.schedule { true } else { false } }
  }
}
