import Foundation
import Persistence
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct OutboxLifeTests {
  @Test func aTextForAServerThatWasLeftIsNotTriedAgainAndWaitsOnDisk() async {
    let folder = TemporaryFolder()
    let clock = ManualPause()
    let file = Library(root: folder.url).commentDrafts
    let viewer = SomeViewer("ada")
    let drafts = DraftBook(file, viewer: viewer, makeKey: countingKeys())
    var tries = 0
    let outbox = Outbox<String>(drafts: drafts, viewer: viewer, clock: clock) { _, _, _ in
      tries += 1
      throw Unreachable()
    }
    drafts.change("clip", to: "Hello")
    outbox.send("clip")
    await outbox.settled()
    #expect(tries == 1)
    outbox.stop()
    outbox.retry()
    await outbox.settled()
    #expect(tries == 1)
    let left = DraftBook(file, viewer: viewer, makeKey: countingKeys())
    #expect(left.away(from: "clip").map(\.text) == ["Hello"])
  }
}
