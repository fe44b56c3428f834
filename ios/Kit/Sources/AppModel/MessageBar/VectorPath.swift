internal import Foundation

/// A path of the grammar of SVG, brought down to what every drawing library has: moves, lines, cubic
/// curves.
///
/// It reads what our own pictures have (`M L H V C Q A Z`, absolute and relative), and stops at what it
/// does not know.
public struct VectorPath: Equatable, Sendable {
  public struct Point: Equatable, Sendable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) {
      self.x = x
      self.y = y
    }

    static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(a.x - b.x, a.y - b.y) }
    static func * (a: Point, factor: Double) -> Point { Point(a.x * factor, a.y * factor) }
  }

  public enum Element: Equatable, Sendable {
    case move(Point)
    case line(Point)
    case curve(Point, Point, to: Point)
    case close
  }

  public private(set) var elements: [Element] = []
  private var place = Point(0, 0)
  private var start = Point(0, 0)

  public init(path: String) {
    var reader = PathReader(path)
    while let command = reader.command() {
      var isFirst = true
      // A command stands for all groups of numbers behind it.
      while isFirst || reader.hasNumber {
        guard add(command, isFirst: isFirst, &reader) else { return }
        isFirst = false
        if command == "z" || command == "Z" { break }
      }
    }
  }

  /// An ellipse of four curves.
  public init(ellipseAt center: Point, radiusX: Double, radiusY: Double) {
    let (x, y) = (center.x, center.y)
    elements = [.move(Point(x - radiusX, y))]
    place = Point(x - radiusX, y)
    arc(to: Point(x + radiusX, y), radiusX, radiusY, turn: 0, isLarge: true, isSweeping: true)
    arc(to: Point(x - radiusX, y), radiusX, radiusY, turn: 0, isLarge: true, isSweeping: true)
    elements.append(.close)
  }

  private mutating func add(_ command: Character, isFirst: Bool, _ reader: inout PathReader) -> Bool {
    let origin = command.isLowercase ? place : Point(0, 0)
    switch command.lowercased() {
    case "m":
      guard let point = reader.point() else { return false }
      place = origin + point
      if isFirst { start = place }
      elements.append(isFirst ? .move(place) : .line(place))
    case "l":
      guard let point = reader.point() else { return false }
      line(to: origin + point)
    case "h":
      guard let x = reader.number() else { return false }
      line(to: Point(origin.x + x, place.y))
    case "v":
      guard let y = reader.number() else { return false }
      line(to: Point(place.x, origin.y + y))
    case "c":
      guard let one = reader.point(), let two = reader.point(), let end = reader.point() else { return false }
      curve(origin + one, origin + two, to: origin + end)
    case "q":
      guard let one = reader.point(), let end = reader.point() else { return false }
      let control = origin + one
      let target = origin + end
      curve(place + (control - place) * (2.0 / 3), target + (control - target) * (2.0 / 3), to: target)
    case "a":
      guard let radii = reader.point(), let turn = reader.number(), let isLarge = reader.flag(),
        let isSweeping = reader.flag(), let end = reader.point()
      else { return false }
      arc(to: origin + end, radii.x, radii.y, turn: turn, isLarge: isLarge, isSweeping: isSweeping)
    case "z":
      elements.append(.close)
      place = start
    default: return false
    }
    return true
  }

  private mutating func line(to point: Point) {
    place = point
    elements.append(.line(point))
  }

  private mutating func curve(_ one: Point, _ two: Point, to end: Point) {
    place = end
    elements.append(.curve(one, two, to: end))
  }

  /// SVG 2, B.2.4: from the ends to the centre, then a curve for each quarter at most.
  private mutating func arc(
    to end: Point, _ radiusX: Double, _ radiusY: Double, turn: Double, isLarge: Bool, isSweeping: Bool
  ) {
    guard end != place else { return }
    var rx = abs(radiusX)
    var ry = abs(radiusY)
    guard rx > 0, ry > 0 else { return line(to: end) }
    let phi = turn * .pi / 180
    let half = (place - end) * 0.5
    let x = cos(phi) * half.x + sin(phi) * half.y
    let y = -sin(phi) * half.x + cos(phi) * half.y
    // Radii that do not reach are made to.
    let lack = (x * x) / (rx * rx) + (y * y) / (ry * ry)
    if lack > 1 {
      rx *= lack.squareRoot()
      ry *= lack.squareRoot()
    }
    let below = rx * rx * y * y + ry * ry * x * x
    let root = max(0, (rx * rx * ry * ry - below) / below).squareRoot() * (isLarge == isSweeping ? -1 : 1)
    let cx = root * rx * y / ry
    let cy = -root * ry * x / rx
    let middle = (place + end) * 0.5
    let center = Point(cos(phi) * cx - sin(phi) * cy + middle.x, sin(phi) * cx + cos(phi) * cy + middle.y)
    let from = atan2((y - cy) / ry, (x - cx) / rx)
    var sweep = atan2((-y - cy) / ry, (-x - cx) / rx) - from
    if isSweeping, sweep < 0 { sweep += 2 * .pi }
    if !isSweeping, sweep > 0 { sweep -= 2 * .pi }
    let count = max(1, min(4, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up))))
    let step = sweep / Double(count)
    let length = 4.0 / 3 * tan(step / 4)
    func on(_ angle: Double) -> Point {
      Point(
        center.x + rx * cos(angle) * cos(phi) - ry * sin(angle) * sin(phi),
        center.y + rx * cos(angle) * sin(phi) + ry * sin(angle) * cos(phi))
    }
    func along(_ angle: Double) -> Point {
      Point(
        -rx * sin(angle) * cos(phi) - ry * cos(angle) * sin(phi),
        -rx * sin(angle) * sin(phi) + ry * cos(angle) * cos(phi))
    }
    for index in 0..<count {
      let a = from + Double(index) * step
      let b = a + step
      let target = index == count - 1 ? end : on(b)
      curve(on(a) + along(a) * length, target - along(b) * length, to: target)
    }
  }
}

/// Reads the letters and numbers of a path.
private struct PathReader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  private mutating func skip() {
    while index < bytes.count, [9, 10, 13, 32, 44].contains(bytes[index]) { index += 1 }
  }

  mutating func command() -> Character? {
    skip()
    guard index < bytes.count else { return nil }
    let letter = Character(Unicode.Scalar(bytes[index]))
    guard letter.isLetter else { return nil }
    index += 1
    return letter
  }

  var hasNumber: Bool {
    mutating get {
      skip()
      return index < bytes.count
        && (bytes[index] == 43 || bytes[index] == 45 || bytes[index] == 46 || isDigit)
    }
  }

  private var isDigit: Bool { index < bytes.count && (48...57).contains(bytes[index]) }

  /// A number ends where another sign or another point begins.
  mutating func number() -> Double? {
    guard hasNumber else { return nil }
    let begin = index
    if !isDigit, bytes[index] != 46 { index += 1 }
    while isDigit { index += 1 }
    if index < bytes.count, bytes[index] == 46 {
      index += 1
      while isDigit { index += 1 }
    }
    let value = Double(String(decoding: bytes[begin..<index], as: UTF8.self))
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  mutating func point() -> VectorPath.Point? {
    guard let x = number(), let y = number() else { return nil }
    return VectorPath.Point(x, y)
  }

  /// One digit, whatever stands behind it.
  mutating func flag() -> Bool? {
    skip()
    guard index < bytes.count, bytes[index] == 48 || bytes[index] == 49 else { return nil }
    index += 1
    return bytes[index - 1] == 49
  }
}
