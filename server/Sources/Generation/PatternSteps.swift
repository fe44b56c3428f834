/// The steps of an expression, with its repetitions written out: a fork or a jump for each of its signs, as
/// Thompson has them. Until it is known where a fork or a jump leads, `match` stands in its place.
struct PatternSteps {
  private(set) var all: [PromptPattern.Step] = []

  private mutating func append(_ step: PromptPattern.Step) throws {
    guard all.count < PromptPattern.mostSteps else {
      throw PromptPattern.Fault(
        description:
          "It is too large: with all repetitions written out it may have \(PromptPattern.mostSteps) steps.")
    }
    all.append(step)
  }

  mutating func add(_ node: PatternNode) throws {
    switch node {
    case .one(let step): try append(step)
    case .sequence(let nodes):
      for node in nodes { try add(node) }
    case .either(let nodes):
      var ends: [Int] = []
      for node in nodes.dropLast() {
        let fork = all.count
        try append(.match)
        try add(node)
        ends.append(all.count)
        try append(.match)
        all[fork] = .split(fork + 1, all.count)
      }
      if let last = nodes.last { try add(last) }
      for end in ends { all[end] = .jump(all.count) }
    case .repeated(let node, let least, let most):
      var last = all.count
      for _ in 0..<least {
        last = all.count
        try add(node)
      }
      if let most { return try addOptional(node, most - least) }
      guard least == 0 else { return try append(.split(last, all.count + 1)) }
      try append(.match)
      try add(node)
      try append(.jump(last))
      all[last] = .split(last + 1, all.count)
    }
  }

  private mutating func addOptional(_ node: PatternNode, _ count: Int) throws {
    var forks: [Int] = []
    for _ in 0..<count {
      forks.append(all.count)
      try append(.match)
      try add(node)
    }
    for fork in forks { all[fork] = .split(fork + 1, all.count) }
  }
}
