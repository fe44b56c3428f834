public import Activity
public import Contract
public import CoreTypes
public import Foundation
public import Persistence
public import Playback

/// Hosts the core's `Activity`: what this person watches and turns on and off, on its way to the server.
///
/// It carries out and reports. What counts as watched, what is sent together and when again, and what a
/// toggle
/// shows meanwhile is the core's to say. It refuses to know what is watched and where toggles are drawn.
@MainActor public final class ActivityHost {
  /// What becomes of the last wish for a toggle.
  public struct Toggle {
    /// Asks the server for it.
    public var send: @Sendable (_ isOn: Bool) async throws -> Answer
    /// The server holds what is shown.
    public var confirm: (_ isOn: Bool, Answer?) -> Void
    /// It does not: so it stands, and this is why.
    public var revert: (_ isOn: Bool, (any Error)?) -> Void

    public init(
      send: @escaping @Sendable (Bool) async throws -> Answer,
      confirm: @escaping (Bool, Answer?) -> Void, revert: @escaping (Bool, (any Error)?) -> Void
    ) {
      self.send = send
      self.confirm = confirm
      self.revert = revert
    }
  }

  /// What the server counts now, where it says so.
  public struct Answer: Equatable, Sendable {
    public var count: Int?

    public init(count: Int? = nil) { self.count = count }
  }

  private struct Row {
    let number: ToggleID
    var isOn: Bool?
    var toggle: Toggle
  }

  private let client: Client
  private let clock: any HostClock
  private let date: () -> Date
  private let makeID: () -> String
  let waiting: WaitingEvents
  private let toggles: WaitingToggles
  /// Of the account; `nil`: nobody is signed in.
  public var viewerID: () -> String? = { nil }
  /// Asks for a toggle that an earlier run of the app left, by its name.
  public var askAgain: ((_ name: String, _ isOn: Bool) async throws -> Void)?
  private var isStopped = false
  private var machine = Activity()
  private var wakeAt: Instant?
  /// What the server is told of a clip, beside what happened to it; `nil`: nothing is.
  public var describe: (ItemID) -> (clip: String, source: WatchEvent.Source)? = { _ in nil }
  /// By name.
  private var rows: [String: Row] = [:]
  private var names: [Int32: String] = [:]
  private var lastToggle: Int32 = 0
  /// What came of the request of which the core is being told.
  private var outcome: Result<Answer, any Error>?
  /// Sees each event with what it caused. For tests and logs.
  public var observer: ((Activity.Event, [Activity.Command], _ wake: Instant?) -> Void)?
  private var requests: [Int: Task<Void, Never>] = [:]
  private var lastRequest = 0

  /// `file`, `toggles`: where what waits outlives the app. `makeID`: ids of events, each given once.
  public init(
    client: Client, clock: any HostClock, file: StoredFile<[PendingEvent]>?,
    toggles: StoredFile<PendingToggles>? = nil, date: @escaping () -> Date = { Date() },
    makeID: @escaping () -> String = { UUID().uuidString.lowercased() }
  ) {
    self.client = client
    self.clock = clock
    self.date = date
    self.makeID = makeID
    waiting = WaitingEvents(file: file)
    self.toggles = WaitingToggles(file: toggles)
  }

  /// Sends what an earlier run of the app could not.
  public func start() {
    for (name, isOn) in toggles.left(by: viewerID()) { run { [self] in await askLeft(name, isOn) } }
    guard !waiting.left(by: viewerID(), at: date()).isEmpty else { return }
    run { [self] in await sendLeft() }
  }

  public func report(_ event: Activity.Event) {
    var commands: [Activity.Command] = []
    machine.handle(event, at: clock.now) { commands.append($0) }
    if case .woke = event { wakeAt = nil }
    var wake: Instant?
    if let next = machine.nextWake, next != wakeAt {
      wakeAt = next
      // As in a session: no host is woken sooner than this.
      wake = max(next, clock.now + Milliseconds(1))
    }
    observer?(event, commands, wake)
    for command in commands { carryOut(command) }
    if let wake { clock.wake(at: wake) { [weak self] in self?.report(.woke) } }
    if case .pageHidden = event {
      waiting.store()
      toggles.store(by: viewerID())
    }
  }

  /// Turns a thing on or off. `known`: how it stood so far.
  public func turn(_ name: String, _ isOn: Bool, known: Bool, _ toggle: Toggle) {
    if rows[name] == nil {
      lastToggle &+= 1
      rows[name] = Row(number: ToggleID(lastToggle), toggle: toggle)
      names[lastToggle] = name
    }
    rows[name]?.toggle = toggle
    guard let number = rows[name]?.number else { return }
    report(.toggleRequested(number, isOn: isOn, known: known))
  }

  /// How a thing stands; `nil` if nobody has turned it so far.
  public func isOn(_ name: String) -> Bool? { rows[name]?.isOn }

  /// Somebody else watches and turns things from now on.
  public func viewerChanged() {
    rows = [:]
    names = [:]
    toggles.forget()
    waiting.viewerChanged(to: viewerID())
    report(.togglesForgotten)
  }

  /// Returns once nothing of this is on its way.
  public func settled() async {
    while let request = requests.values.first { await request.value }
  }

  /// Lets go of what is on its way; what waits is in the file.
  public func stop() {
    waiting.store()
    toggles.store(by: viewerID())
    isStopped = true
    for request in requests.values { request.cancel() }
  }

