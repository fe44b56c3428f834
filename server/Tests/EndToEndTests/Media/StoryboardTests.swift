import Contract
import FFmpeg
import Foundation
import LocalBlobs
import Platform
import SQLite
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

@Suite(.everyEngine) struct StoryboardTests {
  let bench: TestInstance

  init() async throws { bench = try await TestInstance() }

  private func file(_ url: String) throws -> URL {
    let media = try LocalBlobs(root: bench.instance.folder.appendingPathComponent("media"))
    return media.url(try #require(BlobName(String(url.dropFirst("/media/".count)))))
  }

  private func storyboard(of id: String) async throws -> Storyboard? {
    try await bench.instance.clips.playback(of: id)?.storyboard
  }

  @Test func everyTileShowsItsMomentAndTheTextNamesEveryTile() async throws {
    let id = try await bench.take(try await FrameNumberClip.make("a.mp4", on: bench))
    let board = try #require(try await storyboard(of: id))
    #expect(board.intervalMs == 250 && board.count == 26 && board.columns == 10)
    #expect(board.tileWidth == 96 && board.tileHeight == 160)
    let told = try FrameNumberClip.numbers(
      in: try file(board.url), width: 96, height: 160, columns: 10, count: 26)
    #expect(told == (0..<26).map { $0 * 250 * 30 / 1000 })
    try await bench.serving { transport async throws in
      let answer = try await transport.send(WireRequest("GET", board.vttUrl))
      #expect(answer.status == 200 && answer.headers["content-type"] == "text/vtt; charset=utf-8")
      let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
      let image = board.url.dropFirst("/media/".count)
      #expect(lines[0] == "WEBVTT" && lines.count == 1 + 2 * board.count)
      #expect(lines[1] == "00:00:00.000 --> 00:00:00.250" && lines[2] == "\(image)#xywh=0,0,96,160")
      #expect(lines[51] == "00:00:06.250 --> 00:00:06.400" && lines[52] == "\(image)#xywh=480,320,96,160")
      #expect(try await transport.send(WireRequest("GET", board.url)).headers["content-type"] == "image/jpeg")
    }
  }

  /// Drawn while the better renditions are made, at a rate that is only half of theirs.
  @Test(arguments: [("540x960", 30, 6.4), ("720x1280", 60, 4.2)])
  func everyTileShowsItsMomentWhereThereAreMoreRenditions(
    _ size: String, _ rate: Int, _ seconds: Double
  ) async throws {
    let id = try await bench.take(
      try await FrameNumberClip.make("a.mp4", on: bench, seconds: seconds, size: size, rate: rate))
    #expect(try await bench.instance.clips.playback(of: id)?.renditions.count ?? 0 > 1)
    let board = try #require(try await storyboard(of: id))
    let count = Int((seconds * 4).rounded(.up))
    #expect(board.intervalMs == 250 && board.count == count)
    #expect(board.tileWidth == 96 && board.tileHeight == 170)
    let told = try FrameNumberClip.numbers(
      in: try file(board.url), width: 96, height: 170, columns: 10, count: count)
    // Of two frames that are shown for one, the first stays.
    #expect(told == (0..<count).map { $0 * 250 * 30 / 1000 * (rate / 30) % 256 })
  }

  @Test func aMinuteThatCannotBeMadeSmallStaysBelowTwoHundredKilobytes() async throws {
    let noise = try await bench.make(
      "noise.mp4",
      "-f lavfi -i color=gray:s=360x640:r=5:d=60,noise=alls=80:allf=t -c:v libx264 -preset ultrafast "
        + "-b:v 3M -pix_fmt yuv420p -f mp4")
    let board = try #require(try await storyboard(of: try await bench.take(noise)))
    #expect(board.count == 60 && board.intervalMs == 1000)
    let size = try #require(try file(board.url).resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect((20_000..<200_000).contains(size))
  }

  @Test func aClipOfATenthOfASecondHasOneTile() async throws {
    let board = try #require(
      try await storyboard(
        of: try await bench.take(try await FrameNumberClip.make("a.mp4", on: bench, seconds: 0.1))))
    #expect(board.count == 1 && board.columns == 1)
  }

  @Test func aClipOfTheTimeBeforeGetsItsStoryboardOnceTheSchemaIsNew() async throws {
    let instance = bench.instance
    let id = try await bench.take(try await FrameNumberClip.make("a.mp4", on: bench, seconds: 0.5))
    let board = try #require(try await storyboard(of: id))
    var playback = try #require(try await instance.clips.playback(of: id))
    playback.storyboard = nil
    let text = String(decoding: try WireCoding.encode(playback), as: UTF8.self)
    try await instance.database.write { transaction in
      try transaction.execute("UPDATE clips SET playback = ?", [.text(text)])
      try transaction.execute("DELETE FROM clip_blobs WHERE name LIKE '%.vtt'")
      try transaction.execute("ALTER TABLE clips DROP COLUMN cover_ms")
      try transaction.execute("ALTER TABLE clips DROP COLUMN cover")
      try transaction.execute("DELETE FROM schema_migrations WHERE name = '0010_covers'")
    }
    #expect(try await instance.migrate() == ["0010_covers"])
    #expect(try await instance.queue.open().map(\.kind) == ["storyboard"])
    while try await instance.worker(tools: bench.tools).runNext() {}
    #expect(try await storyboard(of: id) == board)
    #expect(try await instance.sweep(at: TestTime(ms: instance.time.nowMs + 7_200_000)).media == 0)
    #expect(try await Whole.check(id, instance))
  }
}
