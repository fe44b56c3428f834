import Accounts
import Contract
import FFmpeg
import Foundation
import Platform
import Profiles
import Testing
import Videos

@testable import Composition
@testable import Exports
@testable import Generation
@testable import PlatformTesting
@testable import ServerTesting

/// Pictures that clips from words start from: what is made of a stranger's file, who sees it, and when it is
/// gone.
@Suite(.everyEngine) struct GenerationPictureTests {
  private let provider: ScriptedVideos
  private let bench: GenerationBench

  init() async throws {
    provider = ScriptedVideos(takesPictures: true) { _, _ in .never }
    bench = try await GenerationBench([provider])
  }

  private var instance: Instance { bench.bench.instance }

  /// By a filter of ffmpeg.
  private func draw(_ name: String, _ source: String, _ options: String = "-frames:v 1") async throws
    -> [UInt8]
  {
    let url = bench.bench.folder.appendingPathComponent(name)
    try await bench.bench.tools.run(
      ["-f", "lavfi", "-i", source] + options.split(separator: " ").map(String.init) + ["file:" + url.path],
      in: bench.bench.folder)
    return Array(try Data(contentsOf: url))
  }

  private func picture(_ name: String = "first.png") async throws -> [UInt8] {
    try await draw(name, "testsrc=s=400x300,format=rgb24")
  }

  private func bytes(of blob: BlobName) async throws -> [UInt8] {
    let size = try #require(try await instance.media.size(blob))
    let taken = Shared<[UInt8]>([])
    try await instance.media.read(blob, range: 0..<size) { piece in taken.with { $0 += piece } }
    return taken.with { $0 }
  }

  private func ask(
    _ picture: String?, _ prompt: String = "It moves", aspect: GenerationAspect = .portrait,
    by account: String? = nil, key: String = UUID().uuidString
  ) async throws -> Generation {
    try await bench.generations.request(
      NewGeneration(prompt: prompt, seconds: 5, aspect: aspect, pictureId: picture),
      by: account ?? bench.mara, idempotencyKey: key)
  }

  private func count() async throws -> Int64 { try await bench.bench.count("generation_pictures") }

  // MARK: What is made of a file

