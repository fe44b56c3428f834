internal import Contract
public import Persistence

/// What somebody has begun to ask for, and how it was asked for last.
public struct PromptDraft: Codable, Equatable, Sendable, PersonalDraft {
  var writer: String?
  /// What it would become: a new one, another version of one, the same again.
  var place: String
  var prompt = ""
  var seconds: Int?
  var style: GenerationStyle?
  var aspect: GenerationAspect?
  var fromClip: String?
  /// The id of a picture.
  var picture: String?
  /// A tap whose answer has not come: it may be under way.
  var tried: Tried?

  struct Tried: Codable, Equatable, Sendable {
    var key: String
    var wish: NewGeneration
  }

  init(writer: String?, place: String) {
    self.writer = writer
    self.place = place
  }

  var isBlank: Bool { prompt.isEmpty && fromClip == nil && picture == nil && tried == nil }
}

/// Prompts that are typed and not asked for: on the device from a second after the first key, for whoever
/// typed them. And the key of each tap, from before it is sent until its answer is there: the same wish once
/// more is the same one, and paid once, also after the end of the app.
///
/// It refuses to know what is sent and when.
@MainActor public final class PromptDrafts {
  /// More are begun by nobody who means to ask for them; the oldest go.
  static let most = 32

  private let drafts: PersonalDrafts<PromptDraft>
  private let makeKey: () -> String

  /// `file`: `nil`, and none outlives the app. `viewer`: who types. `makeKey` answers a key that nobody has
  /// had.
  public init(
    _ file: StoredFile<[PromptDraft]>?, viewer: any ViewerPort, clock: any PauseClock,
    makeKey: @escaping () -> String
  ) {
    drafts = PersonalDrafts(file, most: Self.most, viewer: viewer, clock: clock)
    self.makeKey = makeKey
  }

  /// Of whoever is here.
  func draft(of place: String) -> PromptDraft? { drafts[place] }

  private func draftOrNew(of place: String) -> PromptDraft {
    drafts[place] ?? PromptDraft(writer: drafts.writer, place: place)
  }

  /// What is typed or chosen changes.
  func change(_ place: String, _ change: (inout PromptDraft) -> Void) {
    let before = draftOrNew(of: place)
    var draft = before
    change(&draft)
    draft.prompt = TextCount.cut(draft.prompt)
    guard draft != before else { return }
    drafts.put(draft)
    drafts.storeSoon()
  }

  // MARK: Taps

  /// The key under which this is asked for, on disk before this returns.
  func key(of place: String, for wish: NewGeneration) async -> String {
    var draft = draftOrNew(of: place)
    if let tried = draft.tried, tried.wish == wish { return tried.key }
    let key = makeKey()
    draft.tried = PromptDraft.Tried(key: key, wish: wish)
    drafts.put(draft)
    drafts.store()
    await settled()
    return key
  }

  /// An answer came that nothing was begun: the next tap is another one.
  func settle(_ place: String) {
    guard var draft = drafts[place], draft.tried != nil else { return }
    draft.tried = nil
    drafts.put(draft)
    drafts.store()
  }

  // MARK: Ends

  /// It was asked for.
  func drop(_ place: String) { drafts.drop(place) }

  /// Forgets what everybody has typed here, and no tap that may be under way.
  public func dropAll() {
    drafts.reduce { draft in
      guard let tried = draft.tried else { return nil }
      var rest = PromptDraft(writer: draft.writer, place: draft.place)
      rest.tried = tried
      return rest
    }
  }

  /// At once: the app is left.
  public func store() { drafts.store() }

  /// Returns once what was stored is on disk.
  func settled() async { await drafts.settled() }
}
