import AppModel
import Contract
import DeviceKit
import Foundation
import Persistence
import Playback
import PlayerKit
import RemoteNotices
import Screens
import Transfer
import TransferKit
import UIKit

/// Makes the parts of the app, once, and hands them to each other. What they do is theirs to know.
@MainActor final class Composition {
  static var bundle: String { Bundle.main.bundleIdentifier ?? "" }

  let announcements = Announcements()
  let router = Router()
  let device = PhoneDevice()
  /// There before the app has launched, or a tap that starts it is not heard of.
  let pushes = SystemPushes()
  /// As many as the core's pool has.
  let players = StreamPlayers(count: 3)
  let folders: Folders
  let server: ServerModel
  /// Over which the system's own sheets appear.
  weak var window: UIWindow?
  private let calendar: SystemCalendar
  private weak var root: RootViewController?
  /// The system's display of an upload.
  let continued: ContinuedUpload
  /// All that belongs to one server; none before somebody has named one.
  private var instance: Instance?
  /// A link that came before there was a feed.
  private var pending: URL?

  init() {
    folders = Folders()
    continued = ContinuedUpload(identifier: Self.bundle + ".upload.continued")
    calendar = SystemCalendar(bundle: Self.bundle)
    server = ServerModel(
      file: StoredFile(folders.root.appending(path: "server")),
      suggestion: Bundle.main.object(forInfoDictionaryKey: "ClipfeedHost") as? String ?? ""
    ) { url in
      let transport = HTTPTransport(base: url)
      defer { transport.invalidate() }
      return try await Client(transport: transport).ready()
    }
  }

  /// Before the app has launched: later the system takes no handler any more.
  func launched() {
    calendar.register { [weak self] work, done in
      BackgroundJob({ [weak self] in await self?.work(work) ?? false }, done: done)
    }
    server.onChanged = { [weak self] _ in self?.changeServer() }
    if let url = server.url { instance = makeInstance(url) }
  }

  /// The system knows the requests of one server by this name, from one run of the app to the next.
  func uploadSession(of server: URL) -> String { "\(Self.bundle).uploads.\(folders.name(of: server))" }

  /// The system has started the app to say what became of its uploads.
  func woken(for session: String, _ done: @escaping @MainActor () -> Void) {
    guard let instance, session == uploadSession(of: instance.url) else { return done() }
    instance.waking.wake(done)
  }

  /// The system names this device to whoever sends it notifications.
  func received(_ token: [UInt8]) {
    guard let push = instance?.push else { return }
    Task { await push.received(token) }
  }

  func receivedNone() { instance?.push.receivedNone() }

  func makeRoot() -> RootViewController {
    let root = RootViewController(router) { [weak self] destination in
      self?.instance?.makeScreen(destination) ?? UIViewController(nibName: nil, bundle: nil)
    }
    self.root = root
    root.loadViewIfNeeded()
    show()
    return root
  }

  func open(_ url: URL) {
    guard let instance else { return pending = url }
    instance.open(url)
  }

  func left() { instance?.left() }

  func returned() { instance?.returned() }

  private func makeInstance(_ url: URL) -> Instance {
    Instance(url, self, plan: { BackgroundPlan(calendar, refreshes: $0) })
  }

  /// The feed, or the question which server it comes from.
  private func show() {
    guard let root else { return }
    guard let instance else {
      root.onTopTaken = nil
      root.onCovered = nil
      return root.setContent(ServerScreen.controller(server))
    }
    let bar = RootBar(
      router, discovery: instance.discovery, upload: instance.upload, keeps: instance.kept != nil,
      unseen: { instance.notifications.unseen }, unread: { instance.talk.inbox.unread })
    root.onTopTaken = { [feed = instance.feed] in feed.setTopHeight($0) }
    let tabs = instance.assembly.tabs
    root.setContent(instance.feed, bar: Hosted.control(bar), tabs: Hosted.control(TabsBar(tabs)))
    // NB: as long as this feed is there, and not the root: what is looked at here is kept.
    track(instance.feed) { [weak root, upload = instance.upload] in
      _ = (upload.pill, tabs.back)
      root?.view.setNeedsLayout()
    }
    root.onCovered = { [model = instance.assembly.model] in model.setLocked($0, by: .screen) }
    instance.start()
    if let url = pending { instance.open(url) }
    pending = nil
  }

  private func changeServer() {
    router.showFeed()
    let old = instance
    instance = nil
    Task {
      await old?.stop()
      if let url = server.url { instance = makeInstance(url) }
      show()
    }
  }

  private func work(_ work: BackgroundWork) async -> Bool {
    guard let instance else { return true }
    return await instance.work(work)
  }
}
