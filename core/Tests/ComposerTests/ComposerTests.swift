import Composer
import CoreTypes
import Testing

@Suite struct ComposerTests {
  private var harness = ComposerHarness()
  private let clip = ItemID(1)

  @Test mutating func writingHoldsTheClipAndLeavingGivesItBack() {
    harness.send(.fieldFocused)
    #expect(harness.takeDeeds() == [.lockFeed(true), .holdClip(true)])
    harness.send(.backgrounded)
    #expect(harness.takeDeeds().isEmpty, "a page in the background does not end the writing")
    harness.send(.fieldBlurred)
    #expect(harness.takeDeeds() == [.lockFeed(false), .holdClip(false)])
  }

  @Test mutating func escapeBackAndATapOutsideLeaveTheField() {
    harness.send(.fieldDismissed)
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.fieldFocused, .fieldDismissed)
    #expect(
      harness.takeDeeds() == [
        .lockFeed(true), .holdClip(true), .leaveField, .lockFeed(false), .holdClip(false),
      ])
    harness.send(.fieldBlurred)
    #expect(harness.takeDeeds().isEmpty, "the host's report of it is no second leave")
  }

  @Test mutating func aClipThatGoesAwayEndsTheWriting() {
    harness.send(.fieldFocused)
    harness.type(3)
    _ = harness.take()
    harness.send(.currentChanged(ItemID(2)))
    #expect(
      harness.takeDeeds() == [
        .leaveField, .storeText(clip), .lockFeed(false), .holdClip(false), .showText(ItemID(2)),
      ])
    harness.send(.currentChanged(clip), .fieldFocused)
    _ = harness.take()
    harness.send(.itemRemoved(clip))
    #expect(
      harness.takeDeeds() == [.leaveField, .lockFeed(false), .holdClip(false), .dropText(clip)])
  }

  @Test mutating func growsToFiveLinesThenScrolls() {
    harness.send(.fieldFocused)
    harness.type(200)
    for (height, lines, scrolls): (Int64, Int32, Bool) in [
      (20, 1, false), (41, 2, false), (79, 4, false), (100, 5, false), (121, 5, true),
    ] {
      harness.send(.textMeasured(height: height, lineHeight: 20))
      if let bar = harness.takeBar() { #expect(bar.lines == lines && bar.scrolls == scrolls) }
    }
    harness.type(0)
    #expect(harness.takeBar()?.lines == 1)
  }

  @Test mutating func takesAtMostHalfOfWhatTheKeyboardLeaves() {
    harness.type(200)
    harness.send(
      .viewportResized(height: 360), .keyboardMoved(height: 240),
      .textMeasured(height: 100, lineHeight: 20), .fieldFocused)
    #expect(harness.takeBar().map { [$0.lift, Int64($0.lines)] } == [240, 3])
    harness.send(.fieldBlurred)
    #expect(harness.takeBar().map { [$0.lift, Int64($0.lines)] } == [0, 1], "the clip has its room again")
  }

  @Test mutating func showsReactionsWhileNobodyWritesWhetherOrNotATextIsKept() {
    harness.type(7)
    var bar = harness.takeBar()
    #expect(bar?.buttons == .reactions && bar?.areEnabled == true)
    harness.send(.reactionTapped(reaction: 2))
    #expect(harness.takeDeeds() == [.sendReaction(MessageID(1), clip, reaction: 2)])
    harness.send(.fieldFocused, .fieldBlurred)
    bar = harness.takeBar()
    #expect(bar?.buttons == .reactions && bar?.isFocused == false)
  }

  @Test mutating func theFieldSaysWhatItIsForUnlessSomebodyWritesOrATextCameBack() {
    harness.type(7)
    harness.send(.textMeasured(height: 60, lineHeight: 20), .reactionTapped(reaction: 0))
    var bar = harness.takeBar()
    #expect(bar?.showsText == false && bar?.lines == 1)
    harness.send(.fieldFocused)
    bar = harness.takeBar()
    #expect(bar?.showsText == true && bar?.lines == 3)
    harness.send(.sendTapped)
    #expect(harness.takeBar()?.showsText == false)
    harness.send(.messageFailed(MessageID(2), .network))
    #expect(harness.takeBar()?.showsText == true)
  }

  @Test mutating func whereTheCreatorCannotBeWrittenToReactionsStay() {
    harness.send(.messagesChanged(clip, areOpen: false))
    let bar = harness.takeBar()
    #expect(bar?.access == .off && bar?.buttons == .reactions && bar?.areEnabled == true)
    harness.send(.reactionTapped(reaction: 3))
    #expect(harness.takeDeeds() == [.sendReaction(MessageID(1), clip, reaction: 3)])
  }

  @Test mutating func theReactionsAreGoneWithTheFocusAndThePlaneComesWithTheText() {
    harness.send(.fieldFocused)
    #expect(harness.takeBar()?.buttons == Composer.Buttons.none)
    harness.type(1, isBlank: true)
    #expect(harness.takeBar()?.buttons == Composer.Buttons.none, "blanks are nothing to send")
    harness.type(2)
    var bar = harness.takeBar()
    #expect(bar?.buttons == .send && bar?.areEnabled == true)
    harness.send(.reactionTapped(reaction: 0))
    #expect(harness.take().isEmpty, "no reaction while somebody writes")
    harness.type(0)
    bar = harness.takeBar()
    #expect(bar?.buttons == Composer.Buttons.none)
  }

  @Test mutating func saysHowManyCharactersAreLeftAndRefusesTooMany() {
    harness.send(.lengthLimited(characters: 100), .fieldFocused)
    harness.type(40)
    #expect(harness.takeBar()?.showsCharactersLeft == false)
    harness.type(100)
    var bar = harness.takeBar()
    #expect(bar?.showsCharactersLeft == true && bar?.charactersLeft == 0 && bar?.areEnabled == true)
    harness.type(101)
    bar = harness.takeBar()
    #expect(bar?.charactersLeft == -1 && bar?.areEnabled == false)
    _ = harness.take()
    harness.send(.sendTapped)
    #expect(harness.take().isEmpty)
  }

  @Test mutating func neitherTheSignedOutNorAClosedInboxTakeTheFocus() {
    harness.send(.messagesChanged(ItemID(9), areOpen: false))
    #expect(harness.take().isEmpty, "of another clip")
    harness.send(.fieldFocused, .messagesChanged(clip, areOpen: false))
    #expect(
      harness.takeDeeds() == [
        .lockFeed(true), .holdClip(true), .leaveField, .lockFeed(false), .holdClip(false),
      ])
    harness.send(.fieldFocused)
    #expect(harness.takeDeeds() == [.leaveField])
    var guest = ComposerHarness(isSignedIn: false)
    guest.send(.fieldFocused)
    #expect(guest.takeDeeds() == [.leaveField, .askSignIn])
    guest.send(.reactionTapped(reaction: 1))
    #expect(guest.take().isEmpty)
  }

  @Test mutating func storesATextSoonAfterItWasTyped() {
    harness.type(1)
    harness.wait(Milliseconds(600))
    harness.type(2)
    #expect(harness.takeDeeds().isEmpty)
    harness.wait(Milliseconds(400))
    #expect(harness.takeDeeds() == [.storeText(clip)])
    harness.wait(Milliseconds(60_000))
    #expect(harness.take().isEmpty)
    harness.type(3)
    harness.send(.backgrounded)
    #expect(harness.takeDeeds() == [.storeText(clip)])
    harness.type(0)
    #expect(harness.takeDeeds() == [.dropText(clip)])
  }

  @Test mutating func eachClipKeepsItsDraft() {
    harness.type(7)
    harness.send(.currentChanged(ItemID(2)))
    #expect(harness.takeBar()?.buttons == .reactions)
    harness.send(.currentChanged(clip))
    #expect(harness.takeDeeds() == [.showText(clip)])
    harness.send(.sendTapped)
    #expect(harness.takeDeeds() == [.sendMessage(MessageID(1), clip)])
  }

  @Test mutating func aStoredDraftComesBackUnlessSomebodyTypes() {
    harness.send(.draftRestored(clip, characters: 4, isBlank: false))
    #expect(harness.takeDeeds() == [.showText(clip)])
    harness.type(9)
    harness.send(.draftRestored(clip, characters: 4, isBlank: false))
    #expect(harness.takeDeeds().isEmpty)
  }

  @Test mutating func theOldestOfTooManyDraftsIsGivenUp() {
    for item in 1...Int32(Composer.draftLimit + 1) { harness.type(1, on: item) }
    #expect(
      harness.take().filter { if case .dropText = $0 { true } else { false } } == [.dropText(ItemID(2))],
      "the current clip's text stays although it is the oldest")
  }
}
