public import Contract

/// How far a generation is, as a person sees it: it never goes back, and is whole only once there is a clip.
public struct GenerationProgress: Equatable, Sendable {
  /// Of what is not there the last part is left open.
  private static let most = 990

  public private(set) var permille = 0

  public init() {}

  /// 0 to 1.
  public var share: Double { Double(permille) / 1000 }

  mutating func take(_ generation: Generation) {
    permille =
      generation.state == .ready ? 1000 : max(permille, min(max(generation.permille, 0), Self.most))
  }
}

/// The versions of one wish: what refines another belongs to it.
public enum GenerationVersions {
  /// More are made of one wish by nobody who looks at them side by side.
  static let most = 24

  /// All of `known` that hang together with the one of `id`, the oldest first.
  public static func of(_ id: String, in known: [Generation]) -> [Generation] {
    var family: Set<String> = [id]
    // NB: what a server says may go round.
    for _ in 0..<most {
      let before = family.count
      for generation in known {
        guard let older = generation.refinesId else { continue }
        if family.contains(generation.id) || family.contains(older) {
          family.formUnion([generation.id, older])
        }
      }
      if family.count == before { break }
    }
    let versions = known.filter { family.contains($0.id) }
    return versions.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.suffix(most)
  }
}
