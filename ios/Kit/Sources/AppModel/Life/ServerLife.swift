public import Persistence
public import Playback
public import Session
public import Transfer

/// What people write to each other, as far as it comes and goes with the app.
@MainActor public protocol TalkLife: AnyObject {
  /// Somebody sees the app from now on.
  func foregrounded()
  /// Nobody does: nothing more is heard.
  func backgrounded()
  /// Returns once nothing is on its way to the server or to the disk.
  func settled() async
  /// Nothing is heard or sent any more, for good.
  func stop()
}

extension TalkModels: TalkLife {}

/// All of one server that runs by itself: begun and come back to in its order, and ended whole when there is
/// another server.
///
/// It decides what comes before what, since that is what people meet: a feed that plays at once. It refuses
/// to know what the parts do, and which frameworks they are made of.
@MainActor public final class ServerLife {
  public struct Parts {
    public var assembly: FeedAssembly
    public var listener: any MediaListening
    /// Where the listener was found last time.
    public var port: StoredFile<UInt16>
    public var talk: any TalkLife
    public var queue: UploadQueue
    public var kept: KeptClips?
    public var push: PushModel
    public var announcements: Announcements
    public var time: any BackgroundTime
    /// Cuts the connections that nothing here needs to its end: the live stream, parts of uploads.
    public var hangUp: () -> Void
    /// The same of requests, once the server has heard goodbye.
    public var close: () -> Void

    public init(
      assembly: FeedAssembly, listener: any MediaListening, port: StoredFile<UInt16>, talk: any TalkLife,
      queue: UploadQueue, kept: KeptClips?, push: PushModel, announcements: Announcements,
      time: any BackgroundTime, hangUp: @escaping () -> Void, close: @escaping () -> Void
    ) {
      self.assembly = assembly
      self.listener = listener
      self.port = port
      self.talk = talk
      self.queue = queue
      self.kept = kept
      self.push = push
      self.announcements = announcements
      self.time = time
      self.hangUp = hangUp
      self.close = close
    }
  }

  private let parts: Parts
  private var hasBegun = false
  private var beginning: Task<Void, Never>?
  private var revocation: Task<Void, Never>?
  private let held: HeldTime

  public init(_ parts: Parts) {
    self.parts = parts
    held = HeldTime(parts.time, name: "leaving")
    parts.assembly.beforeReturn = { [weak self] in await self?.revive() }
  }

  /// Begins, once. The feed of last time is there when this returns, at players whose addresses are answered:
  /// what waited for anything here would be a black first frame.
  public func begin(_ configuration: FeedSession.Configuration) {
    guard !hasBegun else { return }
    hasBegun = true
    do {
      try parts.listener.start()
      parts.port.save(parts.listener.port)
    } catch {
      saySilence()
    }
    parts.assembly.start(configuration)
    parts.talk.foregrounded()
    beginning = Task { [parts] in
      await parts.queue.start()
      await parts.kept?.start()
      if !Task.isCancelled { await parts.push.becameActive() }
    }
  }

  /// Nobody sees the app any more, and it may not come back. What is on its way gets there in the time that
  /// the system lends: likes, texts, and what an upload has to do before its bytes go by themselves.
  public func left() {
    parts.assembly.leave()
    parts.talk.backgrounded()
    held.hold { [parts] in
      await parts.assembly.actions.settled()
      await parts.talk.settled()
      await parts.queue.rested()
    }
  }

  /// Somebody sees the app again. What plays hears of it when its players are answered.
  public func returned() {
    held.release()
    parts.talk.foregrounded()
    parts.queue.foregrounded()
    let push = parts.push
    Task { await push.becameActive() }
  }

  private func revive() async {
    do {
      try await parts.listener.revive()
      parts.port.save(parts.listener.port)
    } catch {
      // Left again meanwhile, or for another server: there is nobody who waits for a clip.
      if !Task.isCancelled { saySilence() }
    }
  }

  private func saySilence() {
    parts.announcements.post("Clips cannot be played now. Start the app again.")
  }

  /// Lets go of everything: there is another server, and nothing of this one is heard, shown or sent any
  /// more. What is stored stays. The server is told behind it: one that does not answer keeps nobody waiting.
  public func end() async {
    beginning?.cancel()
    held.release()
    parts.assembly.beforeReturn = nil
    parts.talk.stop()
    parts.kept?.stop()
    parts.queue.free()
    parts.hangUp()
    parts.assembly.save()
    await parts.assembly.stop()
    await parts.listener.stop()
    revocation = Task { [parts] in
      await parts.push.leave()
      parts.close()
    }
  }

  /// Returns once all that began has begun, or has ended.
  func settled() async {
    await beginning?.value
    await revocation?.value
  }
}
