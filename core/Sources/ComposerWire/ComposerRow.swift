public import Composer
import CoreTypes
public import Wire

/// The composer's events and commands as rows of words (docs/design/studio.md). Their numbers do not
/// meet those of the session, so that one door can carry both.
extension Composer.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word().flatMap({ ComposerEventKind(rawValue: $0) }),
      let event = Self.read(kind, from: &row), row.isAtEnd
    else { return nil }
    self = event
  }

  /// The fields behind a kind.
  public static func read(_ kind: ComposerEventKind, from row: inout WordReader) -> Self? {
    switch kind {
    case .itemRemoved: row.item().map { .itemRemoved($0) }
    case .backgrounded: .backgrounded
    case .woke: .woke
    case .viewportResized, .currentChanged, .lengthLimited, .signedInChanged, .messagesChanged:
      readContext(kind, &row)
    case .fieldFocused, .fieldBlurred, .fieldDismissed, .textChanged, .draftRestored, .textMeasured,
      .keyboardMoved:
      readField(kind, &row)
    case .sendTapped, .reactionTapped, .messageSent, .messageFailed: readMessage(kind, &row)
    }
  }

  private static func readContext(_ kind: ComposerEventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .viewportResized:
      // The session's row: the short edge behind the height is of no interest here.
      guard let height = row.word(), row.word() != nil else { return nil }
      return .viewportResized(height: height)
    case .currentChanged: return row.item().map { .currentChanged($0.rawValue == -1 ? nil : $0) }
    case .lengthLimited: return row.small().map { .lengthLimited(characters: $0) }
    case .signedInChanged: return row.flag().map { .signedInChanged($0) }
    case .messagesChanged:
      guard let item = row.item(), let areOpen = row.flag() else { return nil }
      return .messagesChanged(item, areOpen: areOpen)
    default: return nil
    }
  }

  private static func readField(_ kind: ComposerEventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .fieldFocused: return .fieldFocused
    case .fieldBlurred: return .fieldBlurred
    case .fieldDismissed: return .fieldDismissed
    case .textChanged, .draftRestored:
      guard let item = row.item(), let characters = row.small(), let isBlank = row.flag()
      else { return nil }
      return kind == .textChanged
        ? .textChanged(item, characters: characters, isBlank: isBlank)
        : .draftRestored(item, characters: characters, isBlank: isBlank)
    case .textMeasured:
      guard let height = row.word(), let lineHeight = row.word() else { return nil }
      return .textMeasured(height: height, lineHeight: lineHeight)
    case .keyboardMoved: return row.word().map { .keyboardMoved(height: $0) }
    default: return nil
    }
  }

  private static func readMessage(_ kind: ComposerEventKind, _ row: inout WordReader) -> Self? {
    switch kind {
    case .sendTapped: return .sendTapped
    case .reactionTapped: return row.small().map { .reactionTapped(reaction: $0) }
    case .messageSent: return row.small().map { .messageSent(MessageID($0)) }
    case .messageFailed:
      guard let message = row.small(),
        let reason = row.word().flatMap({ Composer.FailureReason(rawValue: $0) })
      else { return nil }
      return .messageFailed(MessageID(message), reason)
    default: return nil
    }
  }
}

extension Composer.Command {
  public func append(to words: inout [Int64]) {
    switch self {
    case .lockFeed(let isLocked): words.row(ComposerCommandKind.lockFeed, isLocked)
    case .holdClip(let isHeld): words.row(ComposerCommandKind.holdClip, isHeld)
    case .showBar(let bar): bar.append(to: &words)
    case .leaveField: words.row(ComposerCommandKind.leaveField)
    case .showText(let item): words.row(ComposerCommandKind.showText, item.rawValue)
    case .storeText(let item): words.row(ComposerCommandKind.storeText, item.rawValue)
    case .dropText(let item): words.row(ComposerCommandKind.dropText, item.rawValue)
    case .sendMessage(let message, let item):
      words.row(ComposerCommandKind.sendMessage, message.rawValue, item.rawValue)
    case .cancelMessage(let message): words.row(ComposerCommandKind.cancelMessage, message.rawValue)
    case .sendReaction(let message, let item, let reaction):
      words.row(
        ComposerCommandKind.sendReaction.rawValue, fields: Int64(message.rawValue), Int64(item.rawValue),
        Int64(reaction))
    case .askSignIn: words.row(ComposerCommandKind.askSignIn)
    case .noticeUnsent(let item): words.row(ComposerCommandKind.noticeUnsent, item.rawValue)
    case .returnText(let message, let item):
      words.row(ComposerCommandKind.returnText, message.rawValue, item.rawValue)
    case .noticeReturned(let item): words.row(ComposerCommandKind.noticeReturned, item.rawValue)
    }
  }
}

extension Composer.Bar {
  fileprivate func append(to words: inout [Int64]) {
    words.row(
      ComposerCommandKind.showBar.rawValue, fields: Int64(access.rawValue), isFocused.word, isEditable.word,
      Int64(lines), scrolls.word,
      Int64(buttons.rawValue), areEnabled.word, Int64(delivery.rawValue), Int64(charactersLeft),
      showsCharactersLeft.word, lift, showsText.word)
  }
}
