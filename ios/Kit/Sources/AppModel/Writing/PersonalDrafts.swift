internal import Persistence

/// What one person has begun at one place of the app and not sent.
protocol PersonalDraft: Codable, Equatable, Sendable {
  /// An account's id; `nil`: a guest.
  var writer: String? { get }
  var place: String { get }
  /// Nobody would miss anything of it.
  var isBlank: Bool { get }
}

/// Drafts of everybody who uses this device: on it from a second after the first key, for whoever is here
/// those alone that they began.
///
/// It refuses to know what stands in them.
@MainActor final class PersonalDrafts<Value: PersonalDraft> {
  private let file: WriteBehind<[Value]>?
  private let most: Int
  private let viewer: any ViewerPort
  private let clock: any PauseClock
  /// The one that was touched last is last.
  private var all: [Value]
  private var storing: Task<Void, Never>?

  /// `file`: `nil`, and none outlives the app. Of more than `most` the oldest go. `viewer`: who writes.
  init(_ file: StoredFile<[Value]>?, most: Int, viewer: any ViewerPort, clock: any PauseClock) {
    self.file = file.map { WriteBehind($0) }
    self.most = most
    self.viewer = viewer
    self.clock = clock
    all = file?.load() ?? []
  }

  /// An account's id; `nil`: a guest.
  var writer: String? { viewer.viewerID }

  /// Of whoever is here.
  subscript(place: String) -> Value? { all.first { $0.writer == writer && $0.place == place } }

  /// In the place of the one that was there; on the device once it is stored.
  func put(_ draft: Value) {
    all.removeAll { $0.writer == draft.writer && $0.place == draft.place }
    if !draft.isBlank { all.append(draft) }
    all.removeFirst(max(0, all.count - most))
  }

  /// It was sent, or can be no more.
  func drop(_ place: String) {
    guard self[place] != nil else { return }
    all.removeAll { $0.writer == writer && $0.place == place }
    store()
  }

  /// Keeps of each what `rest` leaves of it, also of those of others.
  func reduce(to rest: (Value) -> Value?) {
    all = all.compactMap(rest)
    store()
  }

  /// More keys follow the first.
  func storeSoon() {
    guard storing == nil else { return }
    storing = Task {
      guard (try? await clock.pause(WrittenField.storeDelay)) != nil else { return }
      storing = nil
      store()
    }
  }

  func store() {
    storing?.cancel()
    storing = nil
    file?.save(all.isEmpty ? nil : all)
  }

  /// Returns once what was stored is on disk.
  func settled() async { await file?.settled() }
}
