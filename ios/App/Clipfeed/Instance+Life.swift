import AppModel
import Contract
import CoreTypes
import Device
import DeviceKit
import Foundation
import MediaProxy
import MediaStore
import Persistence
import Playback
import PlayerKit
import RemoteNotices
import Screens
import Session
import Transfer
import TransferKit
import UIKit

extension Instance {
  /// Begins once, in this turn: nothing is awaited before the first frame.
  func start() {
    life.begin(FeedSession.Configuration(memoryBudget: Bytes(Int64(Self.memoryBudget))))
    push.isReady(
      PushModel.Ways(
        clip: { [assembly] id in Task { await assembly.model.open(id) } },
        comment: { [weak self] id, clip in self?.open(comment: id, of: clip) },
        webhooks: { [account] in account.open(.webhooks) }))
  }

  /// Lets go of everything: there is another server.
  func stop() async { await life.end() }

  /// The app is in the background, and may not come back.
  func left() {
    life.left()
    profiles.editing.store()
    statements.store()
    prompts.store()
    plan.leave(lastTrim: lastTrim.load())
  }

  func returned() {
    signIn.unlock()
    life.returned()
  }

  func open(_ url: URL) {
    do {
      switch try ServerLink(url, server: self.url) {
      case .clip(let link):
        shared.router.showFeed()
        if let comment = link.comment {
          open(comment: comment, of: link.clip, upload: link.upload)
        } else {
          Task { await assembly.model.open(link.clip, upload: link.upload) }
        }
      case .tag(let tag):
        shared.router.showFeed()
        discovery.open(.tag(tag))
      case .reset(let token): account.open(.reset(token: token))
      case .confirm(let token): account.open(.confirm(token: token))
      }
    } catch .otherServer {
      shared.announcements.post("This link leads to another server.")
    } catch {
      shared.announcements.post("This link leads to no clip.")
    }
  }

  /// The clip, and over it its comments from this one on.
  private func open(comment: String, of clip: String, upload: String? = nil) {
    Task {
      guard await assembly.model.open(clip, upload: upload) else { return }
      talk.lead(to: comment, of: clip)
      shared.router.open(.comments(clip: clip))
    }
  }

  /// In the time that the system lends.
  func work(_ work: BackgroundWork) async -> Bool {
    guard let store else { return true }
    switch work {
    case .trim:
      plan.trimBegan()
      return await CacheTrim(store: store, diskBudget: Self.diskBudget, last: lastTrim).run()
    case .refresh:
      plan.refreshBegan()
      let wishes = settings.settings
      let path = await shared.device.path()
      guard
        FeedRefresh.isAllowed(path, saves: wishes.playback.saves, unlimited: wishes.playback.unlimited)
      else { return true }
      return await FeedRefresh(
        source: client, tab: assembly.tabs.chosen,
        fetcher: ClipFetcher(store: store, transport: transport, base: url), store: store,
        diskBudget: Self.diskBudget, lastFeed: library.lastFeed
      ).run(shortEdge: Self.shortEdge.saving)
    }
  }

  /// Recorded clips go once their video is published.
  func followUpload() {
    track(self) { [upload, takes, ownership = assembly.actions.ownership] in
      guard upload.stage == .published, let shown = upload.shown else { return }
      takes.published(shown.name)
      if upload.isOwn, !shown.uploadID.isEmpty, let clip = shown.clip {
        ownership.add(clip.id, upload: shown.uploadID)
      }
    }
  }

  /// The record screen may go by a link, a notice or a swipe, of which its model hears nothing: camera and
  /// microphone must not stay with it.
  private func followStudio() {
    track(self) { [weak self, router = shared.router] in
      if !router.path.contains(.recording) { self?.studio?.gone() }
    }
  }

