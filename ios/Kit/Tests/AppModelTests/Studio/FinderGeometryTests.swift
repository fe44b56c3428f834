import CoreTypes
import Testing

@testable import AppModel

@Suite struct FinderGeometryTests {
  /// Where the corner that is the upper left of the stored picture is shown, by Exif's own table.
  private static let exifRowAndColumn: [Int32: (top: String, left: String)] = [
    1: ("top", "left"), 2: ("top", "right"), 3: ("bottom", "right"), 4: ("bottom", "left"),
    5: ("left", "top"), 6: ("right", "top"), 7: ("right", "bottom"), 8: ("left", "bottom"),
  ]

  /// The side on which the first row (0, 0)–(1, 0) and the first column (0, 0)–(0, 1) are seen.
  private func sides(_ turn: PictureTurn) -> (row: String, column: String) {
    func shown(_ x: Double, _ y: Double) -> (Double, Double) {
      let m = turn.matrix(width: 1, height: 1)
      var point = (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])
      if turn.isMirrored { point.0 = 1 - point.0 }
      return point
    }
    func side(_ a: (Double, Double), _ b: (Double, Double)) -> String {
      if a.0 == b.0 { return a.0 == 0 ? "left" : "right" }
      return a.1 == 0 ? "top" : "bottom"
    }
    return (side(shown(0, 0), shown(1, 0)), side(shown(0, 0), shown(0, 1)))
  }

  private static let turns = (0..<4).flatMap { quarters in
    [false, true].map { PictureTurn(quarters: quarters, isMirrored: $0) }
  }

  @Test func matrixExifAndMirrorSayTheSame() {
    for turn in Self.turns {
      let seen = sides(turn)
      #expect(Self.exifRowAndColumn[turn.exif]! == (top: seen.row, left: seen.column), "\(turn)")
      let m = turn.matrix(width: 3, height: 2)
      let flip: Double = turn.isMirrored ? -1 : 1
      #expect(PictureTurn(matrix: m[0] * flip, m[1], m[2] * flip, m[3]) == turn)
    }
  }

  @Test func degreesOfAnyKindAreQuarters() {
    #expect(PictureTurn(degrees: 90).quarters == 1)
    #expect(PictureTurn(degrees: -90).quarters == 3)
    #expect(PictureTurn(degrees: 359).quarters == 0)
    #expect(PictureTurn(degrees: .nan).quarters == 0)
    #expect(PictureTurn(degrees: 1e300).quarters < 4)
  }

  @Test func aTapFindsItsPlaceInTheSensorsPictureWhateverWayItIsTurned() {
    for turn in Self.turns {
      let geometry = FinderGeometry(turn: turn, width: 400, height: 200)
      let (wide, high) = turn.swapsSides ? (200.0, 400.0) : (400.0, 200.0)
      let m = turn.matrix(width: 400, height: 200)
      for (x, y) in [(100.0, 50.0), (300.0, 120.0), (200.0, 100.0)] {
        var shown = (m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])
        if turn.isMirrored { shown.0 = wide - shown.0 }
        // A finder of half the size and the same shape.
        let place = geometry.place(x: shown.0 / 2, y: shown.1 / 2, inWidth: wide / 2, height: high / 2)
        let (wrongX, wrongY) = (abs(place.x - x / 400), abs(place.y - y / 200))
        #expect(max(wrongX, wrongY) < 1e-9, "\(turn) \(x) \(y)")
      }
    }
  }

  @Test func aPictureThatFillsTheFinderLosesItsEdges() {
    let geometry = FinderGeometry(turn: PictureTurn(quarters: 0), width: 200, height: 100)
    let place = geometry.place(x: 0, y: 0, inWidth: 100, height: 100)
    #expect(place.x == 0.25 && place.y == 0)
    let none = geometry.place(x: .nan, y: 0, inWidth: 0, height: 100)
    #expect(none.x == 0.5 && none.y == 0.5)
  }

  @Test func zoomStaysWithinWhatTheCameraHas() {
    var zoom = ZoomScale()
    zoom.use(1...123)
    zoom.pinch(by: 2)
    zoom.pinch(by: 3)
    #expect(zoom.factor == 3)
    zoom.endPinch()
    zoom.pinch(by: 1.2)
    #expect(abs(zoom.factor - 3.6) < 1e-9)
    zoom.set(.infinity)
    zoom.set(1_000)
    #expect(zoom.factor == 8)
    #expect(zoom.text == "8×")
    zoom.set(1.54)
    #expect(zoom.text == "1.5×")
  }
}

@Suite struct CaptureFormatsTests {
  private func format(_ width: Int, _ height: Int, _ fastest: Double, isDeep: Bool = false)
    -> CaptureFormats.Format
  {
    CaptureFormats.Format(width: width, height: height, frameRates: [1...fastest], isDeep: isDeep)
  }

  @Test func takesFullHDAtTheRateIfThereIsOne() {
    let formats = [
      format(1280, 720, 240), format(1920, 1080, 30), format(1920, 1080, 60, isDeep: true),
      format(1920, 1080, 60), format(3840, 2160, 60),
    ]
    #expect(CaptureFormats.choose(formats, frameRate: 30)! == (1, 30))
    #expect(CaptureFormats.choose(formats, frameRate: 60)! == (3, 60))
    #expect(CaptureFormats.rates(formats) == [30, 60])
  }

  @Test func aCameraThatHasLessGivesWhatItHas() {
    let formats = [format(640, 480, 30), format(1280, 720, 30)]
    #expect(CaptureFormats.choose(formats, frameRate: 60)! == (1, 30))
    #expect(CaptureFormats.rates(formats) == [30])
    #expect(CaptureFormats.choose([format(4000, 3000, 15)], frameRate: 60)! == (0, 15))
    #expect(CaptureFormats.choose([], frameRate: 30) == nil)
  }
}

@Suite struct CaptureTimelineTests {
  private let frame: Int64 = 33_333_333

  @Test func beginsWithAPictureAndEndsAtItsLongest() {
    var line = CaptureTimeline(longest: Milliseconds(1_000))
    #expect(line.sound(at: 5) == .drop)
    #expect(line.picture(at: 1_000) == .begin)
    #expect(line.sound(at: 999) == .drop)
    #expect(line.sound(at: 2_000) == .append)
    #expect(line.sound(at: 2_000) == .drop)
    for index in 1..<30 { #expect(line.picture(at: 1_000 + frame * Int64(index)) == .append) }
    #expect(line.picture(at: 1_000) == .drop)
    #expect(line.length == Milliseconds(999))
    #expect(line.picture(at: 1_000_001_000) == .end)
    #expect(line.sound(at: 1_000_001_000) == .drop)
    #expect(line.length == Milliseconds(999))
  }

  @Test func aClockThatJumpsEndsTheClipInsteadOfStretchingIt() {
    var line = CaptureTimeline(longest: Milliseconds(60_000))
    #expect(line.picture(at: .min) == .begin)
    #expect(line.picture(at: .max) == .end)
    #expect(line.length == .zero)
  }
}
