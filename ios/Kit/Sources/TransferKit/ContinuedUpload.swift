public import AppModel
internal import BackgroundTasks
internal import Dispatch
internal import Foundation

/// What the system shows of an upload while the person is elsewhere, from iOS 26 on; before that there is
/// nothing to show, and the bytes go all the same.
@MainActor public final class ContinuedUpload: UploadBanner {
  private let identifier: String
  private var report: ((Double) -> Void)?
  private var finish: ((Bool) -> Void)?
  private var isAsked = false

  /// `identifier` stands in Info.plist under BGTaskSchedulerPermittedIdentifiers. Made before the app has
  /// finished launching, once.
  public init(identifier: String) {
    self.identifier = identifier
    guard #available(iOS 26.0, *) else { return }
    // NB: the queue is the main one, so that the task is handed over where this object lives.
    _ = BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { [weak self] task in
      MainActor.assumeIsolated { self?.begin(task) }
    }
  }

  /// Somebody has just asked for an upload: the system takes such a request for nothing else.
  public func ask(_ title: Sentence, name: String) {
    guard #available(iOS 26.0, *), !isAsked else { return }
    let title = title.text { Bundle.main.localizedString(forKey: $0, value: nil, table: nil) }
    let request = BGContinuedProcessingTaskRequest(identifier: identifier, title: title, subtitle: name)
    request.strategy = .fail
    isAsked = (try? BGTaskScheduler.shared.submit(request)) != nil
  }

  public func show(_ share: Double) { report?(share) }

  public func end(isDone: Bool) {
    finish?(isDone)
    report = nil
    finish = nil
    isAsked = false
  }

  @available(iOS 26.0, *) private func begin(_ task: BGTask) {
    guard let task = task as? BGContinuedProcessingTask else {
      return task.setTaskCompleted(success: false)
    }
    guard isAsked else { return task.setTaskCompleted(success: true) }
    task.progress.totalUnitCount = 1_000
    report = { task.progress.completedUnitCount = Int64(min(max($0, 0), 1) * 1_000) }
    finish = { task.setTaskCompleted(success: $0) }
    task.expirationHandler = { [weak self] in
      // The system, or the person by its banner: bytes go on in the background session as they can.
      Task { @MainActor in self?.end(isDone: false) }
    }
  }
}
