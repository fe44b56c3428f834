public import Observation
internal import Persistence

/// Texts on their way, each sent once, whatever becomes of its answer: in the order of each place, again
/// when the network is back, and after the app was ended too.
///
/// It refuses to know what a place is and what is made of a text there.
@MainActor @Observable public final class Outbox<Answer: Sendable> {
  public enum State: Equatable, Sendable {
    case waiting
    case sending
    /// It is tried again by itself.
    case unreached(Sentence)
    /// It is of no use to try again.
    case refused(Sentence)
  }

  public struct Entry: Equatable, Identifiable, Sendable {
    /// The key under which it goes.
    public let id: String
    public let place: String
    public let text: String
    public let state: State
  }

  /// In seconds: how long it waits after one failure, and after many.
  static var retryLimits: ClosedRange<Int> { 2...60 }

  /// By place, the oldest first.
  private var entries: [String: [Entry]] = [:]

  @ObservationIgnored private let drafts: DraftBook
  @ObservationIgnored private let viewer: any ViewerPort
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored private let deliver:
    (_ place: String, _ text: String, _ key: String) async throws -> Answer
  /// Runs for each text that has arrived; `wasTried`: maybe not now.
  @ObservationIgnored public var onArrived: ((_ place: String, Answer, _ wasTried: Bool) -> Void)?
  @ObservationIgnored public var onRefused: ((_ place: String, RequestFailure) -> Void)?
  @ObservationIgnored private var states: [String: State] = [:]
  @ObservationIgnored private var tried: Set<String> = []
  @ObservationIgnored private var running: Task<Void, Never>?
  @ObservationIgnored private var waiting: Task<Void, Never>?
  @ObservationIgnored private var failures = 0
  @ObservationIgnored private var isStopped = false

  public init(
    drafts: DraftBook, viewer: any ViewerPort, clock: any PauseClock,
    deliver: @escaping (_ place: String, _ text: String, _ key: String) async throws -> Answer
  ) {
    self.drafts = drafts
    self.viewer = viewer
    self.clock = clock
    self.deliver = deliver
    // Of an earlier run: any of them may have arrived.
    tried = Set(drafts.places.flatMap { drafts.away(from: $0).map(\.key) })
    redraw()
  }

  /// What whoever uses the app now has on its way from a place, the oldest first.
  public func entries(of place: String) -> [Entry] { entries[place] ?? [] }

  /// The same of each place that is meant.
  func entries(where isMeant: (_ place: String) -> Bool) -> [Entry] {
    entries.filter { isMeant($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// Takes the place's text and sends it.
  public func send(_ place: String) {
    drafts.enqueue(place)
    redraw()
    retry()
  }

  /// Somebody asks for it, the network is back, or the app is in front again.
  public func retry() {
    waiting?.cancel()
    waiting = nil
    guard running == nil, !isStopped else { return }
    running = Task {
      await run()
      running = nil
    }
  }

  /// Somebody asks for this one, which was refused before.
  public func retry(_ key: String) {
    states[key] = nil
    redraw()
    retry()
  }

  /// Sends nothing more, for good: what waits is on disk.
  public func stop() {
    isStopped = true
    waiting?.cancel()
    running?.cancel()
  }

  /// Somebody gives it up.
  public func discard(_ place: String, key: String) {
    guard states[key] != .sending else { return }
    states[key] = nil
    drafts.settle(place, key: key)
    redraw()
  }

  /// Somebody else uses the app now: texts go by nobody but their writer.
  public func viewerChanged() {
    redraw()
    retry()
  }

  /// Returns once nothing is on its way to the server or to the disk.
  public func settled() async {
    while let running { await running.value }
    await drafts.stored()
  }

  private func run() async {
    while let (place, part) = next() {
      set(.sending, part.key)
      // Whatever ends the app from here on: the text and its key are on disk.
      await drafts.stored()
      // Its writer may have left meanwhile.
      guard part.writer == viewer.viewerID else {
        set(nil, part.key)
        continue
      }
      let wasTried = !tried.insert(part.key).inserted
      do {
        let answer = try await deliver(place, part.text, part.key)
        failures = 0
        drafts.settle(place, key: part.key)
        set(nil, part.key)
        onArrived?(place, answer, wasTried)
      } catch {
        let failure = RequestFailure(error)
        guard failure.reason == .refused else {
          set(.unreached(failure.sentence), part.key)
          return retryLater()
        }
        set(.refused(failure.sentence), part.key)
        onRefused?(place, failure)
      }
    }
  }

  private func next() -> (String, TriedText)? {
    for place in drafts.places {
      for part in drafts.away(from: place) where part.writer == viewer.viewerID {
        if case .refused = states[part.key] { continue }
        return (place, part)
      }
    }
    return nil
  }

  private func retryLater() {
    guard !isStopped else { return }
    let seconds = min(Self.retryLimits.lowerBound << min(failures, 5), Self.retryLimits.upperBound)
    failures += 1
    waiting = Task {
      guard (try? await clock.pause(.seconds(seconds))) != nil else { return }
      retry()
    }
  }

  private func set(_ state: State?, _ key: String) {
    states[key] = state
    redraw()
  }

  private func redraw() {
    var all: [String: [Entry]] = [:]
    for place in drafts.places {
      let own = drafts.away(from: place).filter { $0.writer == viewer.viewerID }
      all[place] = own.map {
        Entry(id: $0.key, place: place, text: $0.text, state: states[$0.key] ?? .waiting)
      }
    }
    if all != entries { entries = all }
  }
}
