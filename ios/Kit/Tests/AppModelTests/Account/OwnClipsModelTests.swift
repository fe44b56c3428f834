import Contract
import Foundation
import Testing
import Transfer

@testable import AppModel

@MainActor @Suite struct OwnClipsModelTests {
  private let clip = OwnClip(
    uploadId: "u", clipId: "c", state: .published, createdAt: epoch, caption: "Dawn", tags: ["pier"])

  private func listed(_ bench: AccountBench, _ clips: OwnClip...) async {
    async let begun: Void = bench.model.clips.list.begin()
    await bench.transport.next().answer(200, OwnClipPage(items: clips, nextCursor: nil))
    await begun
  }

  @Test func onlyWhatWasChangedIsSent() async throws {
    let bench = try await AccountBench.member()
    let model = bench.model.clips
    await listed(bench, clip)
    model.edit(clip)
    #expect(model.form.tags == "pier")
    model.form.visibility = .private
    async let first: Void = model.save()
    let lost = await bench.transport.next()
    #expect(lost.request.headers["content-type"] == "application/merge-patch+json")
    #expect(String(decoding: lost.request.body ?? Data(), as: UTF8.self) == #"{"visibility":"private"}"#)
    lost.fail(.timedOut)
    await first
    #expect(model.formFailure != nil)
    #expect(model.form.visibility == .private)
    async let second: Void = model.save()
    await bench.transport.next().answer(
      200,
      UploadStatus(
        id: "u", state: .published, offset: 1, sizeBytes: 1, expiresAt: nil,
        details: ClipDetails(caption: "Dawn", tags: ["pier"], visibility: .private),
        parts: PartLimits(minimumBytes: 1, maximumBytes: 2)))
    await second
    #expect(model.edited == nil)
    #expect(model.list.items[0].visibility == .private)
  }

  @Test func nothingChangedIsNotSent() async throws {
    let bench = try await AccountBench.member()
    await listed(bench, clip)
    bench.model.clips.edit(clip)
    await bench.model.clips.save()
    #expect(bench.model.clips.edited == nil)
    #expect(bench.transport.count == 2)
  }

  @Test func aCaptionThatIsTooLongIsNotSent() async throws {
    let bench = try await AccountBench.member()
    await listed(bench, clip)
    bench.model.clips.edit(clip)
    bench.model.clips.form.caption = String(repeating: "x", count: 301)
    await bench.model.clips.save()
    #expect(bench.model.clips.formFailure != nil)
    #expect(bench.transport.count == 2)
  }

  @Test func aDeletedClipLeavesTheFeedAndComesBack() async throws {
    let bench = try await AccountBench.member()
    let model = bench.model.clips
    await listed(bench, clip)
    async let deleted: Void = model.delete(clip)
    let parked = await bench.transport.next()
    #expect(model.isBusy(clip))
    var gone = clip
    gone.state = .removed
    parked.answer(200, gone)
    await deleted
    #expect(model.list.items[0].state == .removed)
    #expect(bench.removals.count == 1)
    async let restored: Void = model.restore(gone)
    await bench.transport.next().answer(200, clip)
    await restored
    #expect(model.list.items[0].state == .published)
  }

  @Test func whatIsBeingMadeIsAskedAfterUntilItIsThere() async throws {
    let sign = try await SignInBench.signedIn()
    let (pauses, pausing) = AsyncStream.makeStream(of: Duration.self)
    let (goes, going) = AsyncStream.makeStream(of: Void.self)
    let model = OwnClipsModel(client: sign.client) { wait in
      pausing.yield(wait)
      for await _ in goes { return }
      throw CancellationError()
    }
    var making = clip
    (making.state, making.permille) = (.processing, 300)
    async let begun: Void = model.list.begin()
    await sign.transport.next().answer(200, OwnClipPage(items: [making], nextCursor: nil))
    await begun
    let following = Task { await model.follow() }
    var waits = pauses.makeAsyncIterator()
    #expect(await waits.next() == .seconds(2))
    going.yield()
    await sign.transport.next().answer(200, OwnClipPage(items: [clip], nextCursor: nil))
    #expect(await waits.next() == .seconds(3))
    #expect(model.list.items[0].state == .published)
    // Nothing is being made: nothing is asked.
    going.yield()
    _ = await waits.next()
    #expect(sign.transport.count == 3)
    going.finish()
    await following.value
  }
}
