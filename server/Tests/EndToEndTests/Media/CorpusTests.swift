import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import ServerTesting
@testable import Transcoding

/// Other people's videos through the real pipeline, each held against its row of the index.
@Suite(.enabled(if: SharedMedia.folder != nil, SharedMedia.comment))
struct CorpusTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let size: String
    let seconds: Double?
    var testDescription: String { file }
  }

  /// A row has: set, file, bytes, licence, repository, path, container, video, coded size, rotation, display
  /// size, rate, length, audio, pixel format, remarks.
  static func rows(_ set: String) -> [Row] {
    guard let url = SharedMedia.folder?.appendingPathComponent("INDEX.tsv"),
      let text = try? String(contentsOf: url, encoding: .utf8)
    else { return [] }
    let table = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let wanted = table.filter { $0.count > 12 && $0[0] == set }
    return wanted.map { Row(file: $0[1], size: $0[10], seconds: Double($0[12])) }
  }

  /// Where the length of the file is not that of its picture, by the remarks of the index or by its tracks.
  static let pictureSeconds = [
    // Nothing is shown in the first ten seconds.
    "good/editlist_first_pts_10s_sar.mp4": 4.0,
    // The sound is longer than the picture.
    "good/two_video_two_audio_two_subs.mp4": 13.0,
    // Nothing before the first key frame can be decoded.
    "bad/editlist_no_sync_before_edit.mp4": 2.336,
  ]

  @Test(arguments: rows("good")) func everyGoodFileComesOutAsItsRowSays(_ row: Row) async throws {
    let bench = try await TestInstance()
    let made = try await TranscodedClip(try SharedMedia.file(row.file), on: bench)
    try made.checkForm(row.file)
    let wanted = row.size.split(separator: "x").compactMap { Double($0) }
    let edge = try #require(wanted.min())
    let scale = min(1, Double(Int(made.best.name) ?? 0) / edge)
    #expect(abs(Double(made.best.width) - wanted[0] * scale) <= 1.01, "\(made.size)")
    #expect(abs(Double(made.best.height) - wanted[1] * scale) <= 1.01, "\(made.size)")
    if let seconds = Self.pictureSeconds[row.file] ?? row.seconds {
      #expect(abs(made.seconds - seconds) < 0.2, "\(made.seconds) s")
    }
    let hasSound = made.best.codecs.contains("mp4a")
    if hasSound {
      let found = try made.loudness()
      #expect(found.peak <= -1, "\(row.file)")
    }
  }

  /// Bad files that a correct pipeline may take, since what is in them can be played.
  static let playable = ["bad/file+with+data&streams=works?.mp4", "bad/editlist_no_sync_before_edit.mp4"]

  @Test(arguments: playable) func whatCanBeRepairedIsPlayable(_ file: String) async throws {
    let row = try #require(Self.rows("bad").first { $0.file == file })
    let made = try await TranscodedClip(try SharedMedia.file(file), on: try await TestInstance())
    try made.checkForm(file)
    #expect(made.size == row.size)
    let seconds = try #require(Self.pictureSeconds[row.file] ?? row.seconds)
    #expect(abs(made.seconds - seconds) < 0.2, "\(made.seconds) s")
  }
}
