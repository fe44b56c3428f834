public import Persistence

/// What somebody has begun to write to moderators: a report of something, or an appeal.
public struct StatementDraft: Codable, Equatable, Sendable, PersonalDraft {
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

  private let drafts: PersonalDrafts<StatementDraft>

  /// `file`: `nil`, and none outlives the app. `viewer`: who writes.
  public init(_ file: StoredFile<[StatementDraft]>?, viewer: any ViewerPort, clock: any PauseClock) {
    drafts = PersonalDrafts(file, most: Self.most, viewer: viewer, clock: clock)
  }

  /// Of whoever is here.
  func draft(of place: String) -> StatementDraft? { drafts[place] }

  func change(_ place: String, reason: String? = nil, text: String) {
    let none = StatementDraft(writer: drafts.writer, place: place, text: "")
    var draft = none
    (draft.reason, draft.text) = (reason, TextCount.cut(text))
    guard draft != drafts[place] ?? none else { return }
    drafts.put(draft)
    drafts.storeSoon()
  }

  /// It was sent, or can be no more.
  func drop(_ place: String) { drafts.drop(place) }

  /// Forgets what everybody has written here.
  public func dropAll() { drafts.reduce { _ in nil } }

  /// At once: the app is left.
  public func store() { drafts.store() }

  /// Returns once what was stored is on disk.
  func settled() async { await drafts.settled() }
}
