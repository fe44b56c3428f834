import Foundation

/// What Apple's frameworks call of ours, by the declarations: methods of protocols, and where an object that
/// has them is handed over.
struct DeclaredCallbacks: Sendable {
  /// Names of a protocol's methods, its parents' included.
  private(set) var methods: [String: Set<String>] = [:]
  /// `delegate` for a property, `setSampleBufferDelegate` for a method.
  private(set) var places: [String: Set<String>] = [:]
  /// Each word of the declarations: what is none cannot be called by a framework.
  let words: Set<String>

  /// `texts`: of the interfaces.
  init(_ texts: [String]) {
    var parents: [String: [String]] = [:]
    var words: Set<String> = []
    for text in texts {
      words.formUnion(
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.lazy.map { String($0) })
      var open: String?
      for line in text.split(separator: "\n").map({ String($0) }) {
        if line.contains("protocol "), let found = Self.groups(#"\bprotocol (\w+)(?: : ([^{]*))?\{"#, line) {
          open = found[0]
          methods[found[0], default: []].formUnion([])
          parents[found[0]] = found[1].split(separator: ",").map {
            String($0.split(separator: ".").last ?? "").trimmingCharacters(in: .whitespaces)
          }
        } else if line == "}" {
          open = nil
        }
        if let open, line.contains("func ") {
          methods[open]?.formUnion(SourceFunction.all(in: line).map(\.name))
        }
        guard line.contains("(any ") else { continue }
        if let found = Self.groups(#"\bvar (\w+): \(any (?:\w+\.)?(\w+)\)\?"#, line) {
          places[found[1], default: []].insert(found[0])
        }
        if let found = Self.groups(#"\bfunc (\w+)\(.*\(any (?:\w+\.)?(\w+)\)\?"#, line) {
          places[found[1], default: []].insert(found[0])
        }
      }
    }
    self.words = words
    for name in methods.keys {
      var ahead = parents[name] ?? []
      while let parent = ahead.popLast() {
        let inherited = methods[parent] ?? []
        methods[name]?.formUnion(inherited)
        ahead += parents[parent] ?? []
      }
    }
  }

  /// `nil`: the pattern is not there. A group that is not there is empty.
  static func groups(_ pattern: String, _ text: String) -> [String]? {
    let expression = try! NSRegularExpression(pattern: pattern)
    let whole = text as NSString
    guard let match = expression.firstMatch(in: text, range: NSRange(location: 0, length: whole.length))
    else {
      return nil
    }
    return (1..<match.numberOfRanges).map {
      match.range(at: $0).location == NSNotFound ? "" : whole.substring(with: match.range(at: $0))
    }
  }
}
