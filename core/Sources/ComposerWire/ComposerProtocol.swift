/// What a composer hears: names and numbers, here and nowhere else. The first four are the session's, as a
/// composer behind a door of its own hears them; the others do not meet the session's, so that one door can
/// carry both.
///
/// `scripts/wire-protocol.sh` makes the tables of docs/design/studio.md of this file.
public enum ComposerEventKind: Int64 {
  case itemRemoved = 5
  case viewportResized = 10
  case backgrounded = 46
  case woke = 50
  case currentChanged = 60
  case lengthLimited = 61
  case signedInChanged = 62
  case messagesChanged = 63
  case fieldFocused = 64
  case fieldBlurred = 65
  case fieldDismissed = 66
  case textChanged = 67
  case draftRestored = 68
  case textMeasured = 69
  case keyboardMoved = 70
  case sendTapped = 71
  case reactionTapped = 72
  case messageSent = 73
  case messageFailed = 74
}

public enum ComposerCommandKind: Int64 {
  case lockFeed = 40
  case holdClip = 41
  case showBar = 42
  case leaveField = 43
  case showText = 44
  case storeText = 45
  case dropText = 46
  case sendMessage = 47
  case cancelMessage = 48
  case sendReaction = 49
  case askSignIn = 50
  case noticeUnsent = 51
  case returnText = 52
  case noticeReturned = 53
}

extension ComposerEventKind {
  /// Whether the host of a session says it; the others are the session's to say.
  public var isOfHost: Bool { rawValue > Self.currentChanged.rawValue }
}

// What follows is for people, scripts and tests; no word of it gets into a .wasm.
#if !hasFeature(Embedded)

  extension ComposerCommandKind {
    /// Whether the host of a session hears it; the session itself obeys the others.
    public var isForHost: Bool { rawValue > Self.holdClip.rawValue }
  }

  /// The fields in their order, each a name and what is said of it, and what the row says.
  extension ComposerEventKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .itemRemoved: (["item"], "the clip is gone for good")
      case .viewportResized: (["height", "shortEdge (unused here)"], "at start and on change")
      case .backgrounded: ([], "page hidden")
      case .woke: ([], "the time asked for by `wake` has come")
      case .currentChanged: (["item (−1: none)"], "another clip is the current one")
      case .lengthLimited: (["characters"], "the most a message may have; 500 until then")
      case .signedInChanged: (["on 0/1"], "a guest until then")
      case .messagesChanged:
        (["item", "open 0/1"], "whether the creator of the current clip can be written to")
      case .fieldFocused: ([], "the field has the focus")
      case .fieldBlurred: ([], "it lost it")
      case .fieldDismissed: ([], "Escape, back, a tap outside")
      case .textChanged:
        (["item", "characters", "blank 0/1"], "a person changed the text kept for this clip")
      case .draftRestored:
        (["item", "characters", "blank 0/1"], "storage held a text of an earlier run")
      case .textMeasured:
        (["height of the whole text", "lineHeight"], "after each change of the field's text or width")
      case .keyboardMoved: (["height"], "on-screen keyboard; 0 when it is gone")
      case .sendTapped: ([], "send, or send again")
      case .reactionTapped: (["reaction"], "a number of the host's")
      case .messageSent: (["message"], "the server has it")
      case .messageFailed: (["message", "reason (1 network, 2 refused, 3 server)"], "it has not")
      }
    }
  }

  extension ComposerCommandKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .lockFeed: (["on 0/1"], "lets no gesture move the feed")
      case .holdClip: (["on 0/1"], "holds the current clip")
      case .showBar:
        (
          [
            "access (0 open, 1 off, 2 signed out, 3 no clip)", "focused 0/1", "editable 0/1", "lines",
            "scrolls 0/1",
            "buttons (0 none, 1 reactions: nobody writes, 2 send: somebody does, and there is something to send)",
            "enabled 0/1", "delivery (0 idle, 1 sending, 2 failed, 3 refused)", "left characters",
            "showsLeft 0/1", "lift", "showsText 0/1 (else it says what it is for)",
          ], "shows the bar like this; comes only when something differs"
        )
      case .leaveField: ([], "takes the focus from the field")
      case .showText: (["item"], "puts the text kept for this clip into the field; none: empties it")
      case .storeText: (["item"], "writes that text where it outlives the app")
      case .dropText: (["item"], "forgets that text, in the field and in storage")
      case .sendMessage: (["message", "item"], "sends that text as it is now, and takes it out of the field")
      case .cancelMessage: (["message"], "gives it up; a late `messageSent` is still welcome")
      case .sendReaction: (["message", "item", "reaction"], "sends a reaction; it may fail in silence")
      case .askSignIn: ([], "a guest wants to write")
      case .noticeUnsent: (["item"], "says that a message could not be sent and its clip is gone")
      case .returnText:
        (
          ["message", "item"],
          "puts the text of that message back into the field of the clip, in front of what is there"
        )
      case .noticeReturned:
        (
          ["item"],
          "says that a message could not be sent, and waits with its clip, which is not on the screen"
        )
      }
    }
  }

#endif