  private func carryOut(_ command: Activity.Command) {
    switch command {
    case .record(let record): keep(record)
    case .sendBatch(let first, let count): sendBatch(first, count)
    case .sendBeacon(let first, let count): sendBeacon(first, count)
    case .dropRecords(let first, let count): waiting.drop(first, count)
    case .sendToggle(let toggle, let isOn): ask(toggle, isOn)
    case .showToggle(let toggle, let isOn): show(toggle, isOn)
    case .confirmToggle(let toggle, let isOn):
      let answer = try? outcome?.get()
      names[toggle.rawValue].flatMap { rows[$0] }?.toggle.confirm(isOn, answer)
    case .revertToggle(let toggle, let isOn):
      show(toggle, isOn)
      var reason: (any Error)?
      if case .failure(let error) = outcome { reason = error }
      names[toggle.rawValue].flatMap { rows[$0] }?.toggle.revert(isOn, reason)
    }
  }

  private func show(_ toggle: ToggleID, _ isOn: Bool) {
    if let name = names[toggle.rawValue] { rows[name]?.isOn = isOn }
  }

  private func keep(_ record: Record) {
    guard let (clip, source) = describe(record.item) else { return }
    // Its time is that of the record, by the device's own clock.
    let past = max(0, (clock.now - record.at).rawValue)
    let now = date().timeIntervalSince1970 * 1_000
    let at = now.isFinite ? Int64(min(max(now, 0), 4e12)) - past : 0
    waiting.keep(
      WatchEvent(
        id: makeID(), clipID: clip, kind: record.kind.event, atMs: at, tookMs: record.took?.rawValue,
        watchedMs: record.watched?.rawValue, source: source, position: Int64(record.position)),
      of: viewerID(), as: record.number)
  }

  private func body(_ events: [WatchEvent]) -> WatchEvents {
    let now = date().timeIntervalSince1970 * 1_000
    return WatchEvents(events, sentAtMs: now.isFinite ? Int64(min(max(now, 0), 4e12)) : nil)
  }

  private func sendBatch(_ first: Int64, _ count: Int64) {
    let events = waiting.events(first, count, of: viewerID())
    // Nothing of it was about a clip that anybody knows, or whoever watched it has left.
    guard !events.isEmpty else { return run { [self] in report(.batchAnswered) } }
    let body = body(events)
    run { [self] in
      do {
        _ = try await client.send(body)
        report(.batchAnswered)
      } catch {
        report(.batchFailed(status: Self.status(error)))
      }
    }
  }

  private func sendBeacon(_ first: Int64, _ count: Int64) {
    let events = waiting.events(first, count, of: viewerID())
    guard !events.isEmpty else { return }
    let body = body(events)
    run { [self] in _ = try? await client.send(body) }
  }

  private func sendLeft() async {
    var rest = waiting.left(by: viewerID(), at: date())
    while !rest.isEmpty {
      let batch = rest.prefix(Limits.eventsInBatch.upperBound)
      do {
        _ = try await client.send(body(Array(batch)))
      } catch {
        // For all others the next run of the app tries again.
        guard Self.isFinal(error) else { return }
      }
      waiting.dropLeft(batch.count)
      // NB: not what is left of the ones above, whose viewer may have left meanwhile.
      rest = waiting.left(by: viewerID(), at: date())
    }
  }

  private func ask(_ toggle: ToggleID, _ isOn: Bool) {
    guard let name = names[toggle.rawValue], let send = rows[name]?.toggle.send else { return }
    toggles.begin(name, isOn, by: viewerID())
    run { [self] in
      do {
        let answer = try await send(isOn)
        answered(name)
        tell(.success(answer), .toggleAnswered(toggle))
      } catch {
        answered(name)
        tell(.failure(error), .toggleFailed(toggle, status: Self.status(error)))
      }
    }
  }

  /// NB: before the core hears of it, which may ask anew. What was stopped has no answer.
  private func answered(_ name: String) {
    if !isStopped { toggles.end(name, by: viewerID()) }
  }

  private func askLeft(_ name: String, _ isOn: Bool) async {
    do {
      try await askAgain?(name, isOn)
    } catch {
      // Without an answer the next run of the app tries again.
      guard Self.isFinal(error) else { return }
    }
    if !isStopped { toggles.endLeft(name, by: viewerID()) }
  }

  /// What is reported is about this outcome.
  private func tell(_ result: Result<Answer, any Error>, _ event: Activity.Event) {
    outcome = result
    report(event)
    outcome = nil
  }

  private func run(_ work: @escaping @MainActor () async -> Void) {
    lastRequest += 1
    let number = lastRequest
    requests[number] = Task {
      await work()
      requests[number] = nil
    }
  }

  /// The server never takes it.
  private static func isFinal(_ error: any Error) -> Bool {
    let status = status(error)
    return (400..<500).contains(status) && status != 401 && status != 429
  }

  /// That of HTTP; 0 if nothing came back.
  private static func status(_ error: any Error) -> Int32 {
    Int32(clamping: (error as? Problem)?.status ?? 0)
  }
}

extension Record.Kind {
  fileprivate var event: WatchEvent.Kind {
    switch self {
    case .impression: .impression
    case .firstFrame: .firstFrame
    case .progress: .progress
    case .completion: .completion
    case .loop: .loop
    case .skip: .skip
    case .stall: .stall
    }
  }
}
