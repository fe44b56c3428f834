internal import AppModel
internal import CoreTypes
internal import Foundation
internal import UIKit

/// What a keyboard does in the feed: the same as in a browser. The titles are what iPadOS shows while the
/// command key is held.
extension FeedViewController {
  var keys: [UIKeyCommand] {
    [
      key(UIKeyCommand.inputDownArrow, String(localized: "Next clip"), #selector(goToNext)),
      key(UIKeyCommand.inputUpArrow, String(localized: "Previous clip"), #selector(goToPrevious)),
      key(UIKeyCommand.inputRightArrow, String(localized: "Forward"), #selector(forward)),
      key(UIKeyCommand.inputLeftArrow, String(localized: "Rewind"), #selector(backward)),
      key(" ", String(localized: "Play or pause"), #selector(pauseOrPlay)),
      key("m", String(localized: "Sound on or off"), #selector(toggleSound)),
      key("l", String(localized: "Like"), #selector(like)),
      key("b", String(localized: "Save to bookmarks"), #selector(bookmark)),
      key("f", String(localized: "Follow"), #selector(follow)),
      key("s", String(localized: "Captions on or off"), #selector(toggleCaptions)),
      key("p", String(localized: "Picture in picture"), #selector(toggleWindow)),
      key("[", String(localized: "Previous tab"), #selector(previousTab)),
      key("]", String(localized: "Next tab"), #selector(nextTab)),
    ]
  }

  private func key(_ input: String, _ title: String, _ action: Selector) -> UIKeyCommand {
    let command = UIKeyCommand(input: input, modifierFlags: [], action: action)
    command.discoverabilityTitle = title
    // Or the system moves its focus by arrows, and taps by the space bar.
    command.wantsPriorityOverSystemBehavior = true
    return command
  }

  @objc private func previousTab() { model.tabs?.step(-1) }
  @objc private func nextTab() { model.tabs?.step(1) }
  // NB: not `next`, which is a responder's property.
  @objc private func goToNext() { model.step(1) }
  @objc private func goToPrevious() { model.step(-1) }
  @objc private func forward() { model.scrub(by: FeedModel.scrubStep) }
  @objc private func backward() { model.scrub(by: Milliseconds(-FeedModel.scrubStep.rawValue)) }
  @objc private func pauseOrPlay() { model.tapped() }
  @objc private func toggleSound() { model.toggleSound() }
  @objc private func like() { model.turn(.like) }
  @objc private func bookmark() { model.turn(.bookmark) }
  @objc private func follow() { model.turn(.follow) }
  @objc private func toggleCaptions() { model.toggleCaptions() }
  @objc private func toggleWindow() { model.togglePictureInPicture() }
}
