public import AppModel
internal import BackgroundTasks
internal import Dispatch
public import Foundation

/// The system's calendar of background work, and its calls. `BackgroundPlan` says when to ask.
@MainActor public final class SystemCalendar: BackgroundScheduling {
  private let bundle: String

  /// `bundle` is the app's own identifier, with which those of Info.plist begin.
  public init(bundle: String) { self.bundle = bundle }

  private func identifier(_ work: BackgroundWork) -> String { "\(bundle).\(work.rawValue)" }

  /// Has `run` called whenever the system lends time. Once, before the app has launched.
  public func register(
    _ run: @escaping @MainActor (BackgroundWork, _ done: @escaping @Sendable (Bool) -> Void) -> BackgroundJob
  ) {
    for work in BackgroundWork.allCases {
      _ = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier(work), using: .main) { task in
        let finish = { @MainActor @Sendable in task.setTaskCompleted(success: $0) }
        let job = run(work) { isWhole in Task { @MainActor in finish(isWhole) } }
        // NB: on whichever thread the system likes.
        task.expirationHandler = { @Sendable in job.expire() }
      }
    }
  }

  public func submit(_ work: BackgroundWork, notBefore: Date, needsNetwork: Bool, needsPower: Bool) throws {
    let request: BGTaskRequest
    switch work {
    case .refresh: request = BGAppRefreshTaskRequest(identifier: identifier(work))
    case .trim:
      let processing = BGProcessingTaskRequest(identifier: identifier(work))
      processing.requiresNetworkConnectivity = needsNetwork
      processing.requiresExternalPower = needsPower
      request = processing
    }
    request.earliestBeginDate = notBefore
    try BGTaskScheduler.shared.submit(request)
  }

  public func cancel(_ work: BackgroundWork) {
    BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: identifier(work))
  }
}
