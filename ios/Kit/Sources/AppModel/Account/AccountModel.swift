public import Contract
public import Foundation
public import Observation

/// What the account's screens need of the app around them.
public struct AccountSurface {
  /// Brings the person to a clip, which is in the feed from now on.
  public var open: (Clip) -> Void
  /// Takes clips that are gone out of the feed.
  public var remove: (_ isGone: @escaping (Clip) -> Bool) -> Void
  /// Opens somebody's profile, over the account.
  public var openProfile: (Author) -> Void
  /// Shows how a clip of one's own does, over the account.
  public var openInsights: (_ clip: String, _ caption: String) -> Void
  /// The clip stands in one's own list, under this upload.
  public var owns: (_ clip: String, _ upload: String) -> Void

  public init(
    open: @escaping (Clip) -> Void, remove: @escaping (_ isGone: @escaping (Clip) -> Bool) -> Void,
    openProfile: @escaping (Author) -> Void,
    openInsights: @escaping (_ clip: String, _ caption: String) -> Void,
    owns: @escaping (_ clip: String, _ upload: String) -> Void
  ) {
    self.open = open
    self.remove = remove
    self.openProfile = openProfile
    self.openInsights = openInsights
    self.owns = owns
  }
}

/// The account over the feed: where in it somebody is, who they are, and what its screens hold. Drafts of
/// forms stay while the app runs, until they were taken.
///
/// It refuses to know how requests travel (`SignInHost`) and what a screen looks like.
///
/// Wiring, once, in the composition root:
///
///     let account = AccountModel(
///       signIn: signIn, announcements: announcements, router: router,
///       providers: ProviderVisits(base: server, window: { window }), keys: keys,
///       drafts: statements,
///       surface: AccountSurface(open: { feed.insert($0) }, remove: { feed.remove(where: $0) },
///         openProfile: { profiles.open($0) }, openInsights: { insights.open($0, caption: $1) },
///         owns: { feed.actions.ownership.add($0, upload: $1) }))
///     // Router.Destination.account: AccountScreen(model: account), in Screens
///     // https://HOST/#reset=TOKEN (`ServerLink`): account.open(.reset(token: token))
@MainActor @Observable public final class AccountModel {
  /// A screen of the account's, above its first one.
  public enum Place: Hashable, Sendable {
    case join, forgot, newcomer, secondStep
    case reset(token: String)
    case confirm(token: String)
    case clips, likes, bookmarks, following, blocked, reports
    case contact, password, waysIn, twoStep, passkeys, apiKeys, webhooks, devices, security, data
    case deletion
    /// Which comments wait under one's clips, and those that do.
    case filters
    /// Whether one sees clips for adults.
    case restricted
    /// What moderators decided, and one of it.
    case decisions
    case decision(String)

    enum Audience { case guests, accounts, anybody }

    var audience: Audience {
      switch self {
      case .join, .newcomer, .secondStep: .guests
      case .contact, .password, .waysIn, .twoStep, .passkeys, .apiKeys, .webhooks, .devices,
        .security, .data, .deletion, .filters, .decisions, .decision:
        .accounts
      default: .anybody
      }
    }
  }

  public var path: [Place] = []
  /// The server's newest word on whoever is signed in.
  public private(set) var account: Account?
  public private(set) var isLeaving = false

  @ObservationIgnored public let entry: EntryModel
  @ObservationIgnored public let contact: ContactModel
  @ObservationIgnored public let password: PasswordModel
  @ObservationIgnored public let waysIn: WaysInModel
  @ObservationIgnored public let twoStep: TwoStepModel
  @ObservationIgnored public let passkeys: PasskeysModel
  @ObservationIgnored public let apiKeys: APIKeysModel
  @ObservationIgnored public let webhooks: WebhooksModel
  @ObservationIgnored public let devices: DevicesModel
  @ObservationIgnored public let notices: PagedList<AccountNotice>
  @ObservationIgnored public let data: OwnDataModel
  @ObservationIgnored public let deletion: DeletionModel
  @ObservationIgnored public let clips: OwnClipsModel
  @ObservationIgnored public let likes: PagedList<Clip>
  @ObservationIgnored public let bookmarks: PagedList<Clip>
  @ObservationIgnored public let following: PeopleModel
  @ObservationIgnored public let blocked: PeopleModel
  @ObservationIgnored public let reports: PagedList<Report>
  @ObservationIgnored public let decisions: DecisionsModel
  @ObservationIgnored public let filters: FiltersModel
  @ObservationIgnored public let restricted: RestrictedModel

