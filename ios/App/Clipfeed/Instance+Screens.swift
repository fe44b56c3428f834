import AppModel
import CaptureKit
import Contract
import CoreTypes
import DeviceKit
import Foundation
import Playback
import PlayerKit
import Screens
import SwiftUI
import Transfer
import TransferKit
import UIKit

extension Instance {
  /// A screen over the feed.
  func makeScreen(_ destination: Router.Destination) -> UIViewController {
    let router = shared.router
    let back: @MainActor () -> Void = { router.back() }
    switch destination {
    case .settings:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          SettingsScreen(
            settings, server: shared.server, version: Self.version,
            openTaste: { router.open(.taste) }, openKept: { router.open(.keptClips) },
            openNotifications: { router.open(.notificationSettings) })
        })
    case .keptClips:
      // The sentence about the disk says why.
      guard let kept else { return leaving() }
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          KeptClipsScreen(kept, base: url) { [weak self] in self?.watch(kept.playable(from: $0)) }
        })
    case .account:
      return Hosted.screen(
        facesFrom: url, AccountScreen(model: account, base: url, preview: preview, close: back))
    case .comments(let id):
      guard let item = assembly.host.feed.item(of: id), let clip = assembly.model.clip(of: item) else {
        return gone()
      }
      return Hosted.screen(
        facesFrom: url,
        CommentsScreen(
          talk.comments(of: clip), openProfile: { [profiles] in profiles.open($0) },
          report: { [reporting] in reporting.open(.comment($0)) }, close: back))
    case .notifications:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          NotificationsScreen(
            notifications, base: url, signIn: { router.open(.account) },
            openSettings: { router.open(.notificationSettings) })
        })
    case .notificationSettings:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) { NotificationSettingsScreen(notificationSettings) })
    case .conversations:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) { InboxScreen(talk.inbox) { router.open(.conversation(with: $0)) } })
    case .conversation(let id):
      // Their name comes with the conversation, where it is not known yet.
      let model = talk.conversation(with: Author(id: id, handle: "", name: ""))
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          ConversationScreen(
            model, base: url,
            watch: { [weak self] in self?.watch([$0]) },
            openProfile: { [profiles] in profiles.open($0) },
            report: { [reporting] in reporting.open(.message($0, from: model.peer)) }, leave: back)
        })
    case .upload:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          UploadScreen(upload, pictures: { await VideoPictures.picture(of: $0, atMost: $1) })
        })
    case .recording: return makeStudio()
    case .search:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          SearchScreen(discovery.search, base: url, preview: preview) { [profiles] in profiles.open($0) }
        })
    case .taste:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          TasteScreen(discovery.taste) { [discovery] in discovery.open(.trending) }
        })
    case .tag, .trending, .similar:
      guard let grid = discovery.grid(of: destination) else { return gone() }
      return Hosted.screen(
        facesFrom: url, ScreenStack(close: back) { GridScreen(grid, base: url, preview: preview) })
    case .insights:
      guard let model = insights.model(of: destination) else { return gone() }
      return Hosted.screen(facesFrom: url, ScreenStack(close: back) { InsightsScreen(model) })
    case .generating:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) {
          WishScreen(
            generations, base: url, jpeg: { await PortraitFile.whole(of: $0) },
            signIn: { router.open(.account) })
        })
    case .generations:
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) { GenerationsScreen(generations, signIn: { router.open(.account) }) })
    case .generation:
      guard let model = generations.model(of: destination) else { return leaving() }
      return Hosted.screen(facesFrom: url, ScreenStack(close: back) { GenerationScreen(model) })
    case .report:
      guard let model = reporting.model(of: destination) else { return leaving() }
      return Hosted.screen(facesFrom: url, ScreenStack(close: back) { ReportScreen(model) })
    case .profile, .followers, .following, .profileEditing:
      return makeProfile(destination, back)
    }
  }

  private func makeProfile(
    _ destination: Router.Destination, _ back: @escaping @MainActor () -> Void
  ) -> UIViewController {
    if let profile = profiles.profile(of: destination) {
      return Hosted.screen(
        facesFrom: url,
        ScreenStack(close: back) { ProfileScreen(profile, base: url, preview: preview) })
    }
    if let people = profiles.people(of: destination) {
      return Hosted.screen(facesFrom: url, ScreenStack(close: back) { ProfilePeopleScreen(people) })
    }
    return Hosted.screen(
      facesFrom: url,
      ScreenStack(close: back) {
        ProfileEditScreen(profiles.editing, jpeg: { await PortraitFile.jpeg(of: $0) })
      })
  }

  /// Records, and hands what was made over to the upload.
  private func makeStudio() -> UIViewController {
    let (shared, upload, takes) = (shared, upload, takes)
    let camera = CameraCapture(shared.players.sound)
    let player = ReviewPlayerView(shared.players.sound)
    let model = StudioModel(
      StudioModel.Ports(
        camera: camera, maker: VideoExport(), player: player, folder: takes.folder, clock: SystemClock(),
        announcements: shared.announcements, notice: { shared.device.onNotice?($0) },
        handOver: { video in
          shared.router.open(.upload)
          Task { await upload.add(video, of: takes) }
        }, closed: { shared.router.back() }))
    studio = model
    return Hosted.screen(StudioScreen(model, finder: camera.finder, player: player))
  }

  /// Leaves all screens for these clips.
  func watch(_ clips: [Clip]) {
    shared.router.showFeed()
    assembly.model.watch(clips)
  }

  /// The clip that a screen is about went meanwhile.
  private func gone() -> UIViewController {
    shared.announcements.post("This clip is gone.")
    return leaving()
  }

  /// There is nothing to show: back to what lies below.
  private func leaving() -> UIViewController {
    Task { shared.router.back() }
    return UIViewController(nibName: nil, bundle: nil)
  }

  static var version: String {
    let table = Bundle.main.infoDictionary
    let version = table?["CFBundleShortVersionString"] as? String ?? ""
    return "\(version) (\(table?["CFBundleVersion"] as? String ?? ""))"
  }
}
