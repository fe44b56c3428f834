import Testing
import Upload

@Suite struct DirectUploadFallbackTests {
  private func rounds(_ ends: [(Upload.Reason?, Int)]) -> Bool {
    var fallback = DirectUploadFallback()
    for (failure, bytes) in ends {
      fallback.partEnded(failure, bytesLeft: bytes)
      fallback.serverAnswered()
    }
    return fallback.isTaken
  }

  @Test func threeRoundsWithoutAByteLeaveTheStorageAlone() {
    #expect(!rounds([(.network, 0), (.network, 0)]))
    #expect(rounds([(.network, 0), (.addressExpired, 1 << 20), (.network, 0)]))
  }

  @Test func aCutOnTheWayIsNoReason() {
    #expect(!rounds(Array(repeating: (.network, 1 << 20), count: 9)))
  }

  @Test func onePartThatArrivedBeginsTheCountAnew() {
    #expect(!rounds([(.network, 0), (.network, 0), (nil, 0), (.network, 0), (.network, 0)]))
  }
}
