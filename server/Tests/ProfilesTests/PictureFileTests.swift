import Contract
import Testing

@testable import Platform
@testable import PlatformTesting
@testable import Profiles

/// What is believed of a stranger's picture before anything decodes it, and what is left of it.
@Suite struct PictureFileTests {
  private func code(_ bytes: [UInt8]) -> ErrorCode? {
    do {
      _ = try PictureFile(bytes)
      return nil
    } catch { return (error as? AppError)?.code }
  }

  private static func words(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Pictures of few bytes

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
  }

  /// Exif that says one thing.
  private static func tiff(orientation: UInt8, little: Bool = false) -> [UInt8] {
    little
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
      : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
  }

  private static func jpeg(
    _ width: Int = 40, _ height: Int = 30, frame: UInt8 = 0xC0, middle: [UInt8] = [],
    scan: [UInt8] = [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4], end: [UInt8] = [0xFF, 0xD9]
  ) -> [UInt8] {
    let sides = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
    let parts: [[UInt8]] = [
      [0xFF, 0xD8], middle, segment(0xDB, [0]), segment(frame, [8] + sides + [1, 1, 0x11, 0]),
      segment(0xDA, [1, 1, 0, 0, 63, 0]), scan, end,
    ]
    return parts.flatMap(\.self)
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count) + words(type) + content + [0, 0, 0, 0]
  }

  private static func number(_ value: Int) -> [UInt8] { number(value, of: 4).reversed() }

  private static func number(_ value: Int, of count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static func png(_ width: Int = 40, _ height: Int = 30, middle: [UInt8] = []) -> [UInt8] {
    PNGParts.signature + chunk("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0]) + middle
      + chunk("IDAT", [1, 2, 3]) + chunk("IEND", [])
  }

  private static func riff(_ type: String, _ content: [UInt8]) -> [UInt8] {
    words(type) + number(content.count, of: 4) + content + (content.count % 2 == 0 ? [] : [0])
  }

  private static func webp(_ chunks: [UInt8]) -> [UInt8] {
    words("RIFF") + number(chunks.count + 4, of: 4) + words("WEBP") + chunks
  }

  /// 40 times 30.
  private static let lossy = riff("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 40, 0, 30, 0, 7])
  private static let lossless = riff("VP8L", [0x2F] + number(39 | 29 << 14, of: 4) + [9])

  // MARK: What is read

  @Test(arguments: [
    (jpeg(), PictureKind.jpeg), (jpeg(frame: 0xC2), .jpeg), (png(), .png), (webp(lossy), .webp),
    (webp(lossless), .webp),
  ])
  func theContentSaysWhatItIsAndHowLarge(_ bytes: [UInt8], _ kind: PictureKind) throws {
    let picture = try PictureFile(bytes)
    #expect(picture.kind == kind)
    #expect(picture.width == 40 && picture.height == 30 && picture.turn == .upright)
    #expect(picture.bytes == bytes, "nothing had to go")
    #expect(try PictureFile(picture.bytes) == picture)
  }

  @Test func nothingIsLeftThatTellsOfPlaceOrDay() throws {
    let secret = Self.words("Exif\0\0") + Self.tiff(orientation: 6) + Self.words("GPS 52.5200 13.4050")
    let pictures = [
      Self.jpeg(
        middle: Self.segment(0xE1, secret) + Self.segment(0xE1, Self.words("http://ns.adobe.com GPS"))
          + Self.segment(0xE2, Self.words("ICC GPS")) + Self.segment(0xFE, Self.words("GPS")),
        end: [0xFF, 0xD9] + Self.words("another picture GPS")),
      Self.png(
        middle: Self.chunk("eXIf", Self.tiff(orientation: 6) + Self.words("GPS"))
          + Self.chunk("tEXt", Self.words("GPS")) + Self.chunk("iTXt", Self.words("GPS")))
        + Self.words("GPS"),
      Self.webp(
        Self.riff("VP8X", Array(repeating: 0, count: 10)) + Self.riff("ICCP", Self.words("GPS"))
          + Self.lossy + Self.riff("EXIF", secret) + Self.riff("XMP ", Self.words("GPS"))),
    ]
    for bytes in pictures {
      let picture = try PictureFile(bytes)
      #expect(picture.bytes.ranges(of: Self.words("GPS")).isEmpty, "\(picture.kind)")
      #expect(picture.bytes.ranges(of: Self.words("Exif")).isEmpty, "\(picture.kind)")
      #expect(picture.turn == .clockwise, "\(picture.kind)")
      #expect(picture.upright.width == 30 && picture.upright.height == 40)
    }
  }

  @Test(arguments: PictureTurn.allCases, [true, false])
  func theWayItWasHeldIsReadInBothOrders(_ turn: PictureTurn, _ little: Bool) {
    let tiff = Self.tiff(orientation: UInt8(turn.rawValue), little: little)
    #expect(PictureTurn(tiff: tiff) == turn)
    // Of any part of it nothing is believed, and nothing traps.
    for count in 0..<tiff.count { _ = PictureTurn(tiff: Array(tiff.prefix(count))) }
    #expect(PictureTurn(tiff: Array(tiff.prefix(12))) == .upright)
  }

  @Test func aWayThatIsNoneIsUpright() {
    for orientation: UInt8 in [0, 9, 255] {
      #expect(PictureTurn(tiff: Self.tiff(orientation: orientation)) == .upright)
    }
    #expect(PictureTurn(tiff: [0x4D, 0x4D, 0, 42, 0xFF, 0xFF, 0xFF, 0xFF]) == .upright)
  }

  @Test func ofOneThatMovesTheFirstPictureIsLeft() throws {
    let frames = Self.chunk("acTL", Self.number(2) + Self.number(0))
    let later = Self.chunk("fcTL", Array(repeating: 0, count: 26)) + Self.chunk("fdAT", [0, 0, 0, 1, 9])
    #expect(try PictureFile(Self.png(middle: frames + later)).bytes == Self.png())

    let head = Array(repeating: UInt8(0), count: 16)
    let other = Self.riff("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 9, 0, 9, 0, 7])
    let moving = Self.webp(
      Self.riff("VP8X", Array(repeating: 0, count: 10)) + Self.riff("ANIM", Array(repeating: 0, count: 6))
        + Self.riff("ANMF", head + Self.lossy) + Self.riff("ANMF", head + other))
    #expect(try PictureFile(moving).bytes == Self.webp(Self.lossy))
    let clear = Self.webp(Self.riff("ANMF", head + Self.riff("ALPH", [0, 1, 2]) + Self.lossy))
    let left = try PictureFile(clear).bytes
    #expect(!left.ranges(of: Self.words("ALPH")).isEmpty && !left.ranges(of: Self.words("VP8X")).isEmpty)
    #expect(left.ranges(of: Self.words("ANMF")).isEmpty)
    #expect(try PictureFile(left).bytes == left)
  }

  // MARK: What is refused

  @Test func whatIsNoPictureOfTheThreeKindsIsRefused() {
    let others: [[UInt8]] = [
      [], Self.words("<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"/etc/passwd\"/></svg>"),
      Self.words("GIF89a") + Array(repeating: 0, count: 40), Self.words("#EXTM3U\nfile:///etc/passwd"),
      Self.words("BM") + Array(repeating: 0, count: 60), [0, 0, 0, 24] + Self.words("ftypheic"),
      Self.words("RIFF") + [4, 0, 0, 0] + Self.words("WAVE"), Self.webp([]), PNGParts.signature,
      [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xD9],
    ]
    for bytes in others { #expect(code(bytes) == .pictureUnreadable, "\(bytes.prefix(12))") }
    // Lossless, arithmetic, hierarchical; twelve bits; two pictures in one.
    for frame: UInt8 in [0xC3, 0xC5, 0xC9, 0xCB, 0xDE] {
      #expect(code(Self.jpeg(frame: frame)) == .pictureUnreadable)
    }
    #expect(code(Self.jpeg(middle: Self.segment(0xC0, [12, 0, 1, 0, 1, 1]))) == .pictureUnreadable)
    #expect(code(Self.jpeg(middle: Self.segment(0xC0, [8, 0, 1, 0, 1, 1]))) == .pictureUnreadable)
    #expect(code(Self.jpeg(0, 30)) == .pictureUnreadable)
    #expect(code(Self.png(0, 30)) == .pictureUnreadable)
    #expect(code(Self.png(middle: Self.chunk("CgBI", [1]))) == .pictureUnreadable)
    #expect(code(Self.png(middle: Self.chunk("IHDR", [1]))) == .pictureUnreadable)
  }

  @Test(arguments: [jpeg(), png(), webp(lossy), webp(lossless)])
  func onlyTheWholeOfItIsTaken(_ bytes: [UInt8]) {
    for count in 0..<bytes.count {
      #expect(code(Array(bytes.prefix(count))) == .pictureUnreadable, "\(count) of \(bytes.count)")
    }
  }

  @Test func pixelsAreCountedBeforeAnyIsDecoded() {
    #expect(code(Self.png(30_000, 30_000)) == .pictureTooLarge)
    #expect(code(Self.png(0x7FFF_FFFF, 0x7FFF_FFFF)) == .pictureTooLarge)
    #expect(code(Self.png(0xFFFF_FFFF, 0xFFFF_FFFF)) == .pictureTooLarge)
    #expect(code(Self.jpeg(65_535, 65_535)) == .pictureTooLarge)
    let sides = Self.number(16_383 | 16_383 << 14, of: 4)
    #expect(code(Self.webp(Self.riff("VP8L", [0x2F] + sides + [9]))) == .pictureTooLarge)
    #expect(code(Self.jpeg(8064, 6048)) == nil, "what a phone makes")
    #expect(code(Array(repeating: 0xFF, count: Limits.pictureBytes + 1)) == .pictureTooLarge)
  }

  @Test func aPictureOfEndlessScansIsRefused() {
    let scan = Self.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1]
    let some = Array(repeating: scan, count: 10).flatMap(\.self)
    #expect(code(Self.jpeg(frame: 0xC2, scan: [1] + some)) == nil)
    let many = Array(repeating: scan, count: 100).flatMap(\.self)
    #expect(code(Self.jpeg(frame: 0xC2, scan: [1] + many)) == .pictureUnreadable)
  }

  // MARK: The square

  @Test func theSquareIsInsideWhateverIsAsked() {
    let middle = PictureSquare(PictureCrop(), width: 400, height: 300)
    #expect(middle.x == 50 && middle.y == 0 && middle.side == 300)
    let asked = PictureSquare(PictureCrop(x: 0.25, y: 0.5, size: 0.5), width: 400, height: 300)
    #expect(asked.x == 100 && asked.y == 150 && asked.side == 150)
    for size in [0, 0.0001, 0.3, 1] {
      for (x, y) in [(0.0, 0.0), (1, 1), (0.9, 0.1)] {
        for (width, height) in [(400, 300), (3, 4000), (1, 1)] {
          let square = PictureSquare(PictureCrop(x: x, y: y, size: size), width: width, height: height)
          #expect(square.side >= 1 && square.x >= 0 && square.y >= 0)
          #expect(square.x + square.side <= width && square.y + square.side <= height)
        }
      }
    }
  }
}
