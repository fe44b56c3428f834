/// What a run says of itself: how many mistakes were told, and whether that is what it promises.
public struct Verdict: Sendable {
  public let lines: [String]
  public let isGood: Bool

  /// `missed` are indices; `known` the names of those that may get through. A part of the list promises no
  /// share, and nothing of those that were not tried.
  public init(_ mutants: [Mutant], tried: [Int], missed: Set<Int>, known: Set<String>) {
    let reported = tried.count - missed.count
    var lines = [
      "\(reported) of \(tried.count) mistakes are told (\(reported * 100 / max(tried.count, 1)) %)"
    ]
    var isGood = true
    if tried.count == mutants.count {
      if tried.count < 60 {
        lines.append("60 are to be tried at least")
        isGood = false
      }
      if reported * 10 < tried.count * 9 {
        lines.append("90 % are to be told at least")
        isGood = false
      }
      for name in known.subtracting(mutants.map(\.name)).sorted() {
        lines.append("is in the list of those that get through, and is no mistake: \(name)")
        isGood = false
      }
    }
    for index in tried where missed.contains(index) != known.contains(mutants[index].name) {
      lines.append(
        missed.contains(index)
          ? "gets through and is not in the list of those: \(mutants[index].name)"
          : "is told, and in the list of those that get through: \(mutants[index].name)")
      isGood = false
    }
    self.lines = lines
    self.isGood = isGood
  }

  /// Names of those that are known to get through: "name | reason", "#" begins a comment.
  public static func known(_ text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        var name = line.prefix { $0 != "|" }
        while name.last == " " { name.removeLast() }
        return String(name)
      })
  }
}
