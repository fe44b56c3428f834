import Contract
import Foundation
import LocalBlobs
import Logging
import Platform
import Testing
import Transcoding
import Videos

@testable import Captions
@testable import Composition
@testable import FFmpeg
@testable import Options
@testable import PlatformTesting
@testable import ServerTesting

/// An operator's program makes captions, or fails in every way that programs do.
@Suite(.everyEngine) struct CaptionerTests {
  let folder: URL
  let bench: TestInstance

  init() async throws {
    bench = try await TestInstance()
    folder = bench.folder.appendingPathComponent("captioner")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The program is a shell script, which gets the file and the language as its arguments.
  private func instance(
    _ script: String, seconds: Int = 60, arguments: String = "{file} {language}"
  ) async throws -> Instance {
    let program = folder.appendingPathComponent("captioner")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let captioner = try OperatorCaptioner(
      command: try #require(CommandLineWords.split("'\(program.path)' \(arguments)")),
      language: try #require(LanguageTag("de")), seconds: seconds, memoryMegabytes: 2048, tools: bench.tools)
    return try await bench.another(captioner: captioner)
  }

  private func take(
    _ instance: Instance, sound: Bool = true, seconds: Double = 1.2
  ) async throws -> String {
    let file = try await bench.makeClip("a.mp4", seconds: seconds, sound: sound)
    let outcome = try await instance.intake.take(
      fileAt: file, caption: nil, authorHandle: "me", authorName: "Me")
    guard case .accepted(let id) = outcome else { throw AppError(.internalError) }
    while try await instance.worker(tools: bench.tools).runNext() {}
    return id
  }

  private func caption(_ instance: Instance) async throws {
    let worker = try #require(instance.captionWorker())
    while try await worker.runNext() {}
  }

  @Test func aClipWithSoundGetsCaptionsOfItsOwn() async throws {
    let seen = folder.appendingPathComponent("seen").path
    let instance = try await instance(
      """
      cp "$1" '\(seen).wav'; echo "$2" "$CLIPFEED_S3_SECRET_KEY" "$HOME" > '\(seen)'
      printf '1\\n00:00:00,100 --> 00:00:01,000\\nHallo <b>Welt</b>\\n'
      """)
    let id = try await take(instance)
    #expect(try await instance.captions.list(of: id).isEmpty)
    try await caption(instance)
    let track = try #require(try await bench.shown(id).playback.captions?.first)
    #expect(track.automatic && track.language == "de" && track.label == "Deutsch")
    let text = String(decoding: try await Whole.content(track.url, instance), as: UTF8.self)
    #expect(text.hasSuffix("\n\n00:00:00.100 --> 00:00:01.000\nHallo <b>Welt</b>\n"))
    // What the program was given.
    let (_, probe) = try Shell.run(
      "/usr/bin/ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name,sample_rate,channels:format=duration", "-of",
        "csv", seen + ".wav",
      ])
    #expect(probe.contains("stream,pcm_s16le,16000,1"))
    let seconds = probe.split(separator: ",").last.flatMap { Double($0.filter { $0 != "\n" }) } ?? 0
    #expect(abs(seconds - 1.2) < 0.06)
    let told = try String(contentsOfFile: seen, encoding: .utf8)
    #expect(told.hasPrefix("de  /"))
    // Players of playlists find them too, and nothing is left behind.
    while try await instance.worker(tools: bench.tools).runNext() {}
    let master = try await Whole.content(try await bench.shown(id).playback.hlsUrl, instance)
    #expect(String(decoding: master, as: UTF8.self).contains("LANGUAGE=\"de\""))
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path).isEmpty)
    #expect(try await instance.queue.open().isEmpty)
  }

  @Test func silentClipsAndThoseWithCaptionsOfAPersonAreLeftAlone() async throws {
    let script = "touch '\(folder.path)/ran'; printf 'WEBVTT\\n\\n00:00.000 --> 00:01.000\\nHi\\n'"
    let instance = try await instance(script)
    let silent = try await take(instance, sound: false)
    let id = try await take(instance)
    let mine = try await instance.captions.put(
      Array(CaptionTests.webVTT.utf8), to: id, language: "en", label: nil)
    try await caption(instance)
    #expect(try await instance.captions.list(of: id) == [mine])
    #expect(try await instance.captions.list(of: silent).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("ran").path))
  }

  @Test func aPersonsCaptionsReplaceThoseOfTheProgramAlsoWhileItWorks() async throws {
    let go = folder.appendingPathComponent("go").path
    let instance = try await instance(
      "touch '\(go).waits'; while [ ! -e '\(go)' ]; do sleep 0.02; done; printf 'WEBVTT\\n\\n00:00.000 --> 00:01.000\\nMachine\\n'"
    )
    let id = try await take(instance)
    async let work: Void = caption(instance)
    while !FileManager.default.fileExists(atPath: go + ".waits") { await Task.yield() }
    let mine = try await instance.captions.put(
      Array(CaptionTests.webVTT.utf8), to: id, language: "de", label: nil)
    try Data().write(to: URL(fileURLWithPath: go))
    try await work
    #expect(try await instance.captions.list(of: id) == [mine])
  }

  @Test(arguments: [
    ("echo oops >&2; exit 3", "The captioner ended with 3: oops"),
    ("kill -9 $$", "The captioner was ended by signal 9: it says nothing"),
    ("echo no captions at all", "The captioner printed no captions: Line 1"),
    (
      "yes 0123456789012345678901234567890123456789 | head -n 20000",
      "The captioner printed more than 262144 bytes."
    ),
    ("sleep 100", "The captioner took longer than 1 s."),
    ("exec python3 -c 'bytearray(4 << 30)'", "The captioner ended with 1: MemoryError"),
  ])
  func aProgramThatFailsIsTriedAgainAndNeverTouchesTheClip(_ script: String, _ reason: String) async throws {
    let instance = try await instance(script, seconds: script.contains("sleep") ? 1 : 60)
    let id = try await take(instance)
    let before = try await bench.shown(id)
    let worker = try #require(instance.captionWorker())
    #expect(try await worker.runNext())
    let job = try #require(try await instance.queue.job(kind: "captioner", key: id))
    #expect(job.state == .queued && job.failureCode == "captioning_failed" && job.attempts == 1)
    #expect(job.failureDetail?.hasPrefix(reason) == true, "\(job.failureDetail ?? "")")
    #expect(try await bench.shown(id) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: instance.workFolder.path).isEmpty)
  }

  /// Each run may cost money, and all of them would be for nothing.
  @Test func theProgramRunsThreeTimesAtMostWhereThereIsNoRoomForWhatItPrints() async throws {
    let ran = folder.appendingPathComponent("ran")
    let instance = try await instance(
      "echo >> '\(ran.path)'; printf 'WEBVTT\\n\\n00:00.000 --> 00:01.000\\nHi\\n'")
    let id = try await take(instance)
    let full = FailingBlobs(real: instance.media, failure: Shared(AppError(.storageFull)))
    let captions = Captions(
      database: instance.database, media: full, clips: instance.clips, workFolder: instance.workFolder)
    let handler = CaptionerHandler(
      captioner: try #require(instance.captioner), captions: captions, clips: instance.clips,
      database: instance.database, media: instance.media, workFolder: instance.workFolder
    ) { try await instance.clips.playback(of: $0) }
    // Ahead of the real clock, by which the job was queued.
    let time = TestTime(ms: SystemTime().nowMs + 600_000)
    let queue = JobQueue(database: instance.database, time: time)
    let worker = Worker(
      queue: queue, handlers: [handler], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    for _ in 1...JobQueue.maximumAttempts {
      #expect(try await worker.runNext())
      time.advance(ms: 60_000)
    }
    let job = try #require(try await queue.job(kind: CaptionerHandler.kind, key: id))
    #expect(job.state == .failed && job.failureCode == "storage_full")
    #expect(try Data(contentsOf: ran).count == JobQueue.maximumAttempts)
  }

  @Test func aClipThatWasThereBeforeGetsThemWhenAnOperatorAsks() async throws {
    let id = try await bench.take(try await bench.makeClip("a.mp4", seconds: 0.5))
    let instance = try await instance("printf '00:00:00,000 --> 00:00:01,000\\nHi\\n'")
    try await caption(instance)
    #expect(try await instance.captions.list(of: id).isEmpty)
    try await instance.requestCaptions(of: id)
    try await caption(instance)
    #expect(try await instance.captions.list(of: id).map(\.automatic) == [true])
  }

  @Test func silenceIsNoFault() async throws {
    let instance = try await instance("echo WEBVTT")
    let id = try await take(instance)
    try await caption(instance)
    #expect(try await instance.queue.open().isEmpty)
    #expect(try await instance.captions.list(of: id).isEmpty)
  }

  @Test func whatFailedForGoodIsDoneOnceAnOperatorAsksForIt() async throws {
    let instance = try await instance(
      "[ -e '\(folder.path)/fixed' ] || exit 1; printf 'WEBVTT\\n\\n00:00.000 --> 00:01.000\\nHi\\n'")
    let id = try await take(instance)
    let job = try #require(try await instance.queue.claim(kinds: ["captioner"]))
    try await instance.queue.fail(job, because: AppError(.captioningFailed)) { _ in }
    try Data().write(to: folder.appendingPathComponent("fixed"))
    try await instance.failedJobs.tryAgain(id)
    try await caption(instance)
    #expect(try await instance.captions.list(of: id).map(\.automatic) == [true])
    await #expect { try await instance.failedJobs.tryAgain(id) } throws: {
      ($0 as? AppError)?.code == .jobNotFound
    }
  }

  @Test func aProgramThatIsNotThereIsSaidAtTheStart() throws {
    for command in [[], [""], ["no-such-program"], ["/etc/passwd"], [folder.path + "/none"]] {
      #expect(throws: AppError.self) {
        try OperatorCaptioner(
          command: command, language: try #require(LanguageTag("en")), seconds: 1, memoryMegabytes: 1,
          tools: bench.tools)
      }
    }
    let made = try OperatorCaptioner(
      command: ["sh", "-c"], language: try #require(LanguageTag("en")), seconds: 1, memoryMegabytes: 1,
      tools: bench.tools)
    #expect(made.command.last == "{file}" && made.command[0].hasSuffix("/sh"))
  }
}
