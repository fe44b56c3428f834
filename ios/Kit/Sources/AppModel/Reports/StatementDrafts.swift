public import Persistence

/// What somebody has begun to write to moderators: a report of something, or an appeal.
public struct StatementDraft: Codable, Equatable, Sendable {
  /// An account's id; `nil`: a guest.
  var writer: String?
  /// What it is about.
  var place: String
  /// Of a report, as on the wire.
  var reason: String?
  var text: String

  var isBlank: Bool { reason == nil && text.isEmpty }
}

/// What is written to moderators and not sent: on the device from a second after the first key, for whoever
/// wrote it, until it is sent.
///
/// It refuses to know what is sent and when.
@MainActor public final class StatementDrafts {
  /// More are begun by nobody who means to send them; the oldest go.
  static let most = 64

  private let file: WriteBehind<[StatementDraft]>?
  private let viewer: any ViewerPort
  private let clock: any PauseClock
  /// The one that was touched last is last.
  private var all: [StatementDraft]
  private var storing: Task<Void, Never>?

  /// `file`: `nil`, and none outlives the app. `viewer`: who writes.
  public init(_ file: StoredFile<[StatementDraft]>?, viewer: any ViewerPort, clock: any PauseClock) {
    self.file = file.map { WriteBehind($0) }
    self.viewer = viewer
    self.clock = clock
    all = file?.load() ?? []
  }

  /// Of whoever is here.
  func draft(of place: String) -> StatementDraft? { all.first { $0.isOf(viewer.viewerID, place) } }

  func change(_ place: String, reason: String? = nil, text: String) {
    let writer = viewer.viewerID
    let draft = StatementDraft(writer: writer, place: place, reason: reason, text: TextCount.cut(text))
    guard draft != self.draft(of: place) ?? StatementDraft(writer: writer, place: place, text: "") else {
      return
    }
    all.removeAll { $0.isOf(writer, place) }
    if !draft.isBlank { all.append(draft) }
    all.removeFirst(max(0, all.count - Self.most))
    guard storing == nil else { return }
    storing = Task {
      guard (try? await clock.pause(WrittenField.storeDelay)) != nil else { return }
      storing = nil
      store()
    }
  }

  /// It was sent, or can be no more.
  func drop(_ place: String) {
    guard draft(of: place) != nil else { return }
    all.removeAll { $0.isOf(viewer.viewerID, place) }
    store()
  }

  /// Forgets what everybody has written here.
  public func dropAll() {
    all = []
    store()
  }

  /// At once: the app is left.
  public func store() {
    storing?.cancel()
    storing = nil
    file?.save(all.isEmpty ? nil : all)
  }

  /// Returns once what was stored is on disk.
  func settled() async { await file?.settled() }
}

extension StatementDraft {
  fileprivate func isOf(_ writer: String?, _ place: String) -> Bool {
    self.writer == writer && self.place == place
  }
}
