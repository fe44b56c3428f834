internal import AppModel
internal import Contract
internal import Foundation
internal import UIKit

/// Shows the menu of the clip on the screen: what is in it is the model's to say, what is chosen is told to
/// it.
@MainActor struct FeedMenuSheet {
  let model: FeedModel
  weak var controller: UIViewController?
  let onShare: () -> Void

  func show() {
    guard let menu = model.menu else { return }
    let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
    for item in menu.items { sheet.addAction(action(for: item)) }
    present(sheet, by: .menu)
  }

  private func action(for item: FeedMenu.Item) -> UIAlertAction {
    switch item {
    case .share: plain(String(localized: "Share"), onShare)
    case .copyLink: plain(String(localized: "Copy link"), copyLink)
    case .bookmark(let isOn):
      plain(
        isOn ? String(localized: "Remove from bookmarks") : String(localized: "Save to bookmarks")
      ) { model.turn(.bookmark) }
    case .keep(let isOn):
      plain(isOn ? String(localized: "Don’t keep on this device") : String(localized: "Keep on this device"))
      {
        model.keep(!isOn)
      }
    case .speed: plain(String(localized: "Speed"), chooseSpeed)
    case .captions(let tracks, let chosen):
      plain(String(localized: "Captions")) {
        choose(
          [(String(localized: "Off"), chosen == nil, { model.chooseCaptions(nil) })]
            + tracks.map { track in
              (track.label, chosen == track.language, { model.chooseCaptions(track.language) })
            })
      }
    case .pictureInPicture: plain(String(localized: "Picture in picture")) { model.togglePictureInPicture() }
    case .similar: plain(String(localized: "More like this")) { model.openSimilar() }
    case .why: plain(String(localized: "Why this clip?"), showWhy)
    case .notInterested: plain(String(localized: "Not interested")) { model.choose(.notInterested) }
    case .report: plain(String(localized: "Report")) { model.openReport() }
    case .insights: plain(String(localized: "How it does")) { model.openInsights() }
    case .download: plain(String(localized: "Download")) { model.downloadClip() }
    case .edit: plain(String(localized: "Edit or delete")) { model.openOwnClips() }
    case .block(let name):
      UIAlertAction(title: String(localized: "Block \(name)"), style: .destructive) { _ in
        leave()
        ask(name)
      }
    }
  }

  private func plain(_ title: String, _ act: @escaping () -> Void) -> UIAlertAction {
    UIAlertAction(title: title, style: .default) { _ in
      leave()
      act()
    }
  }

  private func showWhy() {
    guard let why = model.why else { return }
    let sheet = UIAlertController(
      title: String(localized: "Why this clip?"), message: why.sentence.words, preferredStyle: .actionSheet)
    for choice in why.choices { sheet.addAction(plain(name(of: choice)) { model.choose(choice) }) }
    present(sheet, by: .menu)
  }

  private func name(of choice: WhyThis.Choice) -> String {
    switch choice {
    case .notInterested: String(localized: "Not interested")
    case .less(let wish, let name):
      wish.kind == .author ? String(localized: "Less from \(name)") : String(localized: "Less of \(name)")
    case .lessOfSound: String(localized: "Less of this sound")
    case .because: String(localized: "Watch the clip that you liked")
    case .similar: String(localized: "More like this")
    case .taste: String(localized: "Your feed")
    }
  }

  private func leave() { model.setLocked(false, by: .menu) }

  private func copyLink() {
    guard let link = model.linkToCopy() else { return }
    UIPasteboard.general.string = link
    model.linkCopied()
  }

  private func chooseSpeed() {
    choose(
      FeedMenu.speeds.map { speed in
        ("\(speed.formatted())×", speed == model.speed, { model.setSpeed(speed) })
      })
  }

  private func choose(_ options: [(title: String, isChosen: Bool, act: () -> Void)]) {
    let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
    for option in options {
      sheet.addAction(plain(option.isChosen ? "✓ \(option.title)" : option.title, option.act))
    }
    present(sheet, by: .menu)
  }

  /// Whether the person means it.
  private func ask(_ name: String) {
    let question = UIAlertController(
      title: String(localized: "Block \(name)?"),
      message: String(
        localized:
          "Neither of you sees the other’s clips and comments any more. Nobody is told. You can take it back in your account."
      ), preferredStyle: .alert)
    question.addAction(
      UIAlertAction(title: String(localized: "Block"), style: .destructive) { _ in
        model.setLocked(false, by: .menu)
        model.blockAuthor()
      })
    present(question, by: .menu)
  }

  private func present(_ sheet: UIAlertController, by lock: FeedModel.Lock) {
    guard let controller else { return }
    sheet.addAction(
      UIAlertAction(title: String(localized: "Cancel"), style: .cancel) { _ in
        model.setLocked(false, by: lock)
      })
    // On an iPad it comes from somewhere: the middle of the clip.
    if let popover = sheet.popoverPresentationController {
      popover.sourceView = controller.view
      popover.sourceRect = CGRect(
        x: controller.view.bounds.width / 2, y: controller.view.bounds.height / 2, width: 1, height: 1)
    }
    model.setLocked(true, by: lock)
    controller.present(sheet, animated: true)
  }
}
