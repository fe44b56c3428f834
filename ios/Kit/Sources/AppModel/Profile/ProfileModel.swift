public import Contract
public import Foundation
public import Observation

/// Somebody on a page of their own: who they are, what they say of themselves, what one can do about them,
/// their clips, and what they like.
///
/// It refuses to know who may see whom: the server says whether there is anybody of this name.
@MainActor @Observable public final class ProfileModel {
  public enum State: Equatable, Sendable {
    case loading
    case failed(Sentence)
    /// For whoever asks, or not any more.
    case nobody
    case shown(Profile)
  }

  /// Which clips stand below.
  public enum Tab: CaseIterable, Hashable, Sendable { case clips, liked }

  public let handle: String
  public let clips: ClipGridModel
  /// Of oneself all that one likes, of others what they show.
  public let liked: ClipGridModel
  public private(set) var state = State.loading
  /// They are on their way to be blocked, or to be met again.
  public private(set) var isBusy = false

  /// The one that was chosen, which is shown where it is there.
  private var chosen = Tab.clips

  @ObservationIgnored private let workshop: Profiles
  @ObservationIgnored private let ownership: Ownership
  /// Of answers that are asked for at the same time the last one is right.
  @ObservationIgnored private var asking = 0

  /// Which list of likes is asked for.
  @MainActor private final class Ownership { var isOwn = false }

  init(_ handle: String, workshop: Profiles) {
    self.handle = handle
    self.workshop = workshop
    let (ownership, client) = (Ownership(), workshop.client)
    self.ownership = ownership
    clips = ClipGridModel(
      Sentence("@%@", handle), none: "No clips yet.", source: .author, tabs: workshop.tabs,
      announcements: workshop.announcements
    ) { try await client.clips(of: handle, cursor: $0, limit: $1) }
    liked = ClipGridModel(
      Sentence("Liked by %@", "@" + handle), none: "Nothing here yet.", source: .likes, tabs: workshop.tabs,
      announcements: workshop.announcements
    ) {
      try await ownership.isOwn
        ? client.likes(cursor: $0, limit: $1) : client.likes(of: handle, cursor: $0, limit: $1)
    }
  }

  public var profile: Profile? {
    if case .shown(let profile) = state { profile } else { nil }
  }

  // MARK: What is shown

  /// What is there stays, unless it could not be loaded.
  public func begin() async {
    if profile == nil, state != .nobody { await load() }
  }

  /// Whoever could not load it tries again.
  public func load() async {
    asking += 1
    let asked = asking
    if profile == nil { state = .loading }
    do {
      let answer = try await workshop.client.profile(handle)
      guard asked == asking else { return }
      show(answer)
    } catch {
      guard asked == asking, !Sentence.isSilent(error) else { return }
      refuse(error)
    }
  }

  /// As it is now, with the clips.
  public func reload() async {
    await load()
    guard profile?.viewer.blocked == false else { return }
    // The other one is asked for anew when somebody turns to it.
    (tab == .clips ? liked : clips).clear()
    await grid.list.reload()
  }

  func show(_ profile: Profile) {
    ownership.isOwn = profile.viewer.isSelf
    state = .shown(profile)
  }

  private func clear() {
    clips.clear()
    liked.clear()
  }

  private func refuse(_ error: any Error) {
    if (error as? Problem)?.status == 404 {
      state = .nobody
      clear()
    } else if profile == nil {
      state = .failed(Sentence(for: error))
    } else {
      // What was there is still true as far as anybody knows.
      workshop.announcements.post(Sentence(for: error))
    }
  }

  /// Somebody signed in or out: what is shown was told to another person.
  func viewerChanged() {
    asking += 1
    state = .loading
    chosen = .clips
    clear()
    Task { await load() }
  }

  /// Those alone that a browser opens.
  public var links: [ProfileLink] { profile?.links.compactMap { ProfileLink($0) } ?? [] }

