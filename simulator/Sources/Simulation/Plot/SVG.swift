internal import Foundation

/// A drawing under construction: rectangles, lines, paths and texts, styled by classes.
struct SVG {
  private(set) var elements: [String] = []

  mutating func append(_ element: String) { elements.append(element) }

  mutating func rect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ classes: String, radius: Double = 0,
    title: String? = nil
  ) {
    let corner = radius > 0 ? " rx=\"\(Self.number(radius))\"" : ""
    let place = "x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
    let size = "width=\"\(Self.number(max(0, width)))\" height=\"\(Self.number(max(0, height)))\""
    let head = "<rect class=\"\(classes)\" \(place) \(size)\(corner)"
    elements.append(title.map { "\(head)><title>\(Self.escaped($0))</title></rect>" } ?? head + "/>")
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ classes: String) {
    path("M\(Self.number(x1)) \(Self.number(y1))L\(Self.number(x2)) \(Self.number(y2))", classes)
  }

  mutating func path(_ data: String, _ classes: String) {
    elements.append("<path class=\"\(classes)\" d=\"\(data)\"/>")
  }

  mutating func text(_ x: Double, _ y: Double, _ text: String, _ classes: String) {
    elements.append(
      "<text class=\"\(classes)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">"
        + "\(Self.escaped(text))</text>")
  }

  /// Everything drawn in `content` is cut off at this rectangle.
  mutating func clipped(
    to name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    _ content: (inout SVG) -> Void
  ) {
    elements.append("<clipPath id=\"\(name)\">")
    rect(x, y, width, height, "")
    elements.append("</clipPath><g clip-path=\"url(#\(name))\">")
    content(&self)
    elements.append("</g>")
  }

  func document(width: Double, height: Double, style: String, label: String) -> String {
    let size = "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\""
    let box = "viewBox=\"0 0 \(Self.number(width)) \(Self.number(height))\""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \(box) role="img" aria-label="\(Self.escaped(label))">
      <style>
      \(style)
      </style>
      \(PlotStyle.patterns)
      \(elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// One decimal, none where it is 0.
  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0
      ? String(Int(tenths / 10)) : String(format: "%.1f", tenths / 10)
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
