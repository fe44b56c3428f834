public import Persistence

/// Texts that people have not sent yet, one for each place and writer, those on their way beside them, and by
/// which key each was tried to be sent. Whoever is here meets their own alone. Guests have theirs together,
/// and these go along into the account that a guest becomes.
///
/// It refuses to know when a text is stored, sent or dropped.
@MainActor public final class DraftBook {
  /// One message of a text that is sent.
  public struct Part: Equatable, Sendable {
    public let text: String
    public let key: String
    /// It may have arrived already.
    public let wasTried: Bool
  }

  /// The message that took a text away, and who wrote it.
  private struct Taking {
    let message: Int32
    let writer: String?
  }

  /// A field that may be gone.
  private struct KnownField { weak var field: WrittenField? }

  private let file: WriteBehind<Drafts>
  private let viewer: any ViewerPort
  private let makeKey: () -> String
  private var drafts: Drafts
  /// By place.
  private var takings: [String: Taking] = [:]
  private var fields: [KnownField] = []

  /// `viewer`: who writes. `makeKey` answers a key that nobody has had.
  public init(_ file: StoredFile<Drafts>, viewer: any ViewerPort, makeKey: @escaping () -> String) {
    self.file = WriteBehind(file)
    self.viewer = viewer
    self.makeKey = makeKey
    drafts = Self.withWriters(file.load() ?? Drafts())
    takeOver()
  }

  private var writer: String? { viewer.viewerID }

  public func text(of place: String) -> String { drafts[place, writer]?.text ?? "" }

  /// It is shown anew when somebody else writes.
  func add(_ field: WrittenField) {
    fields.removeAll { $0.field == nil }
    fields.append(KnownField(field: field))
  }

  /// Somebody else is here now, or nobody: what was written until now is stored, and is its writer's.
  public func viewerChanged() {
    takeOver()
    store()
    for known in fields { known.field?.reload() }
  }

  /// What was on its way when the app ended comes back into the fields.
  public func recallAway() {
    for draft in drafts.all where !draft.away.isEmpty { giveBack(draft) }
  }

  public func change(_ place: String, to text: String) {
    var draft = drafts[place, writer] ?? Draft(place: place, writer: writer)
    draft.text = text
    // Whatever is typed anew is another text.
    if text.isEmpty { draft.tried = [] }
    put(draft)
  }

  /// Takes the text out of its place, on disk too before this returns from its `await`. Each part is a
  /// message: what was tried before and still stands at the beginning goes under its old key, the rest
  /// under a new one.
  public func send(_ place: String, as message: Int32) -> [Part] {
    guard var draft = drafts[place, writer] else { return [] }
    let parts = Self.parts(of: draft.text, tried: draft.tried, key: makeKey())
    draft.away += parts.map { TriedText(text: $0.text, key: $0.key, writer: draft.writer) }
    draft.text = ""
    draft.tried = []
    takings[place] = Taking(message: message, writer: draft.writer)
    put(draft)
    store()
    return parts
  }

  /// What was sent comes back into its place, in front of what was written since. False if that is nobody's
  /// who is here: it waits for its writer.
  @discardableResult public func giveBack(_ place: String, from message: Int32) -> Bool {
    guard let taking = takings[place], taking.message == message, let draft = drafts[place, taking.writer]
    else { return false }
    giveBack(draft)
    return taking.writer == writer
  }

  /// The same, whichever message took it. True if there was any.
  func giveBackAway(_ place: String) -> Bool {
    let sent = drafts.all.filter { $0.place == place && !$0.away.isEmpty }
    for draft in sent { giveBack(draft) }
    return !sent.isEmpty
  }

  /// Whether whoever is here has sent something from there that has not arrived.
  func hasUnsent(from place: String) -> Bool {
    drafts[place, writer].map { !$0.away.isEmpty || !$0.tried.isEmpty } ?? false
  }

  /// What was sent has arrived, or is given up.
  public func settle(_ place: String, from message: Int32) {
    guard let taking = takings[place], taking.message == message else { return }
    takings[place] = nil
    drafts[place, taking.writer]?.away = []
    store()
  }

  /// Forgets the text of a place, not what is on its way.
  public func drop(_ place: String) {
    if let draft = drafts[place, writer] { drop(draft) }
  }

