/// Words and phrases that are looked for in texts of strangers.
///
/// Both are taken apart in the same way (`WordUnits`): words of scripts with spaces between them are found as
/// whole words, letters of the other scripts and emoji wherever they stand, whatever stands between them.
/// What is disguised (digits and letters of another script in the place of those that they look like, letters
/// many times) is found by what it looks like, and nothing else is: an honest word never counts as another
/// one.
///
/// Looking takes as long as the text is long, times the units of the longest phrase at most, however many
/// words there are and whatever the text is: one tree holds them all.
public struct WordFilter: Sendable {
  /// Scalars of a text that are looked at: more than any text here may have.
  public static let scalars = 8000
  /// Units of a phrase that count.
  private static let deepest = 50

  private var spelled = WordTree()
  private var disguised = WordTree()

  public init(_ words: [String]) {
    for (index, word) in words.enumerated() {
      let units = WordUnits.all(of: word).prefix(Self.deepest)
      guard !units.isEmpty else { continue }
      spelled.add(units.map(\.spelling), index)
      disguised.add(units.map(\.look), index)
    }
  }

  /// The place in the list of the one that begins first in the text, of two that begin there the shorter one.
  public func first(in text: String) -> Int? {
    guard !spelled.isEmpty else { return nil }
    let units = WordUnits.all(of: text)
    let spellings = units.map { spelled.id(of: $0.spelling) }
    let looks = units.map { disguised.id(of: $0.look) }
    for start in units.indices {
      if let found = spelled.first(in: spellings[start...], where: { _ in true }) { return found }
      // What stands there as it is spelled is none: without a disguise it is not another one.
      let isDisguised = { (end: Int) in units[start..<end].contains(where: \.isDisguised) }
      if let found = disguised.first(in: looks[start...], where: isDisguised) { return found }
    }
    return nil
  }

  /// What two spellings of the same have in common; nil: there is no letter and no picture in it, so it can
  /// be found nowhere.
  public static func key(of word: String) -> [UInt8]? {
    let units = WordUnits.all(of: word).prefix(deepest)
    return units.isEmpty ? nil : Array(units.map(\.spelling).joined(separator: [0x20]))
  }
}

/// Phrases by their units, each of which is a number.
private struct WordTree: Sendable {
  private struct Step: Hashable {
    let node: Int
    let id: Int
  }

  private var ids: [[UInt8]: Int] = [:]
  private var steps: [Step: Int] = [:]
  private var ends: [Int: Int] = [:]
  private var nodes = 1

  var isEmpty: Bool { steps.isEmpty }

  mutating func add(_ units: [[UInt8]], _ index: Int) {
    var node = 0
    for unit in units {
      let id = ids[unit] ?? ids.count
      ids[unit] = id
      let step = Step(node: node, id: id)
      if steps[step] == nil {
        steps[step] = nodes
        nodes += 1
      }
      node = steps[step] ?? 0
    }
    // Of two that are the same the first counts.
    if ends[node] == nil { ends[node] = index }
  }

  /// Nil: it is in no phrase.
  func id(of unit: [UInt8]) -> Int? { ids[unit] }

  /// The shortest phrase that stands at the start. `counts`: whether it does, by where it ends.
  func first(in units: ArraySlice<Int?>, where counts: (Int) -> Bool) -> Int? {
    var node = 0
    for (place, id) in zip(units.indices, units) {
      guard let id, let next = steps[Step(node: node, id: id)] else { return nil }
      node = next
      if let end = ends[node], counts(place + 1) { return end }
    }
    return nil
  }
}
