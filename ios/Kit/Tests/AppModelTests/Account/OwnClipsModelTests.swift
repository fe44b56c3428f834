import Contract
import Foundation
import Testing
import Transfer

@testable import AppModel

/// Pauses that a test ends, one after the other.
private struct SteppedPauses {
  let asked: AsyncStream<Duration>
  private let asking: AsyncStream<Duration>.Continuation
  private let goes: AsyncStream<Void>
  private let going: AsyncStream<Void>.Continuation

  init() {
    (asked, asking) = AsyncStream.makeStream(of: Duration.self)
    (goes, going) = AsyncStream.makeStream(of: Void.self)
  }

  func pause(_ wait: Duration) async throws {
    asking.yield(wait)
    for await _ in goes { return }
    throw CancellationError()
  }

  func end() { going.yield() }
  /// No pause ends any more: whoever waits is over.
  func stop() { going.finish() }
}

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
    #expect(model.editor.form.tags == "pier")
    model.editor.form.visibility = .private
    async let first: Void = model.editor.save()
    let lost = await bench.transport.next()
    #expect(lost.request.headers["content-type"] == "application/merge-patch+json")
    #expect(String(decoding: lost.request.body ?? Data(), as: UTF8.self) == #"{"visibility":"private"}"#)
    lost.fail(.timedOut)
    await first
    #expect(model.editor.failure != nil)
    #expect(model.editor.form.visibility == .private)
    async let second: Void = model.editor.save()
    await bench.transport.next().answer(
      200,
      UploadStatus(
        id: "u", state: .published, offset: 1, sizeBytes: 1, expiresAt: nil,
        details: ClipDetails(caption: "Dawn", tags: ["pier"], visibility: .private),
        parts: PartLimits(minimumBytes: 1, maximumBytes: 2)))
    await second
    #expect(model.editor.subject == nil)
    #expect(model.list.items[0].visibility == .private)
  }

  @Test func onlyAPublishedClipHasInsightsAndItsUploadIsKnownOnceItIsWatched() async throws {
    let bench = try await AccountBench.member()
    let model = bench.model.clips
    await listed(bench, clip)
    var making = clip
    making.state = .processing
    model.openInsights(of: making)
    #expect(bench.insights.isEmpty)
    model.openInsights(of: clip)
    #expect(bench.insights == ["c Dawn"])
    async let watched: Void = model.watch(clip)
    await bench.transport.next().answer(200, shownClip("c"))
    await watched
    #expect(bench.opened == ["c"] && bench.owned == ["c u"])
  }

  @Test func nothingChangedIsNotSent() async throws {
    let bench = try await AccountBench.member()
    await listed(bench, clip)
    bench.model.clips.edit(clip)
    await bench.model.clips.editor.save()
    #expect(bench.model.clips.editor.subject == nil)
    #expect(bench.transport.count == 2)
  }

  @Test func aCaptionThatIsTooLongIsNotSent() async throws {
    let bench = try await AccountBench.member()
    await listed(bench, clip)
    bench.model.clips.edit(clip)
    bench.model.clips.editor.form.caption = String(repeating: "x", count: 301)
    await bench.model.clips.editor.save()
    #expect(bench.model.clips.editor.failure != nil)
    #expect(bench.transport.count == 2)
  }

  @Test func anotherCoverIsShownOnceItIsCut() async throws {
    let sign = try await SignInBench.signedIn()
    let pauses = SteppedPauses()
    let model = OwnClipsModel(client: sign.client, pause: pauses.pause)
    var old = clip
    old.picture = Cover(url: "/old.jpg", width: 9, height: 16, placeholder: "")
    async let begun: Void = model.list.begin()
    await sign.transport.next().answer(200, OwnClipPage(items: [old], nextCursor: nil))
    await begun
    model.edit(old)
    model.editor.form.coverMs = 2_000
    async let saved: Void = model.editor.save()
    let change = await sign.transport.next()
    #expect(String(decoding: change.request.body ?? Data(), as: UTF8.self) == #"{"cover_ms":2000}"#)
    change.answer(
      200,
      UploadStatus(
        id: "u", state: .published, offset: 1, sizeBytes: 1, expiresAt: nil,
        details: ClipDetails(caption: "Dawn", tags: ["pier"], visibility: .public, coverMs: 2_000),
        parts: PartLimits(minimumBytes: 1, maximumBytes: 2)))
    await saved
    let following = Task { await model.follow() }
    var waits = pauses.asked.makeAsyncIterator()
    _ = await waits.next()
    for url in ["/old.jpg", "/new.jpg"] {
      #expect(model.list.items[0].picture?.url == "/old.jpg")
      var now = clip
      now.picture = Cover(url: url, width: 9, height: 16, placeholder: "")
      pauses.end()
      await sign.transport.next().answer(200, OwnClipPage(items: [now], nextCursor: nil))
      _ = await waits.next()
    }
    #expect(model.list.items[0].picture?.url == "/new.jpg")
    // Then nothing is asked any more.
    let asked = sign.transport.count
    pauses.end()
    _ = await waits.next()
    #expect(sign.transport.count == asked)
    pauses.stop()
    await following.value
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
    let pauses = SteppedPauses()
    let model = OwnClipsModel(client: sign.client, pause: pauses.pause)
    var making = clip
    (making.state, making.permille) = (.processing, 300)
    async let begun: Void = model.list.begin()
    await sign.transport.next().answer(200, OwnClipPage(items: [making], nextCursor: nil))
    await begun
    let following = Task { await model.follow() }
    var waits = pauses.asked.makeAsyncIterator()
    #expect(await waits.next() == .seconds(2))
    pauses.end()
    await sign.transport.next().answer(200, OwnClipPage(items: [clip], nextCursor: nil))
    #expect(await waits.next() == .seconds(3))
    #expect(model.list.items[0].state == .published)
    // Nothing is being made: nothing is asked.
    pauses.end()
    _ = await waits.next()
    #expect(sign.transport.count == 3)
    pauses.stop()
    await following.value
  }

  @Test func whatWasAskedBeforeAChangeDoesNotTakeItBack() async throws {
    let sign = try await SignInBench.signedIn()
    let pauses = SteppedPauses()
    let model = OwnClipsModel(client: sign.client, pause: pauses.pause)
    var making = clip
    making.state = .processing
    async let begun: Void = model.list.begin()
    await sign.transport.next().answer(200, OwnClipPage(items: [making], nextCursor: nil))
    await begun
    let following = Task { await model.follow() }
    var waits = pauses.asked.makeAsyncIterator()
    _ = await waits.next()
    pauses.end()
    let old = await sign.transport.next()
    model.edit(making)
    model.editor.form.visibility = .private
    async let saved: Void = model.editor.save()
    await sign.transport.next().answer(
      200,
      UploadStatus(
        id: "u", state: .published, offset: 1, sizeBytes: 1, expiresAt: nil,
        details: ClipDetails(caption: "Dawn", tags: ["pier"], visibility: .private),
        parts: PartLimits(minimumBytes: 1, maximumBytes: 2)))
    await saved
    old.answer(200, OwnClipPage(items: [making], nextCursor: nil))
    _ = await waits.next()
    #expect(model.list.items[0].visibility == .private)
    pauses.stop()
    await following.value
  }
}
