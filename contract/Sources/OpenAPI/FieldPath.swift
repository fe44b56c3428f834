/// The way from the top of a body to a value in it. Made into text only for whoever is told of a fault.
struct FieldPath {
  private enum Step {
    case name(String)
    case place(Int)
  }

  /// Of a name, which may be a stranger's.
  private static let mostScalars = 64

  private var steps: [Step] = []

  /// `name`: nil is the whole body.
  init(_ name: String? = nil) { if let name { enter(name) } }

  mutating func enter(_ name: String) { steps.append(.name(name)) }
  mutating func enter(_ place: Int) { steps.append(.place(place)) }
  mutating func leave() { steps.removeLast() }

  /// Such as `details.tags[0]`; nil for the whole body.
  var text: String? { text(of: steps) }

  /// The first step alone.
  var first: String? { text(of: steps.prefix(1)) }

  private func text(of steps: some Collection<Step>) -> String? {
    guard !steps.isEmpty else { return nil }
    return WireName.joined(
      steps.map { step in
        switch step {
        case .name(let name): String(String.UnicodeScalarView(name.unicodeScalars.prefix(Self.mostScalars)))
        case .place(let place): "[\(place)]"
        }
      })
  }
}
