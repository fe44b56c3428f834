import Composer
import CoreTypes
import Testing

@Suite struct SendingTests {
  private var harness = ComposerHarness()
  private let clip = ItemID(1)

  @Test mutating func theFieldIsEmptyAtTheTapAndTheClipGoesOn() {
    harness.send(.fieldFocused)
    harness.type(5)
    _ = harness.take()
    harness.send(.sendTapped)
    #expect(
      harness.takeDeeds() == [
        .sendMessage(MessageID(1), clip), .leaveField, .lockFeed(false), .holdClip(false),
      ])
    harness.send(.sendTapped)
    #expect(harness.take().isEmpty, "one message at a time")
    harness.send(.messageSent(MessageID(1)))
    let bar = harness.takeBar()
    #expect(bar?.delivery == .idle && bar?.buttons == .reactions && bar?.charactersLeft == 500)
  }

  @Test mutating func aTextThatFailedComesBackAndGoesAgainAsTheSameMessage() {
    harness.type(5)
    harness.send(.sendTapped)
    var bar = harness.takeBar()
    #expect(bar?.delivery == .sending && bar?.charactersLeft == 500 && bar?.isEditable == true)
    harness.send(.messageFailed(MessageID(1), .network))
    #expect(harness.commands.first == .returnText(MessageID(1), clip))
    bar = harness.takeBar()
    #expect(bar?.delivery == .failed && bar?.charactersLeft == 495)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds() == [.sendMessage(MessageID(1), clip)])
    harness.send(.messageFailed(MessageID(1), .server))
    harness.type(6)
    #expect(harness.takeBar()?.delivery == .idle)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds() == [.sendMessage(MessageID(2), clip)], "another text, another message")
  }

  @Test mutating func aRefusedTextHasToBeChanged() {
    harness.type(5)
    harness.send(.sendTapped, .messageFailed(MessageID(1), .refused))
    #expect(harness.takeBar()?.delivery == .refused)
    harness.send(.sendTapped)
    #expect(harness.take().isEmpty)
    harness.type(4)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds().contains(.sendMessage(MessageID(2), clip)))
  }

  @Test mutating func anAnswerThatNeverComesIsGivenUpAndALateOneStillCounts() {
    harness.type(5)
    harness.send(.sendTapped)
    _ = harness.take()
    harness.wait(Composer.sendPatience)
    #expect(harness.takeDeeds() == [.cancelMessage(MessageID(1)), .returnText(MessageID(1), clip)])
    harness.send(.messageSent(MessageID(1)))
    #expect(harness.takeDeeds() == [.dropText(clip)])
  }

  @Test mutating func whatWasTypedMeanwhileStaysAndIsAMessageOfItsOwn() {
    harness.type(5)
    harness.send(.sendTapped)
    harness.type(8)
    _ = harness.take()
    harness.send(.messageSent(MessageID(1)))
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds() == [.sendMessage(MessageID(2), clip)])
  }

  @Test mutating func whatFailsStandsAboveWhatWasTypedMeanwhile() {
    harness.type(5)
    harness.send(.sendTapped)
    harness.type(8)
    _ = harness.take()
    harness.send(.messageFailed(MessageID(1), .refused))
    #expect(harness.commands.first == .returnText(MessageID(1), clip))
    let bar = harness.takeBar()
    #expect(bar?.charactersLeft == 500 - 14 && bar?.delivery == .failed)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds() == [.sendMessage(MessageID(2), clip)], "nobody has refused both together")
  }

  @Test mutating func aFailureElsewhereIsSaidAndFoundOnComingBack() {
    harness.type(5)
    harness.send(.sendTapped, .currentChanged(ItemID(2)), .fieldFocused)
    harness.type(3, on: 2)
    #expect(harness.takeBar()?.areEnabled == false, "another message is on its way")
    harness.send(.messageFailed(MessageID(1), .server))
    #expect(harness.commands.prefix(2) == [.returnText(MessageID(1), clip), .noticeReturned(clip)])
    #expect(harness.takeBar().map { [$0.areEnabled, $0.delivery == .idle] } == [true, true])
    harness.send(.currentChanged(clip))
    #expect(harness.takeBar()?.delivery == .failed)
  }

  @Test mutating func aMessageToAClipThatIsGoneIsSettledOrSaidToBeLost() {
    harness.type(5)
    harness.send(.sendTapped)
    _ = harness.take()
    harness.send(.itemRemoved(clip))
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.messageFailed(MessageID(1), .network))
    #expect(harness.takeDeeds() == [.noticeUnsent(clip)])
  }

  @Test mutating func aReactionGoesAtOnceAndNotTooOften() {
    for _ in 0..<Composer.reactionBurst { harness.send(.reactionTapped(reaction: 4)) }
    #expect(harness.takeDeeds().last == .sendReaction(MessageID(5), clip, reaction: 4))
    harness.send(.reactionTapped(reaction: 4))
    #expect(harness.take().isEmpty)
    harness.wait(Composer.reactionInterval)
    #expect(harness.takeBar()?.areEnabled == true)
    harness.send(.reactionTapped(reaction: 4), .reactionTapped(reaction: 4))
    #expect(harness.takeDeeds() == [.sendReaction(MessageID(6), clip, reaction: 4)])
  }

  @Test mutating func theRowIsClosedWhileItMayNotBeUsed() {
    for _ in 0..<Composer.reactionBurst { harness.send(.reactionTapped(reaction: 1)) }
    #expect(harness.takeBar()?.areEnabled == false)
    harness.send(.reactionTapped(reaction: 1))
    #expect(harness.take().isEmpty)
    harness.wait(Milliseconds(60_000))
    harness.send(.reactionTapped(reaction: 1))
    #expect(harness.takeDeeds() == [.sendReaction(MessageID(6), clip, reaction: 1)])
  }
}