  @Test func aPictureIsMadeAnewInEachShapeAndNothingElseIsKept() async throws {
    let file = try await picture("first.jpg")
    // A comment and a polyglot's second half.
    let comment: [UInt8] = [0xFF, 0xFE, 0, 8] + Array("SECRET".utf8)
    let told = Array(file.prefix(2)) + comment + file.dropFirst(2) + Array("<script>SECRET</script>".utf8)
    let kept = try await bench.generations.keepPicture(told, of: bench.mara)
    #expect(kept.id.utf8.count == 43)
    let shapes: [(GenerationAspect, Int, Int)] = [
      (.portrait, 720, 1280), (.square, 960, 960), (.landscape, 1280, 720),
    ]
    for (aspect, width, height) in shapes {
      let blob = try await bench.generations.picture(kept.id, of: bench.mara, as: aspect)
      let made = try await bytes(of: blob)
      let upright = try PictureFile(made).upright
      #expect(upright.width == width && upright.height == height, "\(aspect)")
      #expect(made.ranges(of: Array("SECRET".utf8)).isEmpty && made != file)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path) == [])
    // The same bytes are the same one, others are another.
    #expect(try await bench.generations.keepPicture(told, of: bench.mara).id == kept.id)
    #expect(try await bench.generations.keepPicture(file, of: bench.mara).id != kept.id)
    #expect(try await count() == 2)
  }

  @Test func ofOneThatMovesTheFirstPictureIsTaken() async throws {
    let film = try await draw("film.apng", "testsrc=s=60x60:d=1", "-f apng -plays 0")
    _ = try await bench.generations.keepPicture(film, of: bench.mara)
    #expect(try await count() == 1)
  }

  @Test func hostileFilesAreRefusedAndLeaveNothing() async throws {
    let png = try await picture()
    let jpeg = try await picture("first.jpg")
    var bomb = png
    bomb.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
    let script = #"<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>"#
    let files: [(name: String, file: [UInt8], code: ErrorCode)] = [
      ("a page", Array("<!doctype html><script>alert(1)</script>".utf8), .pictureUnreadable),
      ("30,000 times 30,000", bomb, .pictureTooLarge),
      ("cut off", Array(jpeg.prefix(jpeg.count / 2)), .pictureUnreadable),
      ("a drawing", Array(script.utf8), .pictureUnreadable),
      ("GIF", try await draw("first.gif", "color=c=red:s=60x60"), .pictureUnreadable),
      ("a page before it", Array("<!doctype html>".utf8) + png, .pictureUnreadable),
      ("nothing", [], .pictureUnreadable),
      ("too many bytes", Array(repeating: 0, count: Limits.pictureBytes + 1), .pictureTooLarge),
    ]
    for (name, file, code) in files {
      let found = await refusal { try await bench.generations.keepPicture(file, of: bench.mara) }
      #expect(found == code, "\(name)")
    }
    #expect(try await count() == 0)
    #expect(try await instance.media.list(after: nil, limit: 10).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path) == [])
  }

  // MARK: What starts from one

  @Test func aVideoStartsFromItInItsShapeAndRefiningKeepsIt() async throws {
    let id = try await bench.generations.keepPicture(try await picture(), of: bench.mara).id
    let asked = try await ask(id, aspect: .landscape, key: "the-first-one")
    #expect(asked.pictureId == id)
    #expect(try await ask(id, aspect: .landscape, key: "the-first-one").id == asked.id)
    let other = await refusal { try await ask(nil, aspect: .landscape, key: "the-first-one") }
    #expect(other == .idempotencyKeyReused)
    let refined = try await bench.generations.refine(
      asked.id, prompt: "It dances", by: bench.mara, idempotencyKey: "the-second-one")
    #expect(refined.pictureId == id)
    let none = await refusal {
      try await bench.generations.request(
        NewGeneration(prompt: "x", seconds: 5, fromClipId: "c", pictureId: id), by: bench.mara,
        idempotencyKey: "from-both-of-them")
    }
    #expect(none == .generationNotPossible)
    try await bench.work(.asking).run()
    #expect(provider.videos.count == 2)
    #expect(provider.videos.allSatisfy { $0.request.picture?.lastPathComponent == "picture.jpg" })
  }

  @Test func itNeverGoesToWhoeverTakesNone() async throws {
    let none = ScriptedVideos("none") { _, _ in .never }
    instance.makers.take([none, provider])
    #expect(try await bench.generations.offer(to: bench.mara).startsFromPictures == true)
    let id = try await bench.generations.keepPicture(try await picture(), of: bench.mara).id
    _ = try await ask(id)
    try await bench.work(.asking).run()
    #expect(none.videos.isEmpty && provider.videos.count == 1)
    instance.makers.take([none])
    #expect(try await bench.generations.offer(to: bench.mara).startsFromPictures == false)
    #expect(await refusal { try await ask(id) } == .generationNotPossible)
    let file = try await picture()
    let taken = await refusal { try await bench.generations.keepPicture(file, of: bench.mara) }
    #expect(taken == .generationNotPossible)
  }

  @Test func whoeverModeratesGetsItWithThePrompt() async throws {
    let id = try await bench.generations.keepPicture(try await picture(), of: bench.mara).id
    let blind = ScriptedModeration { _ in PromptJudgement(isFlagged: false) }
    instance.promptReview.take(blind)
    _ = try await ask(id)
    #expect(blind.pictures.with { $0 } == [nil])
    let seeing = ScriptedModeration(takesPictures: true) { _ in
      PromptJudgement(isFlagged: true, categories: ["sexual"], isOfPicture: true)
    }
    instance.promptReview.take(seeing)
    do {
      _ = try await ask(id)
      Issue.record("it was taken")
    } catch let error as AppError {
      #expect(error.code == .contentPolicy && error.field == "picture_id")
      #expect(error.message == PromptSentence.picture)
    }
    let blob = try await bench.generations.picture(id, of: bench.mara, as: .portrait)
    let shown = try await bytes(of: blob)
    #expect(seeing.pictures.with { $0 } == [shown])
    #expect(try await bench.generations.refusedPrompts(9).map(\.kind) == ["moderation"])
  }

  @Test func whoeverModeratesGetsTheCoverOfAClip() async throws {
    let folder = try await TestInstance()
    let maker = ScriptedVideos(making: try await folder.makeClip("made.mp4"), takesPictures: true)
    let bench = try await GenerationBench([maker])
    let clip = try #require(try await bench.finish(try await bench.ask("a fox")).last?.clipId)
    let seeing = ScriptedModeration(takesPictures: true) { _ in
      PromptJudgement(isFlagged: true, categories: ["sexual"], isOfPicture: true)
    }
    bench.bench.instance.promptReview.take(seeing)
    do {
      _ = try await bench.generations.request(
        NewGeneration(prompt: "the same at night", seconds: 5, fromClipId: clip), by: bench.mara,
        idempotencyKey: "again")
      Issue.record("it was taken")
    } catch let error as AppError {
      #expect(error.code == .contentPolicy && error.field == "from_clip_id")
      #expect(error.message == PromptSentence.picture)
    }
    let shown = try #require(seeing.pictures.with { $0 }.first ?? nil)
    #expect(shown.starts(with: [0xFF, 0xD8, 0xFF]))
    // Nobody is shown what is somebody else's.
    let paul = try await bench.accounts.join("paul").id
    let theirs = await refusal {
      try await bench.generations.request(
        NewGeneration(prompt: "theirs", seconds: 5, fromClipId: clip), by: paul, idempotencyKey: "theirs")
    }
    #expect(theirs == .clipNotFound && seeing.pictures.with { $0.count } == 1)
  }

  // MARK: Who sees it, and for how long

  @Test func itIsItsSendersAlone() async throws {
    let id = try await bench.generations.keepPicture(try await picture(), of: bench.mara).id
    let paul = try await bench.accounts.join("paul").id
    #expect(await refusal { try await ask(id, by: paul) } == .pictureNotFound)
    let seen = await refusal { try await bench.generations.picture(id, of: paul, as: .square) }
    #expect(seen == .pictureNotFound)
    #expect(await refusal { try await bench.generations.removePicture(id, of: paul) } == .pictureNotFound)
    // The same bytes of somebody else are somebody else's.
    let theirs = try await bench.generations.keepPicture(try await picture(), of: paul).id
    #expect(theirs != id)
    // Its bytes have no open address.
    let blob = try await bench.generations.picture(id, of: bench.mara, as: .portrait)
    #expect(try await !FeatureContext(instance).sealing.isOpen(blob))
  }

  @Test func itIsSentSeenAndTakenBackOnTheWire() async throws {
    let file = Data(try await picture())
    try await bench.bench.serving(accounts: bench.accounts) { socket async throws in
      func bearer(_ handle: String) async throws -> Bearer {
        let session = try await Client(transport: socket).signUp(NewAccount(handle))
        return Bearer(inner: socket, token: try #require(session.accessToken))
      }
      let (cleo, dora) = (try await bearer("cleo"), try await bearer("dora"))
      let own = Client(transport: cleo)
      let sent = try await own.putGenerationPicture(file, type: "image/png")
      #expect(try await own.putGenerationPicture(file, type: "image/png").id == sent.id)
      let shown = try await own.generationPicture(sent.id, aspect: .square)
      #expect(try PictureFile([UInt8](shown)).upright.width == 960)
      let place = Route.generationPicture.path(sent.id)
      let answer = try await cleo.answer("GET", place).response
      #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
      #expect(answer.headers["cache-control"]?.contains("public") != true)
      #expect(try await cleo.answer("GET", place + "?aspect=4:5").code == "invalid_parameter")
      for method in ["GET", "DELETE"] {
        #expect(try await dora.answer(method, place).code == "picture_not_found", "\(method)")
        #expect(try await socket.answer(method, place).code == "sign_in_needed", "\(method)")
      }
      let route = Route.generationPictures.path()
      #expect(try await cleo.answer("POST", route, "<svg/>", ["content-type": "image/svg+xml"]).status == 415)
      let page = try await cleo.answer("POST", route, "<html>", ["content-type": "image/png"])
      #expect(page.status == 422 && page.code == "picture_unreadable")
      let new = NewGeneration(prompt: "It moves", seconds: 5, pictureId: sent.id)
      #expect(try await own.generate(new, idempotencyKey: "the-first-one").pictureId == sent.id)
      // Something starts from it, so it stays.
      try await own.removeGenerationPicture(sent.id)
      #expect(try await cleo.answer("GET", place).status == 200)
    }
  }

  @Test func oneThatNothingStartsFromGoesAfterADayAndOneInUseWithTheLastThatDoes() async throws {
    let file = try await picture()
    let unused = try await bench.generations.keepPicture(file, of: bench.mara).id
    let used = try await bench.generations.keepPicture(try await picture("first.jpg"), of: bench.mara).id
    let asked = try await ask(used)
    bench.clock.advance(ms: Limits.unusedPictureLifeMs - 1000)
    // Sent again, its day begins anew.
    #expect(try await bench.generations.keepPicture(file, of: bench.mara).id == unused)
    bench.clock.advance(ms: 2000)
    try await bench.generations.sweep()
    #expect(try await count() == 2)
    bench.clock.advance(ms: Limits.unusedPictureLifeMs)
    try await bench.generations.sweep()
    #expect(try await count() == 1)
    #expect(await refusal { try await ask(unused) } == .pictureNotFound)
    // Cancelled, it is still in the list; discarded it is not.
    try await bench.generations.end(asked.id, by: bench.mara)
    #expect(try await count() == 1)
    try await bench.generations.end(asked.id, by: bench.mara)
    #expect(try await count() == 0)
    #expect(try await bench.bench.count("generation_picture_blobs") == 0)
  }

  @Test func ofManyThatNothingStartsFromTheOldestGo() async throws {
    let first = try await bench.generations.keepPicture(
      try await draw("0.png", "color=c=red:s=8x8"), of: bench.mara
    ).id
    for number in 1...Limits.unusedPictures {
      bench.clock.advance(ms: 1000)
      let file = try await draw("\(number).png", "color=c=red:s=8x\(8 + 2 * number)")
      _ = try await bench.generations.keepPicture(file, of: bench.mara)
    }
    #expect(try await count() == Int64(Limits.unusedPictures))
    #expect(
      await refusal { try await bench.generations.picture(first, of: bench.mara, as: .square) }
        == .pictureNotFound)
  }

  @Test func itsFilesAreKeptAsLongAsItIsAndSweptBehindIt() async throws {
    let id = try await bench.generations.keepPicture(try await picture(), of: bench.mara).id
    let later = TestTime(ms: SystemTime().nowMs + 2 * 3_600_000)
    _ = try await instance.sweep(at: later)
    #expect(try await instance.media.list(after: nil, limit: 10).count == 3)
    try await bench.generations.removePicture(id, of: bench.mara)
    _ = try await instance.sweep(at: later)
    #expect(try await instance.media.list(after: nil, limit: 10).isEmpty)
  }

  @Test func itIsInTheArchiveAndGoesWithTheAccount() async throws {
    let id = try await bench.generations.keepPicture(try await picture(), of: bench.mara).id
    _ = try await ask(id)
    let archive = try await bench.bench.export(bench.mara)
    let line = try #require(try await archive.lines("generation_pictures").first)
    #expect(line["id"] as? String == id)
    #expect(try await archive.lines("generations").first?["picture"] as? String == id)
    let files = archive.reader.manifest.files.filter { $0.role == "first_picture" }
    #expect(
      files.map(\.path).sorted()
        == ["16x9", "1x1", "9x16"].map { "media/first-pictures/\(id)-\($0).jpg" })
    try await bench.accounts.delete(bench.mara, AccountDeletion(password: NewAccount("mara").password))
    #expect(try await count() == 0)
    #expect(try await bench.bench.count("generation_picture_blobs") == 0)
  }
}
