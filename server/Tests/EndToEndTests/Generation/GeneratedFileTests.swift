import Accounts
import Contract
import Feed
import Foundation
import Platform
import Testing
import Uploads
import Videos

@testable import Composition
@testable import Generation
@testable import Notifications
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// A clip made by AI says so in each of its files, and no other clip does.
@Suite(.everyEngine) struct GeneratedFileTests {
  private static let trained = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"

  /// Files and pictures of a clip, as they are served.
  private struct Served {
    let playback: Playback
    /// What boxes of the type `uuid` between the moov and the first segment hold, of each rendition.
    var marks: [[[UInt8]]] = []
    var pictures: [[UInt8]] = []

    init(_ id: String, _ instance: Instance) async throws {
      playback = try #require(try await instance.clips.playback(of: id))
      for rendition in playback.renditions {
        let bytes = try await Whole.content(rendition.url, instance)
        #expect(rendition.initialization.offset == 0)
        #expect(rendition.segments[0].offset == rendition.initialization.size)
        #expect(rendition.segments.last.map { $0.offset + $0.size } == bytes.count)
        try FragmentIndex(bytes).validate()
        marks.append(try Self.read(Array(bytes[..<rendition.initialization.size])))
      }
      for name in try await Whole.names(of: id, instance) where name.ext == "jpg" {
        pictures.append(try await Whole.content(name.description, instance))
      }
    }

    private static func read(_ initialization: [UInt8]) throws -> [[UInt8]] {
      var reader = BoxReader(initialization)
      var marks: [[UInt8]] = []
      var types: [String] = []
      while !reader.isAtEnd {
        let box = try reader.nextBox()
        types.append(box.type)
        if box.type == "uuid" { marks.append(Array(initialization[box.content])) }
      }
      #expect(Array(types.suffix(marks.count + 1)) == ["moov"] + marks.map { _ in "uuid" })
      return marks
    }

    /// What XMP of a JPEG names, where a reader looks for it.
    static func sourceType(of picture: [UInt8]) throws -> Provenance.SourceType? {
      try #require(picture.starts(with: [0xFF, 0xD8]))
      var place = 2
      while place + 4 <= picture.count, picture[place] == 0xFF, picture[place + 1] != 0xDA {
        let end = place + 2 + (Int(picture[place + 2]) << 8 | Int(picture[place + 3]))
        let content = picture[(place + 4)..<end]
        if picture[place + 1] == 0xE1, content.starts(with: Array("http://ns.adobe.com/xap/1.0/\0".utf8)) {
          return Provenance.SourceType.allCases.first {
            content.firstRange(of: Array("\($0.uri)<".utf8)) != nil
          }
        }
        place = end
      }
      return nil
    }
  }