  @ObservationIgnored private let signIn: SignInHost
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let announcements: Announcements
  @ObservationIgnored private let router: Router
  @ObservationIgnored private let surface: AccountSurface

  public init(
    signIn: SignInHost, announcements: Announcements, router: Router, providers: any ProviderVisiting,
    keys: any PasskeyPort, drafts: StatementDrafts, surface: AccountSurface
  ) {
    let client = Client(transport: signIn)
    self.signIn = signIn
    self.client = client
    self.announcements = announcements
    self.router = router
    self.surface = surface
    let tickets = Tickets()
    entry = EntryModel(client: client, visits: providers, keys: keys, tickets: tickets)
    contact = ContactModel(client: client)
    password = PasswordModel(client: client)
    waysIn = WaysInModel(client: client, visits: providers, tickets: tickets)
    twoStep = TwoStepModel(client: client)
    passkeys = PasskeysModel(client: client, port: keys)
    apiKeys = APIKeysModel(client: client)
    webhooks = WebhooksModel(client: client)
    devices = DevicesModel(client: client)
    notices = PagedList { try await client.notices(cursor: $0, limit: $1) }
    data = OwnDataModel(client: client)
    deletion = DeletionModel(client: client, tickets: tickets)
    clips = OwnClipsModel(client: client)
    likes = PagedList { try await client.likes(cursor: $0, limit: $1) }
    bookmarks = PagedList { try await client.bookmarks(cursor: $0, limit: $1) }
    following = PeopleModel(
      PagedList { try await client.following(cursor: $0, limit: $1) },
      set: { try await $1 ? client.follow($0).following : client.unfollow($0).following })
    blocked = PeopleModel(
      PagedList { try await client.blocks(cursor: $0, limit: $1) },
      set: { try await $1 ? client.block($0).blocked : client.unblock($0).blocked })
    reports = PagedList { try await client.reports(cursor: $0, limit: $1) }
    decisions = DecisionsModel(client: client, drafts: drafts)
    filters = FiltersModel(client: client)
    restricted = RestrictedModel(client: client)
    attach()
  }

  private func attach() {
    signIn.onChanged { [weak self] in self?.changed(to: $0) }
    let say: (Sentence) -> Void = { [announcements] in announcements.post($0) }
    for people in [following, blocked] { people.say = say }
    clips.say = say
    clips.captions.say = say
    decisions.say = say
    filters.say = say
    restricted.say = say
    filters.open = { [weak self] in self?.open($0) }
    filters.blocked = { [weak self] author in self?.surface.remove { $0.author.id == author.id } }
    clips.open = { [weak self] clip, upload in
      self?.surface.owns(clip.id, upload)
      self?.open(clip)
    }
    clips.showInsights = { [surface] in surface.openInsights($0, $1) }
    clips.removed = { [weak self] id in self?.surface.remove { $0.id == id } }
    entry.arrive = { [weak self] in self?.show($0, news: $1) }
    contact.renewed = { [weak self] in self?.renew($0) }
    contact.say = say
    password.done = { [weak self] in self?.home($0) }
    waysIn.say = say
    twoStep.say = say
    twoStep.renewed = { [weak self] in self?.renew($0) }
    passkeys.say = say
    passkeys.renewed = { [weak self] in self?.renew($0) }
    apiKeys.say = say
    apiKeys.renewed = { [weak self] in self?.renew($0) }
    webhooks.say = say
    devices.say = say
    data.say = say
    deletion.done = { [weak self] in self?.departed($0, news: $1) }
  }

