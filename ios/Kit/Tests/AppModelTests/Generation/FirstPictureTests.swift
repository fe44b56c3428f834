import Contract
import Foundation
import Persistence
import Testing

@testable import AppModel

/// The picture that a new clip begins with.
@MainActor @Suite struct FirstPictureTests {
  private let bench = GenerationBench()
  private let clip = OwnClip(uploadId: "u", clipId: "c", state: .published, createdAt: epoch, caption: "")

  @Test func whatIsChosenIsSentShownAndAskedForWithTheWish() async {
    let wish = await bench.wish()
    #expect(wish.startsFromPictures && wish.picture.id == nil)
    await wish.picture.put(Data(repeating: 1, count: 7))
    #expect(wish.picture.id == "p7" && !wish.picture.isSending && wish.picture.failure == nil)
    await wish.picture.look(as: .square)
    let shown = wish.picture.shown.map { String(decoding: $0, as: UTF8.self) }
    #expect(shown == "/api/v1/generation-pictures/p7?aspect=1%3A1")
    wish.form[.prompt] = "It moves"
    await wish.send()
    #expect(bench.server.wishes.map(\.pictureId) == ["p7"])
    #expect(wish.picture.id == nil && bench.server.pictures == ["p7"], "the clip has it")
  }

  @Test func itOutlivesTheApp() async {
    let wish = await bench.wish()
    await wish.picture.put(Data(repeating: 1, count: 7))
    bench.drafts.store()
    await bench.restart()
    let later = await bench.wish()
    #expect(later.picture.id == "p7" && later.picture.shown == nil)
    later.picture.leaveOut()
    #expect(later.picture.id == nil)
    #expect(await soon { bench.server.pictures.isEmpty })
  }

  @Test func itBeginsWithAClipOrWithAPictureTheOneThatWasChosenLast() async {
    let wish = await bench.wish()
    wish.begin(with: clip)
    await wish.picture.put(Data(repeating: 1, count: 7))
    #expect(wish.fromClip == nil && wish.picture.id == "p7")
    wish.begin(with: clip)
    #expect(wish.fromClip == "c" && wish.picture.id == nil)
  }

  @Test func anotherPictureTakesThePlaceOfTheOneBefore() async {
    let wish = await bench.wish()
    await wish.picture.put(Data(repeating: 1, count: 7))
    await wish.picture.put(Data(repeating: 1, count: 8))
    #expect(wish.picture.id == "p8")
    #expect(await soon { bench.server.pictures == ["p8"] })
    // The same once more is the same one.
    await wish.picture.put(Data(repeating: 2, count: 8))
    #expect(wish.picture.id == "p8" && bench.server.pictures == ["p8"])
  }

  @Test func whatIsRefusedSaysWhyAndChangesNothing() async {
    let wish = await bench.wish()
    await wish.picture.put(Data(repeating: 1, count: 7))
    await wish.picture.put(nil)
    #expect(wish.picture.failure == "This is no picture that this device can read.")
    bench.server.change {
      $0.refusals["POST /api/v1/generation-pictures"] = Problem(.pictureTooLarge, requestID: "r")
    }
    await wish.picture.put(Data([1]))
    #expect(wish.picture.failure?.key == ErrorCode.pictureTooLarge.message && wish.picture.id == "p7")
  }

  @Test func oneThatIsGoneIsChosenNoMore() async {
    let wish = await bench.wish()
    await wish.picture.put(Data(repeating: 1, count: 7))
    bench.server.change { $0.pictures = [] }
    await wish.picture.look(as: .portrait)
    #expect(wish.picture.id == nil && wish.picture.failure?.key == ErrorCode.pictureNotFound.message)
    await wish.picture.put(Data(repeating: 1, count: 7))
    #expect(wish.picture.failure == nil)
    wish.form[.prompt] = "It moves"
    bench.server.change {
      $0.refusals["POST /api/v1/generations"] = Problem(.pictureNotFound, requestID: "r")
    }
    await wish.send()
    #expect(wish.picture.id == nil && wish.form[.prompt] == "It moves" && bench.server.wishes.isEmpty)
  }

  @Test func whereNoneCanBeginWithAPictureAnyMoreNoneIsAskedFor() async {
    let wish = await bench.wish()
    await wish.picture.put(Data(repeating: 1, count: 7))
    bench.server.change { $0.offer.startsFromPictures = nil }
    await wish.offer.load()
    wish.form[.prompt] = "A fox"
    await wish.send()
    #expect(bench.server.wishes.map(\.pictureId) == [nil])
  }
}
