public import Contract
public import Observation

/// What For you goes by for this person, guests too: each belief can be taken out, and what was left out be
/// taken back. It refuses to know how a belief comes to be.
@MainActor @Observable public final class TasteModel {
  public private(set) var taste: Taste?
  public private(set) var isLoading = false
  public private(set) var failure: Sentence?
  /// A change is on its way; another one waits for it.
  public private(set) var isBusy = false
  /// Whether the person means it.
  public var asksToForget = false

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let announcements: Announcements
  /// Answers to whoever was here before are none.
  @ObservationIgnored private var viewer = 0

  init(client: Client, announcements: Announcements) {
    self.client = client
    self.announcements = announcements
  }

  public func load() async {
    guard !isLoading else { return }
    let asked = viewer
    isLoading = true
    failure = nil
    do {
      let now = try await client.taste()
      if asked == viewer { taste = now }
    } catch {
      if asked == viewer, !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
    if asked == viewer { isLoading = false }
  }

  /// Those that can be shown; of a kind that may come later nothing can be said.
  public var dismissed: [Taste.Dismissed] { taste?.dismissed.filter { $0.dismissal.kind != .clip } ?? [] }

  /// Without it For you shows the newest clips, and what was learned is forgotten.
  public func setPersonalised(_ isOn: Bool) async {
    guard let before = taste, !isBusy else { return }
    taste?.personalised = isOn
    let isSaved = await change {
      let now = try await self.client.setPersonalised(isOn).personalised
      self.announcements.post(
        now
          ? "For you learns from now on." : "For you shows the newest clips from its next page on.")
    }
    if !isSaved, taste != nil { taste?.personalised = before.personalised }
  }

  /// `name`: as people write it.
  public func remove(_ wish: Dismissal, name: String) async {
    await change {
      try await self.client.dismiss(wish)
      self.announcements.post(Sentence("For you shows less of %@.", name))
    }
  }

  public func takeBack(_ wish: Dismissal, name: String) async {
    await change {
      try await self.client.takeBack(wish)
      self.announcements.post(Sentence("%@ may come again.", name))
    }
  }

  public func forget() async {
    asksToForget = false
    await change {
      try await self.client.forgetTaste()
      self.announcements.post("It is forgotten.")
    }
  }

  /// One at a time; the screen says afterwards how things stand.
  @discardableResult private func change(_ act: () async throws -> Void) async -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    defer { isBusy = false }
    do {
      try await act()
    } catch {
      if !Sentence.isSilent(error) { announcements.post(Sentence(for: error)) }
      return false
    }
    await load()
    return true
  }

  func clear() {
    viewer += 1
    taste = nil
    failure = nil
    isLoading = false
  }
}