  private static func append(_ content: [UInt8], to file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(ManifestStore.box("uuid", content)))
  }

  @Test func everyFileOfAClipMadeHereSaysThatAIMadeIt() async throws {
    let folder = try await TestInstance()
    // In two sizes.
    let file = try await folder.makeClip("made.mp4", size: "540x960")
    let store = ManifestStore.make([Self.trained])
    try Self.append(ManifestStore.content(store), to: file)
    let bench = try await GenerationBench([ScriptedVideos(making: file)])
    let instance = bench.bench.instance
    let made = try #require(try await bench.finish(try await bench.ask()).last)
    let clip = try #require(made.clipId)
    _ = try await bench.generations.publish(made.id, ClipDetails(coverMs: 700), by: bench.mara)
    while try await instance.worker(tools: bench.bench.tools).runNext() {}

    let served = try await Served(clip, instance)
    #expect(served.playback.renditions.map(\.name) == ["360", "540"])
    for marks in served.marks {
      try #require(marks.count == 2)
      #expect(marks[0].starts(with: Provenance.xmpBox))
      #expect(marks[0].firstRange(of: Array(Self.trained.utf8)) != nil)
      #expect(marks[1] == ManifestStore.content(store))
    }
    // Poster, cover and storyboard.
    #expect(served.pictures.count == 3)
    for picture in served.pictures {
      #expect(try Served.sourceType(of: picture) == .trainedAlgorithmicMedia)
    }
    let hls = served.playback.hlsUrl
    try await bench.bench.serving { transport async throws in
      let (status, output) = try await PlayerTests.run(
        "/usr/bin/ffprobe",
        [
          "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames",
          "-of", "csv=p=0", "http://127.0.0.1:\(transport.port)\(hls)",
        ])
      #expect(status == 0)
      // Of each size that the master playlist names.
      #expect(Set(output.split { !$0.isNumber }.map(String.init)) == ["45"], "\(output)")
    }
  }

  @Test func aClipMadeHereOfAFileWithoutAManifestHasTheMarkAlone() async throws {
    let folder = try await TestInstance()
    let file = try await folder.makeClip("made.mp4", seconds: 0.5, sound: false)
    let bench = try await GenerationBench([ScriptedVideos(making: file)])
    let made = try #require(try await bench.finish(try await bench.ask()).last)
    let served = try await Served(try #require(made.clipId), bench.bench.instance)
    #expect(served.marks.map(\.count) == [1])
    #expect(served.pictures.count == 2)
    for picture in served.pictures {
      #expect(try Served.sourceType(of: picture) == .trainedAlgorithmicMedia)
    }
  }

  @Test func noFileOfAnOrdinaryClipSaysIt() async throws {
    let bench = try await TestInstance()
    let file = try await bench.makeClip("a.mp4")
    // A camera signs what it films; nothing of that is served.
    let camera = ManifestStore.make(["http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture"])
    try Self.append(ManifestStore.content(camera), to: file)
    let id = try await bench.take(file)
    let served = try await Served(id, bench.instance)
    #expect(served.marks == [[]])
    for picture in served.pictures { #expect(try Served.sourceType(of: picture) == nil) }
    let clip = try #require(try await bench.instance.feed(.open).page(cursor: nil, limit: 9).items.first)
    #expect(clip.id == id && clip.aiGenerated == nil)
  }

  @Test(arguments: Provenance.SourceType.allCases, [true, false])
  func anUploadWhoseFileNamesAISaysSoAndItsManifestIsNotServed(
    _ type: Provenance.SourceType, _ isSigned: Bool
  ) async throws {
    let bench = try await TestInstance()
    let instance = bench.instance
    let mara = try await instance.accounts(hashing: CountingPasswords()).join("mara").id
    let file = try await bench.makeClip("a.mp4", seconds: 0.5, sound: false)
    let store = ManifestStore.make([type.uri])
    try Self.append(isSigned ? ManifestStore.content(store) : Provenance.xmpBox + type.packet, to: file)
    _ = try await instance.uploads(UploadRules()).take(
      file, ClipDetails(coverMs: 300), key: IdempotencyKey("a-file-of-mara", of: mara), by: mara)
    while try await instance.worker(tools: bench.tools).runNext() {}

    let clip = try #require(try await instance.feed(.open).page(cursor: nil, limit: 9).items.first)
    #expect(clip.aiGenerated == true)
    let served = try await Served(clip.id, instance)
    #expect(served.marks == [[Provenance.xmpBox + type.packet]])
    #expect(served.pictures.count == 3)
    for picture in served.pictures { #expect(try Served.sourceType(of: picture) == type) }
    // It was not made here: whose it is hears of it as of any upload.
    let news = try await instance.notifications(on: instance.database)
      .page(of: mara, cursor: nil, limit: 9).page.items
    #expect(news.map(\.kind) == [NotificationKind.published])
  }

  /// A page that cuts a file or makes it smaller leaves its boxes out.
  @Test(arguments: Provenance.SourceType.allCases)
  func anUploadWhoseSenderSaysSoOfItsSourceSaysSo(_ type: Provenance.SourceType) async throws {
    let bench = try await TestInstance()
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4", seconds: 0.5, sound: false))
    try await bench.serving { transport async throws in
      let made = try await UploadRequests.publish(file, .public, of: type, on: bench, transport)
      let clip = try #require(try await Client(transport: transport).feed().items.first)
      #expect(clip.id == made.clip?.id && clip.aiGenerated == true)
      let served = try await Served(clip.id, bench.instance)
      #expect(served.marks == [[Provenance.xmpBox + type.packet]])
      for picture in served.pictures { #expect(try Served.sourceType(of: picture) == type) }

      // Who brings the same content later says nothing of a clip that is somebody else's, and takes nothing away.
      let again = try await UploadRequests.publish(file, .public, key: "another-key", on: bench, transport)
      #expect(again.clip?.id == clip.id && again.clip?.isOwn == false)
      #expect(try await Client(transport: transport).feed().items.first?.aiGenerated == true)
    }
  }

  @Test func nobodyLabelsTheClipOfSomebodyElse() async throws {
    let bench = try await TestInstance()
    let file = try Data(contentsOf: try await bench.makeClip("a.mp4", seconds: 0.5, sound: false))
    try await bench.serving { transport async throws in
      let first = try await UploadRequests.publish(file, .public, on: bench, transport)
      let again = try await UploadRequests.publish(
        file, .public, key: "another-key", of: .trainedAlgorithmicMedia, on: bench, transport)
      #expect(again.clip?.id == first.clip?.id && again.clip?.isOwn == false)
      #expect(try await Client(transport: transport).feed().items.first?.aiGenerated == nil)
    }
  }
}
