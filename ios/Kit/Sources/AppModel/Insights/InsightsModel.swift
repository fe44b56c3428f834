internal import Contract
internal import Foundation
public import Observation

/// How one's own clip does: what was counted, how long people stay, where they come upon it, and its last
/// days. Numbers alone: nobody learns who watched.
///
/// It refuses to know whose clip it is: the server says whether there is anything to tell.
@MainActor @Observable public final class InsightsModel {
  public enum State: Equatable, Sendable {
    case loading
    case failed(Sentence)
    /// None of theirs, or not there any more.
    case gone
    case shown(InsightsFigures)
  }

  public let clip: String
  /// Empty where there is none.
  public let caption: String
  public let words: InsightsWords
  public private(set) var state = State.loading

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let announcements: Announcements
  /// Of answers that are asked for at the same time the last one is right.
  @ObservationIgnored private var asking = 0

  init(
    _ clip: String, caption: String, client: Client, announcements: Announcements, locale: Locale
  ) {
    self.clip = clip
    self.caption = caption
    self.client = client
    self.announcements = announcements
    words = InsightsWords(locale: locale)
  }

  private var isShown: Bool {
    if case .shown = state { true } else { false }
  }

  /// When the screen comes: what is there stays, unless it could not be loaded.
  public func begin() async {
    if !isShown, state != .gone { await load() }
  }

  /// As it is now; whoever could not load it tries again.
  public func load() async {
    asking += 1
    let asked = asking
    if !isShown { state = .loading }
    do {
      let found = try await client.insights(ofClip: clip)
      if asked == asking { state = .shown(InsightsFigures(found)) }
    } catch {
      guard asked == asking, !Sentence.isSilent(error) else { return }
      refuse(error)
    }
  }

  private func refuse(_ error: any Error) {
    if (error as? Problem)?.status == 404 {
      state = .gone
    } else if isShown {
      // What was there is still true as far as anybody knows.
      announcements.post(Sentence(for: error))
    } else {
      state = .failed(Sentence(for: error))
    }
  }

  /// What was shown was told to somebody else.
  func viewerChanged() async {
    state = .loading
    await load()
  }
}
