import Contract
import Foundation
import LocalBlobs
import Platform
import SQLite
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// Nothing of the place, the device, the day or the person is in anything that is served.
@Suite(.everyEngine) struct MetadataTests {
  private static let tags =
    " -metadata title=PLANTED1 -metadata comment=PLANTED2 -metadata location=+52.5200+013.4050/PLANTED3/ "
    + "-metadata make=PLANTED4 -metadata model=PLANTED5 -metadata creation_time=2019-08-07T06:05:04Z "
    + "-metadata com.apple.quicktime.location.ISO6709=+52.5200+013.4050/PLANTED6/ "
    + "-metadata com.apple.quicktime.make=PLANTED7 -metadata artist=PLANTED8 -metadata encoder=PLANTED9 "
    + "-metadata:s:v handler_name=PLANTEDA -metadata:s:a handler_name=PLANTEDB -metadata:s:v language=deu "
    + "-metadata:s:a title=PLANTEDC -metadata:s:v comment=PLANTEDD "
  private static let codecs = " -c:v libx264 -preset ultrafast -c:a aac"

  @Test(arguments: ["full.mov", "full.mp4", "full.mkv"])
  func whatAFileSaysAboutItsMakerIsNotServed(_ name: String) async throws {
    let bench = try await TestInstance()
    let chapters = bench.folder.appendingPathComponent("chapters.txt")
    try Data(
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=PLANTEDE\n".utf8
    ).write(to: chapters)
    let words =
      "-f lavfi -i testsrc2=s=96x64:r=30:d=1 -f lavfi -i sine=d=1 -f ffmetadata -i file:\(chapters.path) "
      + "-map 0 -map 1 -map_chapters 2" + Self.tags
      + (name.hasSuffix("mkv") ? "" : "-movflags use_metadata_tags ")
    let source = try await bench.make(name, words + Self.codecs)
    let before = try Data(contentsOf: source)
    #expect(before.range(of: Data("PLANTED".utf8)) != nil, "the source says nothing to hide")
    let made = try await TranscodedClip(source, on: bench)

    for path in try PipelineTests.files(in: bench.instance.folder.appendingPathComponent("media")) {
      let data = try Data(
        contentsOf: bench.instance.folder.appendingPathComponent("media").appendingPathComponent(path))
      for secret in ["PLANTED", "52.52", "2019", "Exif", "Apple", "full.m"] {
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(secret) in \(path)")
      }
    }
    for file in made.files {
      let (_, output) = try Shell.run(
        "/usr/bin/ffprobe",
        [
          "-v", "error", "-show_entries", "format_tags:stream_tags:stream_side_data:chapter", "-of",
          "default=noprint_wrappers=1", file.path,
        ])
      let said = Set(output.split(separator: "\n").map { String($0.split(separator: "=")[0]) })
      #expect(
        said.isSubset(of: [
          "TAG:major_brand", "TAG:minor_version", "TAG:compatible_brands", "TAG:language", "TAG:handler_name",
          "TAG:vendor_id", "TAG:encoder",
        ]), "\(output)")
      #expect(output.contains("TAG:language=und"))
      #expect(!output.contains("deu"))
      #expect(!output.contains("Lavc5"), "the version of the encoder is nobody's business")
    }
  }

  @Test func dataHiddenBesideThePictureIsNotServed() async throws {
    let bench = try await TestInstance()
    // User data of the bitstream itself (SEI), of a kind that encoders like to hand on.
    let source = try await bench.make(
      "sei.mp4",
      "-f lavfi -i testsrc2=s=96x64:r=30:d=1 -c:v libx264 -preset ultrafast "
        + "-bsf:v h264_metadata=sei_user_data='086f3693-b7b3-4f2c-9653-21492feee5b8+PLANTEDSEI'")
    #expect(try Data(contentsOf: source).range(of: Data("PLANTEDSEI".utf8)) != nil)
    for file in try await TranscodedClip(source, on: bench).files {
      let data = try Data(contentsOf: file)
      #expect(data.range(of: Data("PLANTED".utf8)) == nil)
      // The encoder's own settings tell an attacker its version.
      #expect(data.range(of: Data("x264 - core".utf8)) == nil, "\(file)")
    }
  }
}
