import Foundation

/// A typical mistake: a place of one file, and what stands there instead.
public struct Mutant: Sendable, Equatable {
  public var name: String
  /// Relative to the app's folder.
  public var file: String
  public var old: String
  public var new: String

  /// Why a mistake cannot be made: it would be counted for one that is told, or for none.
  public enum Problem: Error, Equatable, CustomStringConvertible {
    case nothingGoes(name: String)
    case notThere(name: String, file: String)
    /// Which of them is meant?
    case thereMoreThanOnce(name: String, file: String)
    case sameName(String)
    case noneOf(String)

    public var description: String {
      switch self {
      case .nothingGoes(let name): "\(name): no line goes"
      case .notThere(let name, let file): "\(name): what goes is not in \(file)"
      case .thereMoreThanOnce(let name, let file): "\(name): what goes is in \(file) more than once"
      case .sameName(let name): "two mistakes are called \(name)"
      case .noneOf(let word): "no mistake has this number, name or file: \(word)"
      }
    }
  }

  public init(name: String, file: String, old: String, new: String) {
    (self.name, self.file, self.old, self.new) = (name, file, old, new)
  }

  /// "# name", the file, then lines that go ("- ") and lines that come ("+ ").
  public static func list(_ text: String) throws(Problem) -> [Mutant] {
    let all = ("\n" + text).components(separatedBy: "\n# ").dropFirst().map { block in
      let lines = block.components(separatedBy: "\n")
      func side(_ mark: String) -> String {
        lines.dropFirst(2).filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(2)) }.joined(
          separator: "\n")
      }
      return Mutant(name: lines[0], file: lines.dropFirst().first ?? "", old: side("-"), new: side("+"))
    }
    var names: Set<String> = []
    for mutant in all where !names.insert(mutant.name).inserted { throw .sameName(mutant.name) }
    return all
  }

  /// The file with the mistake in it.
  public func applied(to whole: String) throws(Problem) -> String {
    guard !old.isEmpty else { throw .nothingGoes(name: name) }
    let pieces = whole.components(separatedBy: old)
    guard pieces.count > 1 else { throw .notThere(name: name, file: file) }
    guard pieces.count == 2 else { throw .thereMoreThanOnce(name: name, file: file) }
    return pieces.joined(separator: new)
  }
}

/// A part of the list: numbers ("7"), ranges of them ("10-20") and pieces of a name or of a file's path. No
/// word at all is the whole of it. Numbers begin with 1.
public func chosen(_ words: [String], of mutants: [Mutant]) throws(Mutant.Problem) -> [Int] {
  guard !words.isEmpty else { return Array(mutants.indices) }
  var all: Set<Int> = []
  for word in words {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    let found = mutants.indices.filter { index in
      switch (ends.first ?? nil, ends.last ?? nil, ends.count) {
      case (let first?, let last?, 1...2): first - 1 <= index && index <= last - 1
      default: mutants[index].name.contains(word) || mutants[index].file.contains(word)
      }
    }
    guard !found.isEmpty else { throw .noneOf(word) }
    all.formUnion(found)
  }
  return all.sorted()
}
