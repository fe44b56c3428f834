public import Composer
import CoreTypes
public import Wire

/// The composer's events and commands as rows of words (docs/design/studio.md). Their numbers do not
/// meet those of the session, so that one door can carry both.
extension Composer.Event {
  /// `nil` for an unknown kind, a missing, superfluous or impossible field.
  public init?(words: UnsafeBufferPointer<Int64>) {
    var row = WordReader(words)
    guard let kind = row.word(), let event = Self.read(kind, from: &row), row.isAtEnd
    else { return nil }
    self = event
  }

  /// The fields behind a kind.
  public static func read(_ kind: Int64, from row: inout WordReader) -> Self? {
    switch kind {
    case 5: row.item().map { .itemRemoved($0) }
    case 46: .backgrounded
    case 50: .woke
    case 10, 60...63: readSurroundings(kind, &row)
    case 64...70: readField(kind, &row)
    case 71...74: readMessage(kind, &row)
    default: nil
    }
  }

  private static func readSurroundings(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 10:
      // The session's row: the short edge behind the height is of no interest here.
      guard let height = row.word(), row.word() != nil else { return nil }
      return .viewportResized(height: height)
    case 60: return row.item().map { .currentChanged($0.rawValue == -1 ? nil : $0) }
    case 61: return row.small().map { .lengthLimited(characters: $0) }
    case 62: return row.flag().map { .signedInChanged($0) }
    case 63:
      guard let item = row.item(), let areOpen = row.flag() else { return nil }
      return .messagesChanged(item, areOpen: areOpen)
    default: return nil
    }
  }

  private static func readField(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 64: return .fieldFocused
    case 65: return .fieldBlurred
    case 66: return .fieldDismissed
    case 67, 68:
      guard let item = row.item(), let characters = row.small(), let isBlank = row.flag()
      else { return nil }
      return kind == 67
        ? .textChanged(item, characters: characters, isBlank: isBlank)
        : .draftRestored(item, characters: characters, isBlank: isBlank)
    case 69:
      guard let height = row.word(), let lineHeight = row.word() else { return nil }
      return .textMeasured(height: height, lineHeight: lineHeight)
    case 70: return row.word().map { .keyboardMoved(height: $0) }
    default: return nil
    }
  }

  private static func readMessage(_ kind: Int64, _ row: inout WordReader) -> Self? {
    switch kind {
    case 71: return .sendTapped
    case 72: return row.small().map { .reactionTapped(reaction: $0) }
    case 73: return row.small().map { .messageSent(MessageID($0)) }
    case 74:
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
    case .lockFeed(let isLocked): words.row(40, isLocked)
    case .holdClip(let isHeld): words.row(41, isHeld)
    case .showBar(let bar): bar.append(to: &words)
    case .leaveField: words.row(43)
    case .showText(let item): words.row(44, item.rawValue)
    case .storeText(let item): words.row(45, item.rawValue)
    case .dropText(let item): words.row(46, item.rawValue)
    case .sendMessage(let message, let item): words.row(47, message.rawValue, item.rawValue)
    case .cancelMessage(let message): words.row(48, message.rawValue)
    case .sendReaction(let message, let item, let reaction):
      words.row(49, fields: Int64(message.rawValue), Int64(item.rawValue), Int64(reaction))
    case .askSignIn: words.row(50)
    case .noticeUnsent(let item): words.row(51, item.rawValue)
    case .returnText(let message, let item): words.row(52, message.rawValue, item.rawValue)
    case .noticeReturned(let item): words.row(53, item.rawValue)
    }
  }
}

extension Composer.Bar {
  fileprivate func append(to words: inout [Int64]) {
    words.row(
      42, fields: Int64(access.rawValue), isFocused.word, isEditable.word, Int64(lines), scrolls.word,
      Int64(buttons.rawValue), areEnabled.word, Int64(delivery.rawValue), Int64(charactersLeft),
      showsCharactersLeft.word, lift, showsText.word)
  }
}
