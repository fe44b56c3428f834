internal import Platform

/// A regular expression of the operator's that is looked for in prompts.
///
/// All ways through it are followed at once, so a search takes time linear in the text, whatever the text is
/// and however the expression is written (K. Thompson, "Regular expression search algorithm", CACM 11 (6),
/// 1968; R. Cox, "Regular expression matching can be simple and fast", 2007). What would have to go back is
/// not in it: references to groups, and looking ahead or behind.
///
/// Text and expression are folded as words are (`FoldedText`): case, accents and width make no difference.
/// The end of a line is a blank.
struct PromptPattern: Sendable {
  /// Scalars of an expression.
  static let longest = 200
  /// Steps of one, with all repetitions written out: the factor of the time that a search takes.
  static let mostSteps = 500
  static let deepest = 20

  struct Fault: Error, Equatable, CustomStringConvertible {
    /// A sentence.
    let description: String
  }

  /// A prompt as it is looked at, prepared once for all expressions.
  struct Text: Sendable {
    let scalars: [Unicode.Scalar]
    let isWord: [Bool]

    init(_ text: String) {
      scalars = FoldedText.folded(text).unicodeScalars.map { $0 == "\n" ? " " : $0 }
      isWord = scalars.map(Kind.word.has)
    }

    private func isWordBefore(_ place: Int) -> Bool { place > 0 && isWord[place - 1] }
    private func isWordAt(_ place: Int) -> Bool { place < isWord.count && isWord[place] }

    func holds(_ edge: Edge, at place: Int) -> Bool {
      switch edge {
      case .start: place == 0
      case .end: place == scalars.count
      case .word(let isThere): (isWordBefore(place) != isWordAt(place)) == isThere
      }
    }
  }

  enum Kind: Sendable {
    case word, digit, blank

    func has(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .word: scalar == "_" || FoldedText.kind(of: scalar) != .between
      case .digit: scalar.properties.generalCategory == .decimalNumber
      case .blank: scalar.properties.isWhitespace
      }
    }
  }

  /// Scalars of which one is meant.
  struct ScalarSet: Sendable {
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    /// `isThere`: false: all but those of the kind.
    var kinds: [(kind: Kind, isThere: Bool)] = []
    var isNegated = false

    func has(_ scalar: Unicode.Scalar) -> Bool {
      let isIn =
        ranges.contains { $0.contains(scalar) } || kinds.contains { $0.kind.has(scalar) == $0.isThere }
      return isIn != isNegated
    }
  }

  enum Edge: Sendable {
    case start, end
    /// Of a word; false: anywhere else.
    case word(Bool)
  }

  enum Step: Sendable {
    case scalar(Unicode.Scalar)
    case any
    case set(ScalarSet)
    case edge(Edge)
    case jump(Int)
    case split(Int, Int)
    case match
  }

  private let steps: [Step]

  /// Throws `Fault`.
  init(_ text: String) throws {
    // Marks that no text has once it is folded.
    let scalars = Array(BoundedText.normalized(text).unicodeScalars.filter { !FoldedText.isMark($0) })
    guard !scalars.isEmpty else { throw Fault(description: "There is nothing in it.") }
    guard scalars.count <= Self.longest else {
      throw Fault(description: "It has more than \(Self.longest) characters.")
    }
    guard PlainText.line(text).hasSameBytes(as: BoundedText.normalized(text)) else {
      throw Fault(
        description:
          "It has characters that cannot be seen, or blanks at an end or in a row; \\s is a blank as well.")
    }
    var reader = PatternReader(scalars)
    var program = PatternSteps()
    try program.add(try reader.expression())
    steps = program.all + [.match]
    guard !matches(Text("")) else {
      throw Fault(description: "It is found in every text, since it is found where there is nothing.")
    }
  }

  /// Whether it is found anywhere.
  func matches(_ text: Text) -> Bool {
    // The place at which a step was reached last: each counts once at each place.
    var reached = [Int](repeating: -1, count: steps.count)
    var (here, next, pending): ([Int], [Int], [Int]) = ([], [], [])

    func reach(_ first: Int, at place: Int, _ threads: inout [Int]) -> Bool {
      pending.append(first)
      while let step = pending.popLast() {
        guard reached[step] != place else { continue }
        reached[step] = place
        switch steps[step] {
        case .match: return true
        case .jump(let target): pending.append(target)
        case .split(let one, let other):
          pending.append(other)
          pending.append(one)
        case .edge(let edge):
          if text.holds(edge, at: place) { pending.append(step + 1) }
        case .scalar, .any, .set: threads.append(step)
        }
      }
      return false
    }

    for place in 0...text.scalars.count {
      if reach(0, at: place, &here) { return true }
      guard place < text.scalars.count else { break }
      let scalar = text.scalars[place]
      next.removeAll(keepingCapacity: true)
      for thread in here where takes(thread, scalar) {
        if reach(thread + 1, at: place + 1, &next) { return true }
      }
      swap(&here, &next)
    }
    return false
  }

  private func takes(_ step: Int, _ scalar: Unicode.Scalar) -> Bool {
    switch steps[step] {
    case .scalar(let wanted): wanted == scalar
    case .any: true
    case .set(let set): set.has(scalar)
    case .edge, .jump, .split, .match: false
    }
  }
}