  /// Whoever is signed in.
  public var me: SignedInAccount? { signIn.signedIn }

  /// Where a moderator works: the site's page, in a browser. `nil`: they are none.
  public func moderation(at base: URL) -> URL? {
    guard let role = account?.role, ["moderator", "admin"].contains(role) else { return nil }
    return URL(string: "#account/moderation/open", relativeTo: base)?.absoluteURL
  }

  // MARK: Going somewhere

  /// Where a row leads: a screen that needs a password, to where those sign in who have none.
  public func resolved(_ place: Place) -> Place {
    let needsPassword = place == .password || (place == .deletion && !waysIn.hasProof)
    return needsPassword && account?.hasPassword == false ? .waysIn : place
  }

  /// The first screen, with news.
  public func home(_ news: Sentence) {
    path = []
    announcements.post(news)
  }

  /// Where a link leads (`ServerLink`), from wherever somebody is.
  public func open(_ place: Place) {
    path = [place]
    router.open(.account)
  }

  public func openSettings() { router.open(.settings) }

  /// Clips from words.
  public func openGenerations() { router.open(.generations) }

  public func openProfile(of author: Author) { surface.openProfile(author) }

  /// Leaves the account for a clip.
  public func open(_ clip: Clip) {
    path = []
    router.showFeed()
    surface.open(clip)
  }

  /// Something was reported: it leads the list, if that is there already.
  public func noteReport(_ report: Report) {
    guard reports.isWhole || !reports.items.isEmpty else { return }
    reports.remove { $0.id == report.id }
    reports.insert(report, at: 0)
  }

  // MARK: Who is here

  /// Asks the server, when the first screen comes.
  public func refresh() async {
    guard me != nil else { return }
    do {
      renew(try await client.account())
    } catch {
      // That a session is over is said where it ends.
      if me != nil, !Sentence.isSilent(error) { announcements.post(Sentence(for: error)) }
    }
  }

  private func renew(_ account: Account) {
    guard account.id == me?.id else { return }
    self.account = account
    signIn.renew(account)
    contact.show(account)
  }

  private func changed(to account: SignedInAccount?) {
    self.account = nil
    let audience: Place.Audience = account == nil ? .guests : .accounts
    if path.contains(where: { $0.audience != .anybody && $0.audience != audience }) { path = [] }
    // What is shown is another person's now.
    clips.clear()
    likes.clear()
    bookmarks.clear()
    following.clear()
    blocked.clear()
    reports.clear()
    decisions.clear()
    filters.clear()
    restricted.clear()
    notices.clear()
    twoStep.clear()
    passkeys.clear()
    apiKeys.clear()
    webhooks.clear()
    devices.clear()
    data.clear()
    waysIn.clear()
    contact.clear()
    password.form.clear()
    deletion.form.clear()
  }

  private func show(_ place: Place?, news: Sentence?) {
    path = place.map { [$0] } ?? []
    if let news { announcements.post(news) }
  }

  /// Ends this session; without an answer it goes on.
  public func signOut() async {
    guard !isLeaving else { return }
    isLeaving = true
    defer { isLeaving = false }
    do {
      try await client.endSession()
    } catch let problem as Problem where [401, 404].contains(problem.status) {
      signIn.forget()
    } catch {
      if !Sentence.isSilent(error) { announcements.post("You are still signed in. Please try again.") }
      return
    }
    home("You are signed out.")
  }

  /// Ends all of the account's sessions, this one too; without an answer they go on.
  public func signOutEverywhere() async {
    guard !isLeaving else { return }
    isLeaving = true
    defer { isLeaving = false }
    do {
      // NB: a session that is over already has ended none of the others.
      try await client.endSessions()
      home("You are signed out everywhere.")
    } catch {
      if me != nil, !Sentence.isSilent(error) {
        announcements.post("You are still signed in. Please try again.")
      }
    }
  }

  private func departed(_ id: String, news: Sentence) {
    surface.remove { $0.author.id == id }
    home(news)
  }
}