  // MARK: Tabs

  /// What somebody likes is there for themselves, and for others where they show it.
  public var tabs: [Tab] {
    profile.map { $0.viewer.isSelf || $0.likesPublic } == true ? Tab.allCases : [.clips]
  }

  public var tab: Tab { tabs.contains(chosen) ? chosen : .clips }

  /// The clips of the tab.
  public var grid: ClipGridModel { tab == .clips ? clips : liked }

  public func turn(to tab: Tab) { chosen = tab }

  /// Who sees what stands in the tab, where it is one's own to say.
  public var seenBy: Sentence? {
    guard tab == .liked, let profile, profile.viewer.isSelf else { return nil }
    let words: Sentence =
      profile.likesPublic
      ? "Everybody finds the public ones of these clips on your profile." : "You alone see what you like."
    return words
  }

  /// What is said where there are no clips.
  public var noClips: Sentence {
    tab == .clips && profile?.viewer.isSelf == true
      ? "You have no public clips yet. Record one, or upload one." : grid.none
  }

  /// The same address as on the web.
  public var link: URL? {
    var base = workshop.base.absoluteString
    if base.hasSuffix("/") { base.removeLast() }
    return URL(string: base + "/#profile/" + Route.encoded(handle))
  }

  // MARK: What one can do

  /// Shows at once, and in the feed; what fails is taken back and said.
  public func toggleFollow() {
    guard let profile, !profile.viewer.isSelf, !profile.viewer.blocked else { return }
    let known = profile.viewer.following
    workshop.actions.follow(profile.author, !known, known: known) { [weak self] in self?.follows($0, $1) }
  }

  private func follows(_ isOn: Bool, _ followers: Int?) {
    guard var profile, !profile.viewer.blocked else { return }
    if let followers {
      profile.followers = max(0, followers)
    } else if profile.viewer.following != isOn {
      profile.followers = max(0, profile.followers.addingReportingOverflow(isOn ? 1 : -1).partialValue)
    }
    profile.viewer.following = isOn
    show(profile)
  }

  public var canBlock: Bool {
    profile.map { !$0.viewer.isSelf && !$0.viewer.blocked && workshop.blocking.canBlock($0.author) } ?? false
  }

  /// Their clips are gone at once, and there again if it fails, which is said.
  public func block() async {
    guard canBlock, !isBusy, let before = profile else { return }
    isBusy = true
    defer { isBusy = false }
    var gone = before
    gone.viewer = ProfileViewer(blocked: true)
    show(gone)
    guard await workshop.blocking.block(before.author) else {
      // Something newer may be shown by now.
      if profile == gone { show(before) }
      return
    }
    clear()
    await load()
  }

  public func unblock() async {
    guard !isBusy, let profile, profile.viewer.blocked else { return }
    isBusy = true
    defer { isBusy = false }
    do {
      _ = try await workshop.client.unblock(profile.author.id)
    } catch {
      if !Sentence.isSilent(error) { workshop.announcements.post(Sentence(for: error)) }
      return
    }
    workshop.forgive(profile.author)
    await load()
  }

  /// Whoever is blocked can be reported too.
  public var canReport: Bool { profile.map { !$0.viewer.isSelf } ?? false }

  public func report() {
    if let profile, canReport {
      workshop.onReport?(.person(profile.author, isBlocked: profile.viewer.blocked))
    }
  }

  public func write() {
    if let profile, !profile.viewer.isSelf, !profile.viewer.blocked { workshop.write(to: profile.author) }
  }

  public func edit() {
    if let profile, profile.viewer.isSelf { workshop.edit(profile) }
  }

  public func openFollowers() { workshop.open(.followers(of: handle)) }

  public func openFollowing() { workshop.open(.following(of: handle)) }
}

extension ProfileModel.Tab {
  public var title: Sentence {
    switch self {
    case .clips: "Clips"
    case .liked: "Liked"
    }
  }
}
