public import Persistence

/// Texts that people have not sent yet, one for each place, those on their way beside them, and by which
/// key each was tried to be sent.
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

  private let file: WriteBehind<Drafts>
  private let makeKey: () -> String
  private var drafts: Drafts
  /// By place: the message that took its text away.
  private var messages: [String: Int32] = [:]

  /// `makeKey` answers a key that nobody has had.
  public init(_ file: StoredFile<Drafts>, makeKey: @escaping () -> String) {
    self.file = WriteBehind(file)
    self.makeKey = makeKey
    drafts = file.load() ?? Drafts()
  }

  public func text(of place: String) -> String { drafts[place]?.text ?? "" }

  /// What was on its way when the app ended comes back into the fields.
  public func recallAway() {
    for draft in drafts.all where !draft.away.isEmpty { giveBack(draft) }
  }

  public func change(_ place: String, to text: String) {
    var draft = drafts[place] ?? Draft(place: place)
    draft.text = text
    // Whatever is typed anew is another text.
    if text.isEmpty { draft.tried = [] }
    drafts[place] = draft
  }

  /// Takes the text out of its place, on disk too before this returns from its `await`. Each part is a
  /// message: what was tried before and still stands at the beginning goes under its old key, the rest
  /// under a new one.
  public func send(_ place: String, as message: Int32, by writer: String?) -> [Part] {
    guard var draft = drafts[place] else { return [] }
    let parts = Self.parts(of: draft.text, tried: draft.tried, key: makeKey())
    draft.away += parts.map { TriedText(text: $0.text, key: $0.key, writer: writer) }
    draft.text = ""
    draft.tried = []
    messages[place] = message
    drafts[place] = draft
    store()
    return parts
  }

  /// What was sent comes back into its place, in front of what was written since.
  public func giveBack(_ place: String, from message: Int32) {
    guard messages[place] == message, let draft = drafts[place] else { return }
    giveBack(draft)
  }

  /// The same, whichever message took it. True if there was any.
  func giveBackAway(_ place: String) -> Bool {
    guard let draft = drafts[place], !draft.away.isEmpty else { return false }
    giveBack(draft)
    return true
  }

  /// What was sent has arrived, or is given up.
  public func settle(_ place: String, from message: Int32) {
    guard messages[place] == message else { return }
    messages[place] = nil
    drafts[place]?.away = []
    store()
  }

  /// Forgets the text of a place, not what is on its way.
  public func drop(_ place: String) {
    guard var draft = drafts[place] else { return }
    draft.text = ""
    draft.tried = []
    drafts[place] = draft
    store()
  }

  /// Forgets the texts of all places, not what is on its way.
  public func dropAll() {
    for place in drafts.all.map(\.place) { drop(place) }
  }

  public func store() { file.save(drafts.all.isEmpty ? nil : drafts) }

  /// Returns once what was stored is on disk.
  public func stored() async { await file.settled() }

  private func giveBack(_ draft: Draft) {
    var draft = draft
    messages[draft.place] = nil
    draft.text = Self.joined(draft.away.map(\.text) + [draft.text])
    draft.tried = draft.away + draft.tried
    draft.away = []
    drafts[draft.place] = draft
    store()
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
  public var places: [String] { drafts.all.map(\.place) }

  /// On its way from a place, the oldest first.
  public func away(from place: String) -> [TriedText] { drafts[place]?.away ?? [] }

  /// One of them has arrived, or is given up.
  public func settle(_ place: String, key: String) {
    drafts[place]?.away.removeAll { $0.key == key }
    store()
  }

  /// Takes the text out of its place, behind what is on its way already.
  func enqueue(_ place: String, by writer: String?) {
    guard var draft = drafts[place], !TextCount(draft.text).isBlank else { return }
    draft.away.append(TriedText(text: draft.text, key: makeKey(), writer: writer))
    draft.text = ""
    drafts[place] = draft
    store()
  }
}
