public import Contract
public import Foundation
internal import Observation
public import Persistence

/// People on pages of their own: it opens them, and keeps what somebody can come back to as it was.
///
/// Wiring, in the composition root:
///
///     let profiles = Profiles(client: client, base: server, router: router, tabs: assembly.tabs, …)
///     assembly.model.onAuthor = { profiles.open($0) }
///     profiles.onWrite = { talk.meet($0) }
///     signIn.onChanged { _ in profiles.viewerChanged() }
@MainActor public final class Profiles {
  /// What one says of oneself, being changed.
  public let editing: ProfileEditModel
  /// Hears to whom somebody is about to write.
  public var onWrite: ((Author) -> Void)?
  /// Somebody wants moderators to look at a person.
  public var onReport: ((ReportSubject) -> Void)?

  let client: Client
  let base: URL
  let tabs: FeedTabs
  let actions: ClipActions
  let blocking: Blocking
  let viewer: any ViewerPort
  let announcements: Announcements
  let clock: any PauseClock
  private let router: Router
  private var profiles: [Router.Destination: ProfileModel] = [:]
  private var lists: [Router.Destination: ProfilePeopleModel] = [:]

  /// `base`: the instance; `drafts`: what was typed of a profile, by account.
  public init(
    client: Client, base: URL, router: Router, tabs: FeedTabs, actions: ClipActions, blocking: Blocking,
    viewer: any ViewerPort, announcements: Announcements, drafts: StoredFile<[String: ProfileDraft]>,
    clock: any PauseClock
  ) {
    self.client = client
    self.base = base
    self.router = router
    self.tabs = tabs
    self.actions = actions
    self.blocking = blocking
    self.viewer = viewer
    self.announcements = announcements
    self.clock = clock
    editing = ProfileEditModel(client: client, drafts: drafts, clock: clock)
    editing.saved = { [weak self] in self?.saved($0, isWhole: $1) }
    editing.pictured = { [weak self] in self?.pictured($0) }
    editing.turned = { [weak self] in self?.show($0) }
    editing.say = { announcements.post($0) }
    blocking.onBlocked { [weak self] in self?.blocked($0) }
  }

  // MARK: Going somewhere

  /// Nowhere where there is none: guests share one author.
  public func open(_ author: Author) {
    if author.hasProfile { open(.profile(author.handle)) }
  }

  /// Opens a screen of this anew.
  public func open(_ destination: Router.Destination) {
    if !router.path.contains(destination) {
      profiles[destination] = nil
      lists[destination] = nil
    }
    router.open(destination)
  }

  func edit(_ profile: Profile) {
    editing.begin(profile)
    router.open(.profileEditing)
  }

  func write(to author: Author) {
    onWrite?(author)
    router.open(.conversation(with: author.id))
  }

  /// Elsewhere than on their page, which may be open below.
  private func blocked(_ author: String) {
    for model in profiles.values where model.profile?.author.id == author {
      if model.profile?.viewer.blocked == false { Task { await model.reload() } }
    }
  }

  /// They may be met again, everywhere.
  func forgive(_ author: Author) {
    blocking.forgive(author.id)
    actions.forgive(author.id)
  }

  // MARK: Screens

  /// Of a screen; `nil`: it is none of these. Once for as long as somebody can come back to it.
  public func profile(of destination: Router.Destination) -> ProfileModel? {
    guard case .profile(let handle) = destination else { return nil }
    return kept(destination, in: &profiles) { ProfileModel(handle, workshop: self) }
  }

  public func people(of destination: Router.Destination) -> ProfilePeopleModel? {
    switch destination {
    case .followers(let handle):
      kept(destination, in: &lists) { ProfilePeopleModel(handle, .followers, workshop: self) }
    case .following(let handle):
      kept(destination, in: &lists) { ProfilePeopleModel(handle, .following, workshop: self) }
    default: nil
    }
  }

  private func kept<Model>(
    _ destination: Router.Destination, in models: inout [Router.Destination: Model], make: () -> Model
  ) -> Model {
    if let model = models[destination] { return model }
    let open = Set(router.path + tabs.screensBehind)
    models = models.filter { open.contains($0.key) }
    let model = make()
    models[destination] = model
    return model
  }

  /// Back where it was begun, which shows it, unless there is more to save.
  private func saved(_ profile: Profile, isWhole: Bool) {
    show(profile)
    announcements.post("The profile is saved.")
    if isWhole, router.top == .profileEditing { router.back() }
  }

  private func pictured(_ profile: Profile) {
    show(profile)
    announcements.post(profile.author.picture == nil ? "The picture is removed." : "The picture is saved.")
  }

  private func show(_ profile: Profile) {
    for model in profiles.values where model.profile?.author.id == profile.author.id { model.show(profile) }
  }

  /// Somebody signed in or out.
  public func viewerChanged() {
    editing.clear()
    if router.top == .profileEditing { router.back() }
    for model in profiles.values { model.viewerChanged() }
    for model in lists.values { model.viewerChanged() }
  }
}

extension Author {
  /// All guests share one author, who has none.
  public var hasProfile: Bool { !handle.isEmpty && handle != Author.guestHandle }
}
