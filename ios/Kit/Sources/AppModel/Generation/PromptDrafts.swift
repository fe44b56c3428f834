internal import Contract
public import Persistence

/// What somebody has begun to ask for, and how it was asked for last.
public struct PromptDraft: Codable, Equatable, Sendable {
  /// An account's id.
  var writer: String?
  /// What it would become: a new one, another version of one, the same again.
  var place: String
  var prompt = ""
  var seconds: Int?
  var style: GenerationStyle?
  var aspect: GenerationAspect?
  var fromClip: String?
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
}

/// Prompts that are typed and not asked for: on the device from a second after the first key, for whoever
/// typed them. And the key of each tap, from before it is sent until its answer is there: the same wish once
/// more is the same one, and paid once, also after the end of the app.
///
/// It refuses to know what is sent and when.
@MainActor public final class PromptDrafts {
  /// More are begun by nobody who means to ask for them; the oldest go.
  static let most = 32

  private let file: WriteBehind<[PromptDraft]>?
  private let viewer: any ViewerPort
  private let clock: any PauseClock
  private let makeKey: () -> String
  /// The one that was touched last is last.
  private var all: [PromptDraft]
  private var storing: Task<Void, Never>?

  /// `file`: `nil`, and none outlives the app. `viewer`: who types. `makeKey` answers a key that nobody has
  /// had.
  public init(
    _ file: StoredFile<[PromptDraft]>?, viewer: any ViewerPort, clock: any PauseClock,
    makeKey: @escaping () -> String
  ) {
    self.file = file.map { WriteBehind($0) }
    self.viewer = viewer
    self.clock = clock
    self.makeKey = makeKey
    all = file?.load() ?? []
  }

  /// Of whoever is here.
  func draft(of place: String) -> PromptDraft? { all.first { $0.isOf(viewer.viewerID, place) } }

  /// What is typed or chosen changes.
  func change(_ place: String, _ change: (inout PromptDraft) -> Void) {
    let before = draft(of: place) ?? PromptDraft(writer: viewer.viewerID, place: place)
    var draft = before
    change(&draft)
    draft.prompt = TextCount.cut(draft.prompt)
    guard draft != before else { return }
    put(draft)
    guard storing == nil else { return }
    storing = Task {
      guard (try? await clock.pause(WrittenField.storeDelay)) != nil else { return }
      storing = nil
      store()
    }
  }

  private func put(_ draft: PromptDraft) {
    all.removeAll { $0.isOf(draft.writer, draft.place) }
    if !draft.isBlank { all.append(draft) }
    all.removeFirst(max(0, all.count - Self.most))
  }

  // MARK: Taps

  /// The key under which this is asked for, on disk before this returns.
  func key(of place: String, for wish: NewGeneration) async -> String {
    var draft = draft(of: place) ?? PromptDraft(writer: viewer.viewerID, place: place)
    if let tried = draft.tried, tried.wish == wish { return tried.key }
    let key = makeKey()
    draft.tried = PromptDraft.Tried(key: key, wish: wish)
    put(draft)
    store()
    await settled()
    return key
  }

  /// An answer came that nothing was begun: the next tap is another one.
  func settle(_ place: String) {
    guard var draft = draft(of: place), draft.tried != nil else { return }
    draft.tried = nil
    put(draft)
    store()
  }

  // MARK: Ends

  /// It was asked for.
  func drop(_ place: String) {
    guard draft(of: place) != nil else { return }
    all.removeAll { $0.isOf(viewer.viewerID, place) }
    store()
  }

  /// Forgets what everybody has typed here, and no tap that may be under way.
  public func dropAll() {
    all = all.compactMap { draft in
      guard let tried = draft.tried else { return nil }
      var rest = PromptDraft(writer: draft.writer, place: draft.place)
      rest.tried = tried
      return rest
    }
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

extension PromptDraft {
  /// Nobody would miss anything of it.
  fileprivate var isBlank: Bool { prompt.isEmpty && fromClip == nil && tried == nil }

  fileprivate func isOf(_ writer: String?, _ place: String) -> Bool {
    self.writer == writer && self.place == place
  }
}