  /// How the session and the list of kept clips hear of each other.
  func connect() {
    shared.device.onPath { [weak self] path in
      self?.kept?.setOnline(path.isOnline)
      self?.queue.networkChanged(isOnline: path.isOnline)
      if path.isOnline { self?.talk.networkReturned() }
    }
    kept?.onChanged = { [weak self] clip, isKept in
      guard let host = self?.assembly.host, let item = host.feed.item(of: clip.id) else { return }
      host.setSaved(item, isKept)
    }
    kept?.onWhole = { [weak self] clip in
      guard let host = self?.assembly.host, let item = host.feed.item(of: clip.id) else { return }
      host.diskChanged(item)
    }
    if let kept {
      assembly.model.keeping = (
        isKept: { kept.isKept($0.id) },
        set: { clip, _, isKept in
          if isKept { kept.keep(clip) } else { Task { await kept.remove(clip.id) } }
        }
      )
    }
    for player in shared.players.all {
      player.onAttached = { [weak feed] item in feed?.show(player.view, of: item) }
    }
    followUpload()
    followStudio()
    talk.bar.attach(to: assembly.host)
    assembly.model.composer = { [talk] in talk.bar.carryOut($0) }
    let bar = MessageBarContainer(talk.bar)
    bar.frame = feed.barContainer.bounds
    bar.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    bar.onRestingHeight = { [weak feed] in feed?.setBarHeight($0) }
    bar.bar.onEnd = { [weak feed] in feed?.takeKeys() }
    feed.barContainer.addSubview(bar)
    talk.bar.onSignInNeeded = { [shared] in shared.router.open(.account) }
    talk.onCommentsCounted = { [assembly] in assembly.actions.setComments($1, of: $0) }
    talk.onMessageSent = { [push] in Task { await push.messageSent() } }
    talk.blocking.onBlocked { [assembly] author in assembly.model.remove { $0.author.id == author } }
    track(self) { [push, talk] in push.unread(talk.inbox.unread) }
    shared.pushes.model = push
    assembly.host.onTrouble = { [shared] in
      if let full = $0 as? DiskError { shared.announcements.post(Sentence(for: full)) }
    }
    assembly.model.onAuthor = { [profiles] in profiles.open($0) }
    connectReports()
    connectNotifications()
    connectGenerations()
    assembly.model.onTag = { [discovery] in discovery.open(.tag($0)) }
    assembly.model.onSound = { UIApplication.shared.open($0) }
    assembly.model.onSimilar = { [discovery] in discovery.open(.similar(clip: $0.id)) }
    assembly.model.onTaste = { [discovery] in discovery.open(.taste) }
    assembly.model.onInsights = { [insights] in insights.open($0.id, caption: $0.caption) }
    assembly.model.onOwnClips = { [account] in account.open(.clips) }
    assembly.model.onComments = { [shared] in shared.router.open(.comments(clip: $0.id)) }
    signIn.onChanged { [weak self] account in
      self?.push.isNow(account?.id)
      self?.assembly.viewerChanged()
      self?.talk.viewerChanged()
      self?.discovery.viewerChanged()
      self?.preview.clear()
      self?.profiles.viewerChanged()
      self?.insights.viewerChanged()
      self?.reporting.viewerChanged()
      self?.generations.viewerChanged()
      self?.notifications.viewerChanged()
      self?.notificationSettings.viewerChanged()
      self?.queue.signedIn()
    }
    signIn.onOver { [weak self] in
      self?.shared.announcements.post("You are signed out. Sign in again.")
    }
  }

  /// From where something is reported, and who hears of it.
  private func connectReports() {
    assembly.model.onReport = { [reporting] in reporting.open(.clip($0)) }
    profiles.onReport = { [reporting] in reporting.open($0) }
    reporting.onReported = { [account] in account.noteReport($0) }
    reporting.onReports = { [account] in account.open(.reports) }
    reporting.onBlocked = { [talk] _ in Task { await talk.inbox.look() } }
  }

  /// Where clips from words play, and who hears of them.
  private func connectGenerations() {
    generations.outlets = Generations.Outlets(
      watch: { [assembly] clip, upload in
        assembly.actions.ownership.add(clip.id, upload: upload)
        return assembly.tabs.watch("A clip from words", clip, from: .own)
      }, begun: { [push] in Task { await push.generationBegun() } },
      gone: { [assembly] id in assembly.model.remove { $0.id == id } },
      openOwnClips: { [account] in account.open(.clips) },
      screensBehind: { [assembly] in assembly.tabs.screensBehind })
    talk.live.onEvent { [generations] in generations.heard($0) }
  }

  /// How the list of notifications hears, and where its rows lead.
  private func connectNotifications() {
    talk.live.onEvent { [notifications] in notifications.heard($0) }
    talk.onLookAgain = { [notifications] in notifications.lookAgain() }
    notifications.onOpen = { [weak self] place in self?.go(to: place) }
  }

  private func go(to place: NotificationPlace) {
    switch place {
    case .clip(let id):
      shared.router.showFeed()
      Task { await assembly.model.open(id) }
    case .comment(let id, let clip):
      shared.router.showFeed()
      open(comment: id, of: clip)
    case .person(let author): profiles.open(author)
    case .followers:
      if let handle = signIn.signedIn?.handle { profiles.open(.followers(of: handle)) }
    case .ownClips: account.open(.clips)
    case .generation(let id):
      if let id { generations.open(id) } else { generations.openList() }
    case .decisions: account.open(.decisions)
    case .webhooks: account.open(.webhooks)
    }
  }
}
