internal import Platform

indirect enum PatternNode {
  case one(PromptPattern.Step)
  case sequence([PatternNode])
  case either([PatternNode])
  /// `most`: nil: as often as it is there.
  case repeated(PatternNode, least: Int, most: Int?)
}

/// Reads the expression. Nothing in it is empty, so whatever is repeated has a step.
struct PatternReader {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var depth = 0

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private func fault(_ sentence: String) -> PromptPattern.Fault { .init(description: sentence) }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  mutating func expression() throws -> PatternNode {
    let node = try alternatives()
    // Nothing else ends one here.
    guard next == nil else { throw fault("There is a ) without its (; \\) is the sign itself.") }
    return node
  }

  private mutating func alternatives() throws -> PatternNode {
    var all = [try sequence()]
    while take("|") { all.append(try sequence()) }
    return all.count == 1 ? all[0] : .either(all)
  }

  private mutating func sequence() throws -> PatternNode {
    var all: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" { all.append(try repeated()) }
    guard !all.isEmpty else { throw fault("A group or one side of a | is empty; ? is what may be missing.") }
    return .sequence(all)
  }

  private mutating func repeated() throws -> PatternNode {
    let node = try atom()
    guard let (least, most) = try repetitions() else { return node }
    // As few as possible: whether it is found is the same.
    _ = take("?")
    if let scalar = next, ["*", "+", "?", "{"].contains(scalar) {
      throw fault("What is repeated is repeated again; put it into a group.")
    }
    return .repeated(node, least: least, most: most)
  }

  private mutating func repetitions() throws -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    let wrong = fault("Repetitions are {2}, {2,} or {2,5}, of 1000 at most; \\{ is the sign itself.")
    guard let least = number() else { throw wrong }
    if take("}") { return try bounded(least, least) }
    guard take(",") else { throw wrong }
    if take("}") { return (least, nil) }
    guard let most = number(), take("}") else { throw wrong }
    return try bounded(least, most)
  }

  private func bounded(_ least: Int, _ most: Int) throws -> (least: Int, most: Int?) {
    guard most >= max(least, 1) else {
      throw fault("A number of repetitions has its least before its most, which is 1 or more.")
    }
    return (least, most)
  }

  /// Nil: there is none, or a larger one.
  private mutating func number() -> Int? {
    var digits = ""
    while let scalar = next, ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(scalar)
      place += 1
    }
    return SafeInteger.read(digits, in: 0...1000)
  }

  private mutating func atom() throws -> PatternNode {
    guard let scalar = next else { throw fault("It ends too early.") }
    place += 1
    switch scalar {
    case ".": return .one(.any)
    case "^": return .one(.edge(.start))
    case "$": return .one(.edge(.end))
    case "(": return try group()
    case "[": return .one(.set(try set()))
    case "\\": return try escaped()
    case "*", "+", "?", "{":
      throw fault("There is nothing before a \(scalar); \\\(scalar) is the sign itself.")
    default: return Self.literal(scalar)
    }
  }

  private mutating func group() throws -> PatternNode {
    if take("?"), !take(":") { throw fault("Of groups that begin with (? there are (?: alone.") }
    depth += 1
    defer { depth -= 1 }
    guard depth <= PromptPattern.deepest else {
      throw fault("There are more than \(PromptPattern.deepest) groups in groups.")
    }
    let node = try alternatives()
    guard take(")") else { throw fault("There is a ( without its ); \\( is the sign itself.") }
    return node
  }

  private mutating func escaped() throws -> PatternNode {
    guard let scalar = next else { throw fault("There is nothing behind the last \\.") }
    place += 1
    switch scalar {
    case "b": return .one(.edge(.word(true)))
    case "B": return .one(.edge(.word(false)))
    default: break
    }
    if let (kind, isThere) = Self.kind(scalar) {
      return .one(.set(PromptPattern.ScalarSet(kinds: [(kind, isThere)])))
    }
    return Self.literal(try sign(scalar))
  }

  private static func kind(_ scalar: Unicode.Scalar) -> (PromptPattern.Kind, Bool)? {
    switch scalar {
    case "w": (.word, true)
    case "W": (.word, false)
    case "d": (.digit, true)
    case "D": (.digit, false)
    case "s": (.blank, true)
    case "S": (.blank, false)
    default: nil
    }
  }

  /// What stands for itself behind a backslash.
  private func sign(_ scalar: Unicode.Scalar) throws -> Unicode.Scalar {
    guard FoldedText.kind(of: scalar) == .between else {
      throw fault("Of letters and digits behind a \\ there are b, B, d, D, s, S, w and W alone.")
    }
    return scalar
  }

  /// As it stands in a text that is folded: some are several there.
  private static func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    let folded = FoldedText.folded(String(scalar)).unicodeScalars
    return folded.count > 1
      ? .sequence(folded.map { .one(.scalar($0)) }) : .one(.scalar(folded.first ?? scalar))
  }

  private mutating func set() throws -> PromptPattern.ScalarSet {
    var set = PromptPattern.ScalarSet(isNegated: take("^"))
    while !take("]") {
      guard let scalar = next else { throw fault("There is a [ without its ]; \\[ is the sign itself.") }
      place += 1
      if scalar == "\\", let escaped = next, let (kind, isThere) = Self.kind(escaped) {
        place += 1
        set.kinds.append((kind, isThere))
        continue
      }
      let first = try member(scalar)
      // A - before the end is one.
      guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else {
        set.ranges.append(Self.folded(first)...Self.folded(first))
        continue
      }
      place += 2
      let last = try member(scalars[place - 1])
      guard first <= last else { throw fault("A range in [ ] has its end before its start.") }
      let (low, high) = (Self.folded(first), Self.folded(last))
      set.ranges.append(low <= high ? low...high : first...last)
    }
    guard !set.ranges.isEmpty || !set.kinds.isEmpty else { throw fault("There is nothing in a [ ].") }
    return set
  }

  private mutating func member(_ scalar: Unicode.Scalar) throws -> Unicode.Scalar {
    guard scalar == "\\" else { return scalar }
    guard let escaped = next else { throw fault("There is nothing behind the last \\.") }
    place += 1
    return try sign(escaped)
  }

  /// What is several scalars when it is folded is meant as it is.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let folded = FoldedText.folded(String(scalar)).unicodeScalars
    return folded.count == 1 ? folded.first ?? scalar : scalar
  }
}
