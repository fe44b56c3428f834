public import CoreTypes

public enum MessageOwner {}
/// A message or reaction on its way to the server, given by the core. Sending the same text again
/// after a failure uses the same one, so that the server can tell a repetition.
public typealias MessageID = Handle<MessageOwner>

extension Composer {
  public enum Event: Sendable {
    /// Another clip is the current one, or none.
    case currentChanged(ItemID?)
    /// The clip is gone for good.
    case itemRemoved(ItemID)
    /// The most characters of a message.
    case lengthLimited(characters: Int32)
    case signedInChanged(Bool)
    /// Whether the creator of the current clip can be written to; taken to be so until this says otherwise.
    case messagesChanged(ItemID, areOpen: Bool)
    /// Heights are in any unit that the host draws in, all in the same.
    case viewportResized(height: Int64)
    case keyboardMoved(height: Int64)
    case fieldFocused
    case fieldBlurred
    /// Escape, back, a tap outside: the person wants to leave the field.
    case fieldDismissed
    /// A person changed the text kept for a clip; characters as the host counts them.
    case textChanged(ItemID, characters: Int32, isBlank: Bool)
    /// A text of an earlier run was found in storage.
    case draftRestored(ItemID, characters: Int32, isBlank: Bool)
    /// What the field's whole text needs, and one line of it.
    case textMeasured(height: Int64, lineHeight: Int64)
    case sendTapped
    case reactionTapped(reaction: Int32)
    case messageSent(MessageID)
    case messageFailed(MessageID, FailureReason)
    case backgrounded
    case woke
  }

  public enum Command: Equatable, Sendable {
    /// No swipe moves the feed while this is so.
    case lockFeed(Bool)
    /// One more reason for the current clip not to play; without it the clip is as it was.
    case holdClip(Bool)
    case showBar(Bar)
    /// Takes the focus from the field.
    case leaveField
    /// Puts the text kept for this clip into the field: nothing, if none is kept.
    case showText(ItemID)
    /// Writes the text kept for this clip where it outlives the app.
    case storeText(ItemID)
    /// Forgets the text kept for this clip, in the field and in storage too.
    case dropText(ItemID)
    /// Sends the text kept for this clip, as it is now, and takes it out of the field: from here on it is the
    /// message's, kept where it outlives the app until the message has ended.
    case sendMessage(MessageID, ItemID)
    /// Puts the message's text back into the field of this clip, in front of what was typed since, and both
    /// where they outlive the app.
    case returnText(MessageID, ItemID)
    /// Gives a message up that got no answer; a late answer is still welcome.
    case cancelMessage(MessageID)
    case sendReaction(MessageID, ItemID, reaction: Int32)
    case askSignIn
    /// A message could not be sent and its clip is gone: there is nothing to try again.
    case noticeUnsent(ItemID)
    /// A message could not be sent, and its text waits with a clip that is not on the screen.
    case noticeReturned(ItemID)
  }

  public enum FailureReason: Int64, Sendable {
    case network = 1
    /// The server does not want this text; the same again is of no use.
    case refused = 2
    case server = 3
  }

  /// Everything that the input bar shows.
  public struct Bar: Equatable, Sendable {
    public var access = Access.noClip
    public var isFocused = false
    public var isEditable = false
    /// Height of the field in lines.
    public var lines: Int32 = 1
    /// There is more text than lines.
    public var scrolls = false
    public var buttons = Buttons.none
    /// Whether the buttons shown do anything.
    public var areEnabled = false
    public var delivery = Delivery.idle
    /// Negative when the text is too long.
    public var charactersLeft: Int32 = 0
    /// There are so few left that it should be said.
    public var showsCharactersLeft = false
    /// How far above the lower edge the bar stands.
    public var lift: Int64 = 0
    /// The field shows its text: somebody writes it, or it has come back. Else it says what it is for,
    /// whether or not a text is kept.
    public var showsText = false

    /// As it is before the first clip.
    public init() {}
  }

  public enum Access: Int32, Sendable {
    case open = 0
    case off = 1
    case signedOut = 2
    case noClip = 3
  }

  /// The two are never there together, so that neither takes the other's room.
  public enum Buttons: Int32, Sendable {
    /// Somebody is about to write.
    case none = 0
    /// Nobody writes, whether or not a text is kept.
    case reactions = 1
    /// Somebody writes, and there is something to send.
    case send = 2
  }

  public enum Delivery: Int32, Sendable {
    case idle = 0
    case sending = 1
    /// Sending again may help.
    case failed = 2
    case refused = 3
  }
}
