public import Contract
internal import CoreTypes
internal import Foundation
internal import Playback
internal import Session

/// Wanting less of a clip, an author, a tag or a sound, from the clip on the screen. It shows at once and can
/// be taken back where it is said; what fails is taken back and said.
///
/// It refuses to know what For you makes of it: the server leaves out what is not wanted.
@MainActor public final class ClipDismissals {
  private let model: FeedModel
  private let tabs: FeedTabs
  private let client: Client
  private var work: [Int: Task<Void, Never>] = [:]
  private var lastWork = 0

  init(_ model: FeedModel, _ tabs: FeedTabs, client: Client) {
    self.model = model
    self.tabs = tabs
    self.client = client
  }

  /// Whether a wish is about a clip.
  static func concerns(_ wish: Dismissal, _ clip: Clip) -> Bool {
    switch wish.kind {
    case .clip: clip.id == wish.subject
    case .author: clip.author.id == wish.subject
    case .tag: clip.tags.contains { CaptionText.spelled($0) == CaptionText.spelled(wish.subject) }
    case .sound: clip.soundId == wish.subject
    }
  }

  public func notInterested() {
    if let clip = model.currentClip {
      want(Dismissal(.clip, clip.id), "For you shows less like this.")
    }
  }

  /// `name` as people write it.
  public func less(_ wish: Dismissal, name: String) {
    want(wish, Sentence("For you shows less of %@.", name))
  }

  /// A clip does not say who made its sound, so there is no name.
  public func lessOfSound(_ id: String) {
    want(Dismissal(.sound, id), "For you shows less of this sound.")
  }

  private func want(_ wish: Dismissal, _ said: Sentence) {
    guard let item = model.state.current else { return }
    let putBack = tabs.leaveOut { Self.concerns(wish, $0) }
    model.step(1)
    let asked = run { [self] in
      do {
        try await client.dismiss(wish)
      } catch {
        putBack()
        if !Sentence.isSilent(error) { say("This was not saved. %@", error) }
      }
    }
    model.announcements.post(
      said,
      action: (
        title: "Undo",
        run: { [weak self] in self?.takeBack(wish, item, behind: asked, putBack) }
      ))
  }

  private func takeBack(
    _ wish: Dismissal, _ item: ItemID, behind asked: Task<Void, Never>, _ putBack: @escaping () -> Void
  ) {
    run { [self] in
      // Or it would be taken back before it came.
      await asked.value
      do {
        try await client.takeBack(wish)
      } catch {
        if !Sentence.isSilent(error) { say("This was not taken back. %@", error) }
        return
      }
      model.announcements.post("Taken back.")
      putBack()
      if model.host?.feed.shows(item) == true { model.host?.report(.jumpedToItem(item)) }
    }
  }

  private func say(_ key: String, _ error: any Error) {
    model.announcements.post(Sentence(key, [.sentence(Sentence(for: error))]))
  }

  /// Returns once nothing of this is on its way.
  func settled() async {
    while let task = work.values.first { await task.value }
  }

  func stop() { for task in work.values { task.cancel() } }

  @discardableResult
  private func run(_ act: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
    lastWork += 1
    let number = lastWork
    let task = Task {
      await act()
      work[number] = nil
    }
    work[number] = task
    return task
  }
}
