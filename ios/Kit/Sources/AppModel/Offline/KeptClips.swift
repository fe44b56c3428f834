public import Contract
public import Foundation
public import Observation
public import Persistence
internal import Playback

/// The clips that a person keeps for times without a network: which, how far each has come, and how much room
/// they take.
///
/// The list is on disk before anything is fetched, so that a kill leaves a clip that is fetched on at the
/// next start. One is fetched after the other.
@MainActor @Observable public final class KeptClips {
  public enum State: Equatable, Sendable {
    case whole
    /// Bytes of bytes; of none: it is about to begin.
    case fetching(Int, of: Int)
    /// For its turn, or for a network.
    case waiting
    /// Why it cannot be kept as it is.
    case failed(Sentence)
  }

  public struct Row: Identifiable, Equatable, Sendable {
    public let kept: KeptClip
    public var state: State
    /// On this device.
    public var bytes: Int
    public var id: String { kept.id }
  }

  /// More is not a person's choice.
  public static let most = 200

  /// The newest first.
  public private(set) var rows: [Row] = []
  /// Hears that a clip is kept, and no longer: the session has to know of its own clips.
  @ObservationIgnored public var onChanged: ((Clip, _ isKept: Bool) -> Void)?
  /// Hears that a clip is there whole.
  @ObservationIgnored public var onWhole: ((Clip) -> Void)?
  @ObservationIgnored private let file: StoredFile<[KeptClip]>
  @ObservationIgnored private let keeper: any ClipKeeping
  @ObservationIgnored private let announcements: Announcements
  @ObservationIgnored private let now: () -> Date
  @ObservationIgnored private var work: (id: String, task: Task<Void, Never>)?
  /// No network: nothing is tried.
  @ObservationIgnored private var isOnline = true
  @ObservationIgnored private var isStopped = false

  public init(
    file: StoredFile<[KeptClip]>, keeper: any ClipKeeping, announcements: Announcements,
    now: @escaping () -> Date = { Date() }
  ) {
    self.file = file
    self.keeper = keeper
    self.announcements = announcements
    self.now = now
    rows = (file.load() ?? []).prefix(Self.most).map { Row(kept: $0, state: .waiting, bytes: 0) }
  }

  public var bytes: Int { rows.reduce(0) { $0 + $1.bytes } }

  public func isKept(_ clip: String) -> Bool { rows.contains { $0.id == clip } }

  /// Counts what is there, and fetches what is missing.
  public func start() async {
    for row in rows { await count(row.id) }
    fetchNext()
  }

  /// Fetches nothing more, for good: what has come stays, and is fetched on at the next start.
  public func stop() {
    isStopped = true
    work?.task.cancel()
  }

  public func setOnline(_ isOnline: Bool) {
    guard isOnline != self.isOnline else { return }
    self.isOnline = isOnline
    guard isOnline else { return }
    for index in rows.indices where rows[index].state != .whole { rows[index].state = .waiting }
    fetchNext()
  }

  public func keep(_ clip: Clip) {
    guard !isKept(clip.id) else { return }
    guard clip.visibility == nil || clip.visibility == .public else {
      return announcements.post("Only clips that everybody can see can be kept.")
    }
    guard rows.count < Self.most else {
      return announcements.post("You keep as many clips as there is room for. Remove some first.")
    }
    rows.insert(Row(kept: KeptClip(clip, since: now()), state: .waiting, bytes: 0), at: 0)
    guard save() else {
      rows.removeFirst()
      return announcements.post("This device is full. Free some space, then try again.")
    }
    onChanged?(clip, true)
    fetchNext()
  }

  public func remove(_ id: String) async {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
    let row = rows.remove(at: index)
    if work?.id == id {
      work?.task.cancel()
      await work?.task.value
    }
    save()
    onChanged?(row.kept.clip, false)
    await keeper.drop(row.kept.clip)
    fetchNext()
  }

  public func removeAll() async {
    for row in rows { await remove(row.id) }
  }

  /// Tries again what failed.
  public func retry(_ id: String) {
    guard let index = rows.firstIndex(where: { $0.id == id }), rows[index].state != .whole else { return }
    if case .fetching = rows[index].state { return }
    rows[index].state = .waiting
    fetchNext()
  }

  /// All that are there, beginning with one of them: what is watched without a network.
  public func playable(from id: String) -> [Clip] {
    let whole = rows.filter { $0.state == .whole || $0.id == id }.map(\.kept.clip)
    guard let first = whole.firstIndex(where: { $0.id == id }) else { return whole }
    return Array(whole[first...]) + whole[..<first]
  }

  @discardableResult private func save() -> Bool { file.save(rows.map(\.kept)) }

  private func count(_ id: String) async {
    guard let row = rows.first(where: { $0.id == id }) else { return }
    let held = await keeper.held(of: row.kept.clip)
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
    rows[index].bytes = held.bytes
    if held.isWhole {
      rows[index].state = .whole
    } else if rows[index].state == .whole {
      rows[index].state = .waiting
    }
  }

  private func fetchNext() {
    guard work == nil, isOnline, !isStopped, let next = rows.last(where: { $0.state == .waiting }) else {
      return
    }
    set(next.id, .fetching(0, of: 0))
    let clip = next.kept.clip
    let task = Task {
      do {
        try await keeper.fetch(clip) { done, total in
          Task { @MainActor [weak self] in self?.advance(clip.id, done, total) }
        }
        await end(clip, nil)
      } catch {
        await end(clip, error)
      }
    }
    work = (next.id, task)
  }

  private func advance(_ id: String, _ done: Int, _ total: Int) {
    guard work?.id == id, case .fetching = rows.first(where: { $0.id == id })?.state else { return }
    set(id, .fetching(done, of: total))
  }

  private func end(_ clip: Clip, _ error: (any Error)?) async {
    let isCancelled = Task.isCancelled
    work = nil
    guard !isCancelled, isKept(clip.id) else { return }
    set(clip.id, error.map(Self.state(after:)) ?? .whole)
    await count(clip.id)
    if error == nil, rows.contains(where: { $0.id == clip.id && $0.state == .whole }) { onWhole?(clip) }
    fetchNext()
  }

  private func set(_ id: String, _ state: State) {
    if let index = rows.firstIndex(where: { $0.id == id }) { rows[index].state = state }
  }

  private static func state(after error: any Error) -> State {
    switch error {
    case ClipFetcher.Failure.diskFull: .failed("This device is full. Free some space, then try again.")
    case ClipFetcher.Failure.notPlayable, ClipFetcher.Failure.notPublic, TransferFailure.gone:
      .failed("This clip is gone.")
    default: .failed("The clip could not be loaded. Try again.")
    }
  }
}
