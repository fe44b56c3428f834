import Composer
import CoreTypes
import Testing

@Suite struct SendingTests {
  private var harness = ComposerHarness()
  private let clip = ItemID(1)

  @Test mutating func sendsClearsAndLetsTheClipGoOnAtOnce() {
    harness.send(.fieldFocused)
    harness.type(5)
    _ = harness.take()
    harness.send(.sendTapped)
    #expect(
      harness.takeDeeds() == [
        .storeText(clip), .sendMessage(MessageID(1), clip), .leaveField, .lockFeed(false), .holdClip(false),
      ])
    harness.send(.sendTapped)
    #expect(harness.take().isEmpty, "one message at a time")
    harness.send(.messageSent(MessageID(1)))
    #expect(harness.commands.first == .dropText(clip))
    let bar = harness.takeBar()
    #expect(bar?.delivery == .idle && bar?.buttons == .reactions)
  }

  @Test mutating func aFailedTextStaysAndGoesAgainAsTheSameMessage() {
    harness.type(5)
    harness.send(.sendTapped)
    #expect(harness.takeBar()?.delivery == .sending)
    harness.send(.messageFailed(MessageID(1), .network))
    let bar = harness.takeBar()
    #expect(bar?.delivery == .failed && bar?.areEnabled == true && bar?.isEditable == true)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds() == [.sendMessage(MessageID(1), clip)])
    harness.send(.messageFailed(MessageID(1), .server))
    harness.type(6)
    #expect(harness.takeBar()?.delivery == .idle)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds().contains(.sendMessage(MessageID(2), clip)), "another text, another message")
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
    #expect(harness.takeDeeds() == [.cancelMessage(MessageID(1))])
    harness.send(.messageSent(MessageID(1)))
    #expect(harness.takeDeeds() == [.dropText(clip)])
  }

  @Test mutating func whatWasTypedMeanwhileStays() {
    harness.type(5)
    harness.send(.sendTapped)
    harness.type(8)
    _ = harness.take()
    harness.send(.messageSent(MessageID(1)))
    #expect(harness.takeDeeds().isEmpty)
    harness.send(.sendTapped)
    #expect(harness.takeDeeds().contains(.sendMessage(MessageID(2), clip)))
  }

  @Test mutating func aFailureIsFoundOnComingBack() {
    harness.type(5)
    harness.send(.sendTapped, .currentChanged(ItemID(2)))
    harness.type(3, on: 2)
    #expect(harness.takeBar()?.areEnabled == false, "another message is on its way")
    harness.send(.messageFailed(MessageID(1), .server))
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
    #expect(harness.takeDeeds() == [.dropText(clip), .noticeUnsent(clip)])
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
    harness.type(1)
    _ = harness.take()
    harness.wait(Milliseconds(60_000))
    harness.send(.reactionTapped(reaction: 1))
    #expect(harness.takeDeeds() == [.storeText(clip)], "no reaction beside a text")
  }
}
