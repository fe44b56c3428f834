import Contract
import Feed
import Foundation
import Platform
import Testing
import Uploads
import Videos

@testable import Composition
@testable import Generation
@testable import PlatformTesting
@testable import ServerTesting

/// Nobody has credits and a clip: whose credits come back has no clip, whenever it ends. And what others were
/// shown stays.
@Suite(.everyEngine) struct GenerationEndingTests {
  /// Somebody does something while its file comes.
  private struct Meddled: VideoProvider {
    let inner: ScriptedVideos
    let meanwhile: @Sendable () async throws -> Void
    var name: String { inner.name }
    var capabilities: VideoCapabilities { inner.capabilities }
    func create(_ request: VideoRequest, key: String) async throws -> String {
      try await inner.create(request, key: key)
    }
    func status(of id: String) async throws -> VideoStatus { try await inner.status(of: id) }
    func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
      try await inner.content(of: id, into: file, atMost: bytes)
      try await meanwhile()
    }
    func cancel(_ id: String) async throws { try await inner.cancel(id) }
  }

  /// Without conversions.
  private func pass(_ bench: GenerationBench, _ generations: Generations? = nil) async throws {
    try await bench.work(.asking, generations).run()
    try await bench.work(.storing, generations).run()
    bench.clock.advance(ms: 2000)
  }

  /// By the same clock, since it says until when a clip can be had back.
  private func uploads(_ bench: GenerationBench) -> Uploads {
    bench.bench.instance.uploads(UploadRules(), time: bench.clock)
  }

  private func own(_ bench: GenerationBench) async throws -> [OwnClip] {
    try await uploads(bench).ownClips(of: bench.mara, cursor: nil, limit: 9).items
  }

  /// One whose clip is being made, and the upload of that.
  private func storing() async throws -> (GenerationBench, asked: Generation, upload: String) {
    let folder = try await TestInstance()
    let bench = try await GenerationBench([ScriptedVideos(making: try await folder.makeClip("made.mp4"))])
    let asked = try await bench.ask()
    for _ in 0..<9 where try await own(bench).isEmpty { try await pass(bench) }
    let upload = try #require(try await own(bench).first?.uploadId)
    #expect(try await bench.shown(asked).state == .storing)
    #expect(try await bench.left() == 55)
    return (bench, asked, upload)
  }

  /// It is cancelled, its credits are there, and its clip is nobody's.
  private func requireNothing(_ bench: GenerationBench, _ asked: Generation, _ upload: String) async throws {
    #expect(try await bench.shown(asked).state == .cancelled)
    #expect(try await bench.sums() == ["available": 60, "held": 0, "issued": -60])
    #expect(try await own(bench).isEmpty)
    let kept = uploads(bench)
    #expect(await refusal { try await kept.restoreClip(of: upload) } == .uploadNotFound)
    try await kept.sweep()
    #expect(try await bench.bench.instance.clips.count() == 0)
  }

  @Test func whatIsCancelledWhileItsClipIsMadeCannotBeHadBack() async throws {
    let (bench, asked, upload) = try await storing()
    try await bench.generations.end(asked.id, by: bench.mara)
    try await requireNothing(bench, asked, upload)
  }

  @Test func whatIsCancelledAfterItsDraftWasDeletedCannotBeHadBackEither() async throws {
    let (bench, asked, upload) = try await storing()
    #expect(try await uploads(bench).removeClip(of: upload).state == .removed)
    try await bench.generations.end(asked.id, by: bench.mara)
    try await requireNothing(bench, asked, upload)
  }

  @Test func aDraftThatIsDeletedWhileItIsMadeCannotBeHadBackOnceItsCreditsAreThere() async throws {
    let (bench, asked, upload) = try await storing()
    #expect(try await uploads(bench).removeClip(of: upload).state == .removed)
    try await pass(bench)
    try await requireNothing(bench, asked, upload)
  }

  @Test func whatTheOperatorStopsWhileItsClipIsMadeCannotBeHadBack() async throws {
    let (bench, asked, upload) = try await storing()
    #expect(try await bench.generations.stopAll() == 1)
    try await requireNothing(bench, asked, upload)
  }

  @Test func whatIsCancelledWhileItsFileComesBecomesNoClip() async throws {
    let folder = try await TestInstance()
    let bench = try await GenerationBench([])
    let id = Shared("")
    let (generations, mara) = (bench.generations, bench.mara)
    let provider = Meddled(inner: ScriptedVideos(making: try await folder.makeClip("made.mp4"))) {
      try await generations.end(id.with { $0 }, by: mara)
    }
    bench.bench.instance.makers.take([provider])
    let asked = try await bench.ask()
    id.with { $0 = asked.id }
    for _ in 0..<4 { try await pass(bench) }
    #expect(try await bench.shown(asked).state == .cancelled)
    #expect(try await own(bench).isEmpty)
    #expect(try await bench.bench.instance.clips.count() == 0)
    #expect(try await bench.sums() == ["available": 60, "held": 0, "issued": -60])
  }

  @Test func whatIsCancelledWhileItIsTakenInIsDiscardedByWhoeverTookItIn() async throws {
    let bench = try await GenerationBench([ScriptedVideos()])
    let asked = try await bench.ask()
    let (others, mara) = (bench.bare(), bench.mara)
    let drafts = NamedDrafts(meanwhile: { try await others.end(asked.id, by: mara) })
    let generations = bench.bare(drafts: drafts)
    for _ in 0..<4 { try await pass(bench, generations) }
    #expect(try await bench.shown(asked).state == .cancelled)
    #expect(drafts.taken.with { $0 } == ["generation-\(asked.id)-1"])
    #expect(drafts.discarded.with { $0 } == ["upload-generation-\(asked.id)-1"])
    #expect(try await bench.left() == 60)
  }

  @Test func whatAnotherWorkerGoesOnWithIsNotDiscardedByOneThatLostIt() async throws {
    let bench = try await GenerationBench([ScriptedVideos()])
    let asked = try await bench.ask()
    let (clock, other) = (bench.clock, bench.work(.storing, bench.bare()))
    let drafts = NamedDrafts(meanwhile: {
      clock.advance(ms: Generations.leaseMs + 1)
      try await other.run()
    })
    let generations = bench.bare(drafts: drafts)
    for _ in 0..<5 { try await pass(bench, generations) }
    #expect(try await bench.shown(asked).state == .ready)
    #expect(drafts.taken.with { $0 } == ["generation-\(asked.id)-1"])
    #expect(drafts.discarded.with { $0 }.isEmpty)
  }

  @Test func aDraftThatItsOwnerShowedAsAnyClipOfTheirsStays() async throws {
    let folder = try await TestInstance()
    let bench = try await GenerationBench([ScriptedVideos(making: try await folder.makeClip("made.mp4"))])
    let made = try #require(try await bench.finish(try await bench.ask()).last)
    let (clip, upload) = (try #require(made.clipId), try #require(made.uploadId))
    _ = try await uploads(bench).describe(upload, ClipDetails(visibility: .public))
    try await bench.generations.end(made.id, by: bench.mara)
    #expect(try await bench.generations.page(of: bench.mara, cursor: nil, limit: 9).items.isEmpty)
    let feed = try await bench.bench.instance.feed(.open)
    #expect(try await feed.page(cursor: nil, limit: 9).items.map(\.id) == [clip])
    #expect(try await own(bench).map(\.uploadId) == [upload])
  }
}