  /// Forgets the texts of all places and writers, not what is on its way.
  public func dropAll() {
    for draft in drafts.all { drop(draft) }
  }

  public func store() { file.save(drafts.all.isEmpty ? nil : drafts) }

  /// Returns once what was stored is on disk.
  public func stored() async { await file.settled() }

  private func put(_ draft: Draft) { drafts[draft.place, draft.writer] = draft }

  private func drop(_ draft: Draft) {
    var draft = draft
    draft.text = ""
    draft.tried = []
    put(draft)
    store()
  }

  private func giveBack(_ draft: Draft) {
    var draft = draft
    if takings[draft.place]?.writer == draft.writer { takings[draft.place] = nil }
    draft.text = Self.joined(draft.away.map(\.text) + [draft.text])
    draft.tried = draft.away + draft.tried
    draft.away = []
    put(draft)
    // A guest may be an account by now.
    takeOver()
    store()
  }

  /// Texts of guests are those of the account that is here.
  private func takeOver() {
    guard let writer else { return }
    let guests = drafts.all.filter { $0.writer == nil && !$0.text.isEmpty }
    guard !guests.isEmpty else { return }
    for draft in guests { Self.move(draft, to: writer, in: &drafts) }
    store()
  }

  /// The text, below what waits there. What is on its way stays where it comes back to.
  private static func move(_ draft: Draft, to writer: String, in drafts: inout Drafts) {
    var rest = draft
    rest.text = ""
    rest.tried = []
    drafts[draft.place, draft.writer] = rest
    var own = drafts[draft.place, writer] ?? Draft(place: draft.place, writer: writer)
    if own.text != draft.text { own.text = joined([own.text, draft.text]) }
    own.tried += draft.tried
    drafts[draft.place, writer] = own
  }

  /// Drafts of before they had a writer: what was sent says whose it is, the rest is a guest's.
  private static func withWriters(_ kept: Drafts) -> Drafts {
    var drafts = kept
    for draft in kept.all where draft.writer == nil {
      for writer in Set(draft.away.compactMap(\.writer)) {
        var own = drafts[draft.place, writer] ?? Draft(place: draft.place, writer: writer)
        own.away += draft.away.filter { $0.writer == writer }
        drafts[draft.place, writer] = own
      }
      guard var rest = drafts[draft.place] else { continue }
      rest.away.removeAll { $0.writer != nil }
      drafts[draft.place] = rest
      if let writer = rest.tried.first?.writer { move(rest, to: writer, in: &drafts) }
    }
    return drafts
  }

  private static func joined(_ texts: [String]) -> String {
    texts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  static func parts(of text: String, tried: [TriedText], key: String) -> [Part] {
    var parts: [Part] = []
    // NB: scalars, since a letter typed behind a text may become one character with its last.
    var rest = text.unicodeScalars[...]
    for part in tried {
      let scalars = part.text.unicodeScalars
      guard rest.starts(with: scalars) else { break }
      let behind = rest.dropFirst(scalars.count)
      guard behind.isEmpty || behind.first == "\n" else { break }
      parts.append(Part(text: part.text, key: part.key, wasTried: true))
      rest = behind.dropFirst()
    }
    let words = String(rest)
    return TextCount(words).isBlank ? parts : parts + [Part(text: words, key: key, wasTried: false)]
  }
}

// MARK: A queue of texts that are sent one by one

extension DraftBook {
  /// Of all writers, each once.
  public var places: [String] {
    var known: Set<String> = []
    return drafts.all.map(\.place).filter { known.insert($0).inserted }
  }

  /// On its way from a place, by whomever; of each writer the oldest first.
  public func away(from place: String) -> [TriedText] {
    drafts.all.filter { $0.place == place }.flatMap(\.away)
  }

  /// One of them has arrived, or is given up.
  public func settle(_ place: String, key: String) {
    for var draft in drafts.all where draft.place == place && draft.away.contains(where: { $0.key == key }) {
      draft.away.removeAll { $0.key == key }
      put(draft)
    }
    store()
  }

  /// Takes the text out of its place, behind what is on its way already.
  func enqueue(_ place: String) {
    guard var draft = drafts[place, writer], !TextCount(draft.text).isBlank else { return }
    draft.away.append(TriedText(text: draft.text, key: makeKey(), writer: draft.writer))
    draft.text = ""
    put(draft)
    store()
  }
}
