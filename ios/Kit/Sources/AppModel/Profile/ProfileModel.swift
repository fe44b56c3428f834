public import Contract
public import Foundation
public import Observation

/// Somebody on a page of their own: who they are, what they say of themselves, what one can do about them,
/// and their clips.
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

  public let handle: String
  public let clips: ClipGridModel
  public private(set) var state = State.loading
  /// They are on their way to be blocked, or to be met again.
  public private(set) var isBusy = false

  @ObservationIgnored private let workshop: Profiles
  /// Of answers that are asked for at the same time the last one is right.
  @ObservationIgnored private var asking = 0

  init(_ handle: String, workshop: Profiles) {
    self.handle = handle
    self.workshop = workshop
    clips = ClipGridModel(
      Sentence("@%@", handle), none: "No clips yet.", source: .author, tabs: workshop.tabs,
      announcements: workshop.announcements
    ) { [client = workshop.client] in try await client.clips(of: handle, cursor: $0, limit: $1) }
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
    if profile?.viewer.blocked == false { await clips.list.reload() }
  }

  func show(_ profile: Profile) { state = .shown(profile) }

  private func refuse(_ error: any Error) {
    if (error as? Problem)?.status == 404 {
      state = .nobody
      clips.clear()
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
    clips.clear()
    Task { await load() }
  }

  /// Those alone that a browser opens.
  public var links: [ProfileLink] { profile?.links.compactMap { ProfileLink($0) } ?? [] }

  /// What is said where there are no clips.
  public var noClips: Sentence {
    profile?.viewer.isSelf == true
      ? "You have no public clips yet. Record one, or upload one." : clips.none
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
    clips.clear()
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
