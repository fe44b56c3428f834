import Accounts
import Comments
import Contract
import FFmpeg
import Feed
import Foundation
import Platform
import Profiles
import Social
import Testing
import Videos

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// Pictures of people: what is made of a stranger's file, who sees it, and when it is gone.
@Suite(.everyEngine) struct PictureTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)
  private let portraits: Portraits
  private let accounts: Accounts
  private let ada: String

  init() async throws {
    bench = try await TestInstance()
    portraits = FeatureContext(bench.instance, time: clock).portraits
    accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    ada = try await accounts.join("ada").id
  }

  private func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
    do {
      _ = try await work()
      return nil
    } catch { return (error as? AppError)?.code }
  }

  // MARK: Pictures

  /// By a filter of ffmpeg.
  private func draw(_ name: String, _ source: String, _ options: String = "-frames:v 1") async throws
    -> [UInt8]
  {
    let url = bench.folder.appendingPathComponent(name)
    try await bench.tools.run(
      ["-f", "lavfi", "-i", source] + options.split(separator: " ").map(String.init) + ["file:" + url.path],
      in: bench.folder)
    return Array(try Data(contentsOf: url))
  }

  /// Red and green above blue and white.
  private func quarters(_ name: String, _ width: Int = 80, _ height: Int = 60) async throws -> [UInt8] {
    func box(_ color: String, _ x: Int, _ y: Int) -> String {
      "drawbox=x=\(x):y=\(y):w=\(width / 2):h=\(height / 2):color=\(color):t=fill"
    }
    let boxes = [box("red", 0, 0), box("lime", width / 2, 0), box("blue", 0, height / 2)]
    return try await draw(
      name, (["color=c=white:s=\(width)x\(height)", "format=rgb24"] + boxes).joined(separator: ","))
  }

  /// The colours of the quarters of a JPEG, each by its letter.
  private func quarters(of blob: BlobName) async throws -> String {
    let (file, raw) = ("seen.jpg", bench.folder.appendingPathComponent("seen.rgb"))
    let url = bench.folder.appendingPathComponent(file)
    try Data(try await bytes(of: blob)).write(to: url)
    try await bench.tools.run(
      ["-i", "file:" + url.path, "-vf", "scale=32:32:flags=area,format=rgb24", "-f", "rawvideo"]
        + ["file:" + raw.path], in: bench.folder)
    let pixels = [UInt8](try Data(contentsOf: raw))
    try #require(pixels.count == 32 * 32 * 3)
    return [(6, 6), (25, 6), (6, 25), (25, 25)].map { x, y in
      let start = (y * 32 + x) * 3
      switch (pixels[start] > 128, pixels[start + 1] > 128, pixels[start + 2] > 128) {
      case (true, false, false): return "r"
      case (false, true, false): return "g"
      case (false, false, true): return "b"
      case (true, true, true): return "w"
      default: return "?"
      }
    }.joined()
  }

  private func bytes(of blob: BlobName) async throws -> [UInt8] {
    let size = try #require(try await bench.instance.media.size(blob))
    let taken = Shared<[UInt8]>([])
    try await bench.instance.media.read(blob, range: 0..<size) { piece in taken.with { $0 += piece } }
    return taken.with { $0 }
  }

  private func blobs(_ author: Author) throws -> (large: BlobName, small: BlobName) {
    let picture = try #require(author.picture)
    let names = try [picture.largeUrl, picture.smallUrl].map {
      try #require(BlobName.mentioned(in: $0).first)
    }
    return (names[0], names[1])
  }

  /// A segment behind the first two bytes of a JPEG.
  private static func adding(_ marker: UInt8, _ content: [UInt8], to jpeg: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    let head: [UInt8] = [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)]
    return Array(jpeg.prefix(2)) + head + content + Array(jpeg.dropFirst(2))
  }

  private static func exif(_ orientation: UInt8) -> [UInt8] {
    Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
      + Array("GPS 52.5200 13.4050".utf8)
  }

  // MARK: What is made

  @Test(arguments: ["face.jpg", "face.png", "face.webp"])
  func aSquareComesOutInTwoSizesWithNothingElseInIt(_ name: String) async throws {
    let author = try await portraits.put(try await quarters(name), of: ada)
    let (large, small) = try blobs(author)
    for (blob, side) in [(large, AuthorPicture.largeSide), (small, AuthorPicture.smallSide)] {
      let bytes = try await bytes(of: blob)
      #expect(bytes.count < 40_000)
      let url = bench.folder.appendingPathComponent("made.jpg")
      try Data(bytes).write(to: url)
      let (_, said) = try Shell.run(
        "/usr/bin/ffprobe",
        ["-v", "error", "-show_entries", "stream=codec_name,width,height:format_tags:stream_tags", "-of"]
          + ["csv=p=0", url.path])
      #expect(said.contains("mjpeg,\(side),\(side)"), "\(said)")
      for secret in ["Exif", "GPS", "Lav", "http"] {
        #expect(bytes.ranges(of: Array(secret.utf8)).isEmpty, "\(secret)")
      }
    }
    #expect(try await quarters(of: large) == "rgbw")
    #expect(try await quarters(of: small) == "rgbw")
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path) == [])
  }

  @Test func whatTheFileSaysOfPlaceAndDeviceIsGoneAndItIsUpright() async throws {
    let plain = try await quarters("face.jpg")
    let upright = ["rgbw", "grwb", "wbgr", "bwrg", "rbgw", "brwg", "wgbr", "gwrb"]
    for (place, seen) in upright.enumerated() {
      let file = Self.adding(0xE1, Self.exif(UInt8(place + 1)), to: plain)
      let (large, _) = try blobs(try await portraits.put(file, of: ada))
      #expect(try await quarters(of: large) == seen, "orientation \(place + 1)")
      #expect(try await bytes(of: large).ranges(of: Array("GPS".utf8)).isEmpty)
    }
  }

  @Test func theSquareThatWasAskedForIsTaken() async throws {
    let file = try await quarters("face.png", 80, 80)
    let green = try await portraits.put(file, crop: PictureCrop(x: 0.5, y: 0, size: 0.5), of: ada)
    #expect(try await quarters(of: try blobs(green).large) == "gggg")
    // Lime, as JPEG has it.
    let color = try #require(green.picture?.color)
    #expect(color.count == 7 && color.hasPrefix("#0") && color.dropFirst(3).hasPrefix("f"), "\(color)")
    let blue = try await portraits.put(file, crop: PictureCrop(x: 0, y: 1, size: 0.25), of: ada)
    #expect(try await quarters(of: try blobs(blue).large) == "bbbb", "moved inside")
    let turned = Self.adding(0xE1, Self.exif(6), to: try await quarters("face.jpg", 80, 80))
    let part = PictureCrop(x: 0, y: 0, size: 0.5)
    let turnedBlue = try await portraits.put(turned, crop: part, of: ada)
    #expect(try await quarters(of: try blobs(turnedBlue).large) == "bbbb", "of what people see")
  }

  @Test func whatMovesBecomesItsFirstPictureAndWhatIsClearWhite() async throws {
    let film = "color=c=red:s=60x60:r=2:d=1[a];color=c=blue:s=60x60:r=2:d=1[b];[a][b]concat"
    let moving = [
      try await draw("film.apng", film, "-f apng -plays 0"),
      try await draw("film.webp", film, "-c:v libwebp_anim -f webp"),
    ]
    for file in moving {
      let author = try await portraits.put(file, of: ada)
      #expect(try await quarters(of: try blobs(author).large) == "rrrr")
    }
    let clear = try await draw("clear.png", "color=c=black@0.0:s=60x60,format=rgba")
    #expect(try await quarters(of: try blobs(try await portraits.put(clear, of: ada)).large) == "wwww")
  }

  @Test func hostileFilesAreRefusedAndLeaveNothing() async throws {
    let jpeg = try await quarters("face.jpg")
    let png = try await quarters("face.png")
    var bomb = png
    bomb.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
    var broken = png
    let data = try #require(broken.ranges(of: Array("IDAT".utf8)).first)
    for place in data.upperBound..<(broken.count - 16) { broken[place] = 0xFF }
    let script = #"<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>"#
    let files: [(name: String, file: [UInt8], code: ErrorCode)] = [
      ("cut off", Array(jpeg.prefix(jpeg.count / 2)), .pictureUnreadable),
      ("cut off", Array(png.dropLast(20)), .pictureUnreadable),
      ("30,000 times 30,000", bomb, .pictureTooLarge),
      ("no pixels in it", broken, .pictureUnreadable),
      ("a drawing", Array(script.utf8), .pictureUnreadable),
      ("GIF", try await draw("face.gif", "color=c=red:s=60x60"), .pictureUnreadable),
      ("a list", Array("#EXTM3U\nfile:///etc/passwd\n".utf8), .pictureUnreadable),
      ("a film", Array(try Data(contentsOf: try await bench.makeClip("clip.mp4"))), .pictureUnreadable),
      ("nothing", [], .pictureUnreadable),
      ("too many bytes", Array(repeating: 0, count: Limits.pictureBytes + 1), .pictureTooLarge),
    ]
    for (name, file, code) in files {
      #expect(await refusal { try await portraits.put(file, of: ada) } == code, "\(name)")
    }
    #expect(try await bench.count("author_blobs") == 0)
    #expect(try await bench.instance.media.list(after: nil, limit: 10).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path) == [])
    #expect(await refusal { try await portraits.put(png, of: "nobody") } == .authorNotFound)
  }

  // MARK: Who sees it

  @Test func itStandsBesideTheNameEverywhere() async throws {
    let instance = bench.instance
    let bob = try await accounts.join("bob").id
    let picture = try #require(try await portraits.put(try await quarters("face.png"), of: ada).picture)
    let clip = try await bench.publishBare("hers", by: ada)
    let hidden = try await instance.publishBare("hidden", visibility: .unlisted, by: ada)
    let context = FeatureContext(instance, time: clock)
    let (social, comments) = (context.social, context.comments)
    _ = try await social.follow(ada, by: bob)
    _ = try await social.follow(bob, by: ada)
    _ = try await comments.add("hi", to: clip, by: ada, idempotencyKey: "first-comment")

    let feed = try await instance.feed(.open)
    #expect(try await feed.page(cursor: nil, limit: 9, for: bob).items.map(\.author.picture) == [picture])
    #expect(try await feed.clip(id: clip, forOwner: false, for: bob).author.picture == picture)
    let profile = try await context.profiles.profile("ada", for: bob)
    #expect(profile.author.picture == picture)
    let followers = try await context.profiles.people(
      .followers, of: "bob", cursor: nil, limit: 9, for: nil)
    #expect(followers.items.map(\.author.picture) == [picture])
    #expect(try await social.following(of: bob, cursor: nil, limit: 9).items.map(\.picture) == [picture])
    let page = try await comments.page(of: clip, cursor: nil, limit: 9, for: bob)
    #expect(page.items.map(\.author?.picture) == [picture])
    // A clip that is not for everybody has sealed media; a face is everybody's.
    let shown = try await feed.clip(id: hidden, forOwner: true, for: ada)
    #expect(try await context.sealing.sealed(shown, forOwner: true).author.picture == picture)
  }

  @Test func itIsPutServedAndRemovedByItsOwner() async throws {
    let file = Data(try await quarters("face.png"))
    try await bench.servingAccounts(clock) { [bench] socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("cleo"))
      let own = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      let crop = PictureCrop(x: 0, y: 0, size: 0.5)
      let picture = try #require(try await own.putPicture(file, type: "image/png", crop: crop).picture)
      #expect(try await own.profile("cleo").author.picture == picture)
      for url in [picture.largeUrl, picture.smallUrl] {
        let answer = try await socket.send(WireRequest("GET", url))
        #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
        #expect(answer.headers["cache-control"]?.contains("immutable") == true)
      }
      let bare = Bearer(inner: socket, token: try #require(session.accessToken))
      let route = Route.accountPicture.path()
      for query in ["?crop_x=2", "?crop_size=-0.1", "?crop_y=x"] {
        let wrong = try await bare.answer("PUT", route + query, "x", ["content-type": "image/png"])
        #expect(wrong.code == "invalid_parameter", "\(query)")
      }
      let svg = try await bare.answer("PUT", route, "<svg/>", ["content-type": "image/svg+xml"])
      #expect(svg.status == 415)
      let open = try await socket.answer("PUT", route, "x", ["content-type": "image/png"])
      #expect(open.code == "sign_in_needed")

      for _ in 0..<2 { try await own.removePicture() }
      #expect(try await own.profile("cleo").author.picture == nil)
      #expect(try await socket.answer("GET", picture.largeUrl).status == 404, "at once")
      #expect(try await bench.count("author_blobs") == 0)
    }
  }

  // MARK: When it is gone

  @Test func whatIsReplacedStaysForAnHourAndThenGoes() async throws {
    let authors = bench.instance.authors(clock)
    let first = try blobs(try await portraits.put(try await quarters("face.png"), of: ada))
    let second = try blobs(
      try await portraits.put(
        try await quarters("face.png"), crop: PictureCrop(x: 0, y: 0, size: 0.5), of: ada))
    let all = [first.large, first.small, second.large, second.small]
    #expect(Set(all).count == 4)
    func left(at ms: Int64) async throws -> Set<BlobName> {
      _ = try await bench.instance.sweep(at: TestTime(ms: ms))
      return Set(try await bench.instance.media.list(after: nil, limit: 100).map(\.name))
    }
    // The store has the time of the machine, so what was put is old only by a clock that is ahead of it.
    let now = SystemTime().nowMs
    try await bench.instance.database.write {
      try $0.execute(
        "UPDATE author_blobs SET changed_at_ms = ? WHERE state = 'replaced'", [.integer(now + 3_600_000)])
    }
    #expect(try await left(at: now + 2 * 3_600_000 - 1000) == Set(all))
    #expect(try await left(at: now + 3 * 3_600_000) == [second.large, second.small])
    #expect(try await bench.count("author_blobs") == 2)
    // The same again is there again.
    try await bench.instance.database.write { try authors.removePicture(of: ada, in: $0) }
    #expect(try await left(at: now + 4 * 3_600_000).isEmpty)
    _ = try await portraits.put(try await quarters("face.png"), of: ada)
    #expect(try await bench.count("author_blobs") == 2)
  }

  @Test func itGoesWithTheAccount() async throws {
    let author = try await portraits.put(try await quarters("face.png"), of: ada)
    let large = try blobs(author).large
    try await accounts.delete(ada, AccountDeletion(password: NewAccount("ada").password))
    #expect(try await bench.count("author_blobs") == 0)
    _ = try await bench.instance.sweep(at: TestTime(ms: SystemTime().nowMs + 2 * 3_600_000))
    #expect(try await bench.instance.media.size(large) == nil)
  }

  @Test func ofTwoThatComeAtOnceOneIsShownAndTheOtherReplaced() async throws {
    let file = try await quarters("face.png", 80, 80)
    try await withThrowingTaskGroup(of: Void.self) { [portraits, ada] group in
      for place in [0.0, 0.5, 1] {
        group.addTask {
          _ = try await portraits.put(file, crop: PictureCrop(x: place, y: 0, size: 0.3), of: ada)
        }
      }
      try await group.waitForAll()
    }
    let shown = try await bench.instance.database.read {
      try $0.query("SELECT COUNT(*) AS n FROM author_blobs WHERE state = 'shown'")[0].integer("n")
    }
    #expect(shown == 2)
  }
}
