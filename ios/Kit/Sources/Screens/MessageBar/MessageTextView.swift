internal import Foundation
internal import UIKit

/// The field's text view. Keys of a hardware keyboard have a meaning here that the glass's have not.
final class MessageTextView: UITextView {
  var onReturn: (() -> Void)?
  var onEscape: (() -> Void)?

  override var keyCommands: [UIKeyCommand]? {
    let send = UIKeyCommand(input: "\r", modifierFlags: [], action: #selector(returnPressed))
    // Or the text view takes it for a new line first.
    send.wantsPriorityOverSystemBehavior = true
    return [
      send,
      UIKeyCommand(input: UIKeyCommand.inputEscape, modifierFlags: [], action: #selector(escapePressed)),
    ]
  }

  @objc private func returnPressed() { onReturn?() }
  @objc private func escapePressed() { onEscape?() }

  override func accessibilityPerformEscape() -> Bool {
    onEscape?()
    return true
  }
}
