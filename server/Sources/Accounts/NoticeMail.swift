internal import Contract
internal import Foundation
internal import Platform

/// What a message about a notice says. Nothing in it is a stranger's: the device is one of our words for it,
/// the provider's name the operator's.
enum NoticeMail {
  static func made(
    _ notice: NoticeStore.Notice, atMs: Int64, handle: String, address: String, origin: String
  ) -> Mail {
    let (subject, sentence) = words(notice, "@\(handle)")
    let when = Date(timeIntervalSince1970: Double(atMs) / 1000)
      .formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space))
    if [.decided, .decisionReviewed].contains(notice.kind) {
      return Mail(
        to: address, subject: PlainText.line(subject),
        text: """
          \(PlainText.line(sentence))

          When: \(when)

          What it is, why, and what you can do about it stands here:

          \(origin)/#account/decisions
          """)
    }
    if notice.kind == .exportReady {
      return Mail(
        to: address, subject: PlainText.line(subject),
        text: """
          \(PlainText.line(sentence))

          When: \(when)

          It can be downloaded for a week here:

          \(origin)/#account/data

          If you did not ask for it, choose another password at once: somebody else is signed in.
          """)
    }
    return Mail(
      to: address, subject: PlainText.line(subject),
      text: """
        \(PlainText.line(sentence))

        When: \(when)
        Device: \(notice.device.map(PlainText.line) ?? "none that we know")

        If that was you, nothing needs to be done. If not, choose another password at once, and
        sign out everywhere. What happened stands here:

        \(origin)/#account/security

        If you cannot get in any more, ask for a new password at \(origin)/#account/forgot
        or turn to whoever runs this site.
        """)
  }

  private static func words(_ notice: NoticeStore.Notice, _ who: String) -> (
    subject: String, sentence: String
  ) {
    let provider = BoundedText.cut(notice.provider ?? "a provider", toBytes: 100)
    return switch notice.kind {
    case .newDevice:
      ("A new device for \(who)", "Somebody signed in to \(who) on a device that is new to the account.")
    case .passwordChanged:
      (
        "The password of \(who) was changed",
        "The password of \(who) was changed, and every other device was signed out."
      )
    case .passwordReset:
      (
        "The password of \(who) was reset",
        "A new password for \(who) was set by a link for that, and every device was signed out."
      )
    case .emailChanged:
      (
        "The e-mail address of \(who) was changed",
        "\(who) has another e-mail address from now on. This goes to the one before and to the new one."
      )
    case .emailRemoved:
      (
        "The e-mail address of \(who) was removed",
        "\(who) has no e-mail address any more: this is the last message to it."
      )
    case .providerConnected:
      ("Another way to sign in to \(who)", "\(who) can be signed in to by \(provider) from now on.")
    case .providerDisconnected:
      ("One way less to sign in to \(who)", "\(who) cannot be signed in to by \(provider) any more.")
    case .wrongPasswords:
      (
        "Wrong passwords for \(who)",
        "Somebody gave a wrong password for \(who) several times. You hear of this once a day at most."
      )
    case .signedOutEverywhere:
      ("\(who) was signed out everywhere", "Every device that was signed in to \(who) was signed out.")
    case .codeAppOn:
      (
        "Signing in to \(who) asks for a code",
        "Signing in to \(who) asks for a code of an app from now on, beside the password."
      )
    case .codeAppOff:
      (
        "Signing in to \(who) asks for no code any more",
        "Signing in to \(who) asks for no code of an app any more."
      )
    case .recoveryCodeUsed:
      (
        "A recovery code of \(who) was used",
        "Somebody signed in to \(who) by a recovery code, in place of a code of the app."
      )
    case .recoveryCodesMade:
      (
        "New recovery codes for \(who)",
        "There are new recovery codes for \(who); those before do not count any more."
      )
    case .passkeyAdded:
      ("A passkey for \(who)", "\(who) can be signed in to by another passkey from now on.")
    case .passkeyRemoved:
      ("A passkey of \(who) was removed", "One of the passkeys of \(who) opens it no more.")
    case .apiKeyMade:
      (
        "A key for a program of \(who)",
        "A program can have videos made for \(who) by a new key from now on, or look at them."
      )
    case .apiKeyRevoked:
      ("A key of \(who) was revoked", "One of the keys that programs have of \(who) opens nothing any more.")
    case .wrongCodes:
      (
        "Wrong codes for \(who)",
        "Somebody who knows the password of \(who), or is signed in, gave a wrong code several times. You hear of this "
          + "once a day at most."
      )
    case .decided:
      (
        "A moderator's decision about \(who)",
        "A moderator has decided something about \(who) or what it published."
      )
    case .decisionReviewed:
      (
        "A decision about \(who) was looked at again",
        "A moderator has looked at a decision about \(who) again."
      )
    case .exportReady:
      (
        "The data of \(who) is ready",
        "All that is kept of \(who) was put together, as asked for in the account."
      )
    }
  }
}
