internal import Captions
internal import FFmpeg
internal import Features
internal import Logging
internal import Notifications
public import Platform
public import Transcoding
internal import Videos

/// Workers, each with the handlers of its jobs.
extension Instance {
  public func worker(tools: any MediaTools, ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() })
    -> Worker
  {
    Worker(
      queue: queue, handlers: features(FeatureContext(self, tools: tools)).flatMap(\.jobs),
      logger: Logger(label: "clipfeed.worker"), ended: ended)
  }

  var captionPlaylists: CaptionPlaylists {
    CaptionPlaylists(media: media, clips: clips, workFolder: workFolder)
  }

  /// A worker for the operator's captioner alone: however long that takes, conversions do not wait for it.
  /// Nil: there is none.
  public func captionWorker(ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() }) -> Worker? {
    guard let captioner else { return nil }
    let handler = CaptionerHandler(
      captioner: captioner, captions: captions, clips: clips, database: database, media: media,
      workFolder: workFolder
    ) { [clips] in try await clips.playback(of: $0) }
    return Worker(
      queue: queue, handlers: [handler], logger: Logger(label: "clipfeed.captioner"), ended: ended)
  }

  /// A worker that listens to clips: after an update it goes through all of them, and no conversion waits for
  /// that. Nil: the tools cannot.
  public func soundWorker(
    tools: any MediaTools, ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() }
  ) -> Worker? {
    let handlers = listening(by: tools)
    guard !handlers.isEmpty else { return nil }
    return Worker(queue: queue, handlers: handlers, logger: Logger(label: "clipfeed.sounds"), ended: ended)
  }

  /// A worker that tells followers of new clips: no conversion waits for it, nor it for one.
  public func fanOutWorker(
    time: (any TimeSource)? = nil, ended: @escaping @Sendable (JobEnd) -> Void = { $0.count() }
  ) -> Worker {
    let handler = FanOut(store: notifications(on: database, time: time), devices: devices(time: time))
    return Worker(
      queue: queue, handlers: [handler], logger: Logger(label: "clipfeed.followers"), ended: ended)
  }

  /// Does what changes of captions have asked for, if nobody else is at it.
  public func remakeCaptionPlaylists() async throws {
    let worker = Worker(
      queue: queue, handlers: [captionPlaylists], logger: Logger(label: "clipfeed.worker"))
    while try await worker.runNext() {}
  }

  /// For a clip that was there before anybody set a captioner.
  public func requestCaptions(of clipID: String) async throws {
    let requests = CaptionRequests(queue: queue, hasCaptioner: true)
    try await database.write {
      try $0.lock(clipID)
      try requests.requestCaptions(clipID: clipID, in: $0)
    }
  }
}
