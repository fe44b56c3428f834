public import Observation

/// A field in which a text for one place is written: kept while it is typed, and sent by an outbox.
@MainActor @Observable public final class WrittenField {
  /// A crash costs no more of a text than was typed in this time.
  static let storeDelay = Duration.seconds(1)
  /// With this many characters left or fewer, the field says so.
  public static let charactersLeftShown = 50

  public var text: String {
    didSet {
      guard text != oldValue else { return }
      change()
      onTyped?(oldValue, text)
    }
  }
  public private(set) var charactersLeft: Int

  /// Hears of each change, whoever made it.
  @ObservationIgnored var onTyped: ((_ before: String, _ now: String) -> Void)?
  @ObservationIgnored private let place: String
  @ObservationIgnored private let drafts: DraftBook
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored private var storing: Task<Void, Never>?

  init(place: String, drafts: DraftBook, clock: any PauseClock) {
    self.place = place
    self.drafts = drafts
    self.clock = clock
    let text = drafts.text(of: place)
    self.text = text
    charactersLeft = TextCount(text).charactersLeft
    drafts.add(self)
  }

  public var canSend: Bool { TextCount(text).canBeSent }
  public var showsCharactersLeft: Bool { charactersLeft <= Self.charactersLeftShown }

  /// The place's text is what the drafts say: it was taken away, or somebody else writes.
  func reload() {
    storing?.cancel()
    storing = nil
    text = drafts.text(of: place)
  }

  /// The screen is left, or the app.
  public func store() {
    storing?.cancel()
    storing = nil
    drafts.store()
  }

  private func change() {
    let kept = TextCount.cut(text)
    if kept.unicodeScalars.count != text.unicodeScalars.count { text = kept }
    charactersLeft = TextCount(kept).charactersLeft
    guard kept != drafts.text(of: place) else { return }
    drafts.change(place, to: kept)
    guard storing == nil else { return }
    storing = Task {
      guard (try? await clock.pause(Self.storeDelay)) != nil else { return }
      storing = nil
      drafts.store()
    }
  }
}
