import Playback
import Testing

@Suite struct SoundUseTests {
  private func feed(isHeard: Bool) -> SoundUse {
    var use = SoundUse()
    #expect(use.feedAsks(isHeard: isHeard) == (isHeard ? .heard : .beside))
    return use
  }

  @Test func isSetOnceForEachChange() {
    var use = feed(isHeard: true)
    #expect(use.feedAsks(isHeard: true) == nil)
    #expect(use.feedAsks(isHeard: false) == .beside)
    #expect(use.feedAsks(isHeard: true) == .heard)
  }

  @Test(arguments: [true, false]) func comesBackToTheFeedFromTheCamera(_ isHeard: Bool) {
    var use = feed(isHeard: isHeard)
    let recording = use.microphoneTaken()
    // What the feed asks for meanwhile would end the microphone's sound.
    #expect(use.feedAsks(isHeard: !isHeard) == nil)
    #expect(use.feedAsks(isHeard: isHeard) == nil)
    #expect(use.microphoneGone(recording) == (isHeard ? .heard : .beside))
  }

  @Test func aReviewIsHeardWheneverTheCameraHasLetGo() {
    for isReviewFirst in [true, false] {
      var use = feed(isHeard: true)
      let recording = use.microphoneTaken()
      let (first, second) =
        isReviewFirst
        ? (use.reviewBegan(), use.microphoneGone(recording))
        : (use.microphoneGone(recording), use.reviewBegan())
      #expect([first, second].contains(.heard))
      #expect(use.reviewEnded() == nil)
    }
  }

  @Test func aReviewGivesASilentFeedBackWhatItHad() {
    var use = feed(isHeard: false)
    #expect(use.reviewBegan() == .heard)
    #expect(use.feedAsks(isHeard: false) == nil)
    #expect(use.reviewEnded() == .beside)
    #expect(use.reviewEnded() == nil)
  }

  @Test func theEndOfOneRecordingDoesNotEndTheNext() {
    var use = feed(isHeard: true)
    let first = use.microphoneTaken()
    let second = use.microphoneTaken()
    #expect(use.microphoneGone(first) == nil)
    #expect(use.microphoneGone(second) == .heard)
    #expect(use.microphoneGone(second) == nil)
  }

  @Test func isSetAgainWhenTheSystemForgotOrRefused() {
    var use = feed(isHeard: true)
    #expect(use.wasReset() == .heard)
    use.wasRefused()
    #expect(use.feedAsks(isHeard: true) == .heard)
    let recording = use.microphoneTaken()
    #expect(use.wasReset() == nil)
    #expect(use.microphoneGone(recording) == .heard)
  }
}
