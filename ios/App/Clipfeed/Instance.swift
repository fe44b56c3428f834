import AppModel
import CaptureKit
import Contract
import CoreTypes
import Device
import DeviceKit
import Foundation
import KeychainKit
import MediaProxy
import MediaStore
import Persistence
import Playback
import PlayerKit
import Screens
import Session
import SignInKit
import Transfer
import TransferKit
import UIKit

/// All that belongs to one server: who is signed in there, its clips in memory and on disk, its feed, and what
/// people write there.
@MainActor final class Instance {
  static let memoryBudget = 48 * 1_048_576
  static let diskBudget = 512 * 1_048_576
  /// What is kept and fetched ahead, in px of the short edge; less where bytes cost.
  static let shortEdge = (best: 1_080, saving: 540)

  let url: URL
  let shared: Composition
  let transport: HTTPTransport
  let signIn: SignInHost
  let client: Client
  let library: Library
  let proxy: LoopbackServer
  let store: DiskStore?
  let assembly: FeedAssembly
  let feed: FeedViewController
  let account: AccountModel
  let talk: TalkModels
  let discovery: Discovery
  let preview: ClipPreview
  let profiles: Profiles
  let insights: Insights
  /// What is written to moderators.
  let statements: StatementDrafts
  let reporting: Reporting
  /// What is typed to have clips made.
  let prompts: PromptDrafts
  let generations: Generations
  let notifications: NotificationsModel
  let notificationSettings: NotificationSettingsModel
  let push: PushModel
  let queue: UploadQueue
  let upload: UploadModel
  /// While its screen is there.
  weak var studio: StudioModel?
  let waking: UploadWaking
  let takes: HandedTakes
  let kept: KeptClips?
  let settings: SettingsModel
  let plan: BackgroundPlan
  let lastTrim: StoredFile<Date>
  let life: ServerLife

