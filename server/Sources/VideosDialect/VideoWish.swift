internal import Contract
internal import Platform

/// What a program wants to have made, of what can be had here.
struct VideoWish: Sendable, Equatable {
  let generation: NewGeneration
  /// A file to start from, of which nothing is known yet.
  let picture: [UInt8]?

  /// `lengths`: what can be had, ascending. Throws `invalid_parameter`, `prompt_empty` and
  /// `generation_not_possible`.
  init(_ fields: DialectFields, lengths: [Int]) throws {
    picture = try fields.file("input_reference")
    // Whoever makes it is the operator's choice, so any name does.
    _ = try fields.text("model")
    let wanted = try fields.number("seconds") ?? lengths.first ?? 0
    // One in between is the next longer one.
    guard wanted > 0, let seconds = lengths.first(where: { $0 >= wanted }) else {
      throw AppError(
        .generationNotPossible,
        "seconds must be 1 to \(lengths.last ?? 0); what is made has \(Self.list(lengths)).",
        field: "seconds")
    }
    generation = NewGeneration(
      prompt: try fields.prompt(), seconds: seconds, aspect: try Self.aspect(try fields.text("size")))
  }

  private static func list(_ lengths: [Int]) -> String { lengths.map { "\($0)" }.joined(separator: ", ") }

  private static let aspects: [String: GenerationAspect] = [
    "720x1280": .portrait, "1024x1792": .portrait, "1080x1920": .portrait,
    "1280x720": .landscape, "1792x1024": .landscape, "1920x1080": .landscape,
    "720x720": .square, "1024x1024": .square, "1080x1080": .square,
  ]

  private static func aspect(_ size: String?) throws -> GenerationAspect {
    guard let size else { return .portrait }
    guard let aspect = aspects[size] else {
      throw AppError(
        .invalidParameter, "size must be one of \(aspects.keys.sorted().joined(separator: ", ")).",
        field: "size")
    }
    return aspect
  }
}