  init(_ url: URL, _ shared: Composition, plan makePlan: (Bool) -> BackgroundPlan) {
    self.url = url
    self.shared = shared
    let root = shared.folders.root(of: url)
    let library = Library(root: root)
    self.library = library
    lastTrim = StoredFile(root.appending(path: "last-trim"))
    let transport = HTTPTransport(base: url)
    self.transport = transport
    let signIn = SignInHost(
      over: transport, store: KeychainStore(service: Composition.bundle, server: url), clock: SystemClock(),
      client: Self.clientName)
    self.signIn = signIn
    let client = Client(transport: signIn)
    self.client = client
    let memory = SegmentMemory()
    store = Self.openDisk(shared.folders.media(of: url), shared.announcements)
    proxy = LoopbackServer(memory: memory, port: library.port.load() ?? 0, origin: url, disk: store)
    let wanted = StoredFile<AppSettings>(root.appending(path: "settings"))
    let before = wanted.load() ?? AppSettings()
    let plan = makePlan(before.refreshes)
    self.plan = plan
    let assembly = FeedAssembly(
      FeedAssembly.Parts(
        client: client, transport: transport, players: shared.players.all, controls: shared.players,
        addressing: proxy, memory: memory, disk: store.map { ($0, Self.diskBudget) }, base: url,
        files: FeedFiles(root: root, caches: shared.folders.caches(of: url)), device: shared.device,
        announcements: shared.announcements, router: shared.router, preferences: before.playback,
        viewerID: { signIn.signedIn?.id }))
    self.assembly = assembly
    feed = FeedViewController(assembly.model)
    discovery = Discovery(
      client: client, router: shared.router, tabs: assembly.tabs, announcements: shared.announcements,
      recent: RecentSearches(file: StoredFile(root.appending(path: "searches"))), clock: SystemPauseClock())
    preview = ClipPreview(
      client: client, clock: SystemPauseClock(), device: shared.device,
      preferences: { assembly.device.preferences })
    let stream = HTTPEventStream(
      url: url.appending(path: Route.live.path()), headers: { await signIn.headers() })
    let talk = TalkModels(
      client: client, base: url, stream: stream, activity: assembly.activity, library: library,
      viewer: signIn, announcements: shared.announcements, clock: SystemPauseClock(),
      makeKey: { UUID().uuidString })
    self.talk = talk
    let profiles = Profiles(
      client: client, base: url, router: shared.router, tabs: assembly.tabs, actions: assembly.model.actions,
      blocking: talk.blocking, viewer: signIn, announcements: shared.announcements,
      drafts: StoredFile(root.appending(path: "profile-drafts")), clock: SystemPauseClock())
    profiles.onWrite = { talk.meet($0) }
    self.profiles = profiles
    let insights = Insights(client: client, router: shared.router, announcements: shared.announcements)
    self.insights = insights
    let statementFile = StoredFile<[StatementDraft]>(root.appending(path: "statement-drafts"))
    let statements = StatementDrafts(statementFile, viewer: signIn, clock: SystemPauseClock())
    self.statements = statements
    reporting = Reporting(
      client: client, router: shared.router, blocking: talk.blocking, drafts: statements)
    let promptFile = StoredFile<[PromptDraft]>(root.appending(path: "prompt-drafts"))
    let prompts = PromptDrafts(
      promptFile, viewer: signIn, clock: SystemPauseClock(), makeKey: { UUID().uuidString })
    self.prompts = prompts
    generations = Generations(
      client: client, router: shared.router, drafts: prompts, viewer: signIn,
      announcements: shared.announcements, clock: SystemPauseClock())
    notifications = NotificationsModel(client: client, viewer: signIn, clock: SystemPauseClock())
    notificationSettings = NotificationSettingsModel(
      client: client, viewer: signIn, announcements: shared.announcements)
    account = AccountModel(
      signIn: signIn, announcements: shared.announcements, router: shared.router,
      providers: ProviderVisits(base: url, window: { shared.window }),
      keys: SystemPasskeys(
        base: url, associated: Bundle.main.object(forInfoDictionaryKey: "ClipfeedHost") as? String ?? "",
        window: { shared.window }), drafts: statements,
      surface: AccountSurface(
        open: { assembly.model.watch([$0]) }, remove: { assembly.model.remove(where: $0) },
        openProfile: { profiles.open($0) }, openInsights: { insights.open($0, caption: $1) },
        owns: { assembly.actions.ownership.add($0, upload: $1) }))
    push = PushModel(
      client: client, port: shared.pushes, router: shared.router, environment: Self.pushEnvironment,
      topic: Composition.bundle, locale: Locale.preferredLanguages.first, account: signIn.signedIn?.id,
      announcements: shared.announcements)
    let uploadClock = RunningClock(SystemClock())
    let uploads = SessionUploads.inBackground(shared.uploadSession(of: url))
    queue = UploadQueue(
      root: root.appending(path: "uploads"),
      UploadHost.Ports(
        api: signIn, base: url, bytes: uploads, credentials: { await signIn.headers() },
        account: { signIn.viewerID }, clock: uploadClock, tools: .system,
        compressor: VideoCompressor(VideoExport(), isHighRange: { await VideoFiles.isHighRange($0) }),
        trimmer: AssetTrimmer()))
    takes = HandedTakes(
      folder: ClipFolder(root: root.appending(path: "studio")),
      file: StoredFile(root.appending(path: "handed-takes")))
    waking = UploadWaking(queue: queue, finishEvents: { uploads.finishEvents($0) })
    upload = UploadModel(
      queue: queue, client: client, clock: uploadClock, base: url, announcements: shared.announcements,
      banner: shared.continued,
      outlets: UploadModel.Outlets(
        watch: { clip, upload in
          shared.router.showFeed()
          return await assembly.model.open(clip, upload: upload)
        }, open: { shared.router.open(.upload) }, signIn: { shared.router.open(.account) }))
    let kept = store.map { store in
      Self.makeKept(
        root, ClipFetcher(store: store, transport: transport, base: url), assembly, shared, wanted)
    }
    self.kept = kept
    settings = SettingsModel(
      file: wanted, captions: assembly.model.captionPreferences,
      storage: Self.storage(
        memory, store, kept, assembly.host,
        WrittenTexts(
          library: library, statementFile: statementFile, promptFile: promptFile, talk: talk,
          statements: statements, prompts: prompts)),
      announcements: shared.announcements
    ) { settings in
      assembly.device.preferences = settings.playback
      plan.refreshes = settings.refreshes
    }
    life = ServerLife(
      ServerLife.Parts(
        assembly: assembly, listener: proxy, port: library.port, talk: talk, queue: queue, kept: kept,
        push: push, announcements: shared.announcements,
        time: SystemBackgroundTime(),
        hangUp: {
          stream.invalidate()
          uploads.invalidate()
        }, close: { transport.invalidate() }))
    connect()
  }

  /// Of the entitlement `aps-environment`, which Xcode writes anew for what is distributed.
  private static var pushEnvironment: PushEnvironment {
    #if DEBUG
      .sandbox
    #else
      .production
    #endif
  }

  private static var clientName: String {
    let version = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? ""
    return "Clipfeed/\(version) (\(UIDevice.current.model); iOS \(UIDevice.current.systemVersion))"
  }
}
