import Foundation
import Synchronization

/// What a compiler lets pass and a phone does not: methods that nobody calls, delegates that nobody is given,
/// steps that need another one.
struct SourceRules: Sendable {
  struct Source: Sendable {
    var path: String
    /// Without comments, a mark for each text.
    var code: String
    /// Whether the rules are for it, or it only shows what is called.
    var isChecked: Bool
  }

  private(set) var faults: [String] = []
  private let callbacks: DeclaredCallbacks

  init(_ sources: [Source], callbacks: DeclaredCallbacks) {
    self.callbacks = callbacks
    var uses: [Substring: Int] = [:]
    for source in sources {
      for word in source.code.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
        uses[word, default: 0] += 1
      }
    }
    for source in sources where source.isChecked {
      let functions = SourceFunction.all(in: source.code)
      let delegates = Self.conformances(in: source.code).filter { callbacks.methods[$0] != nil }
      for function in functions {
        var found = check(function, delegates)
        if found == nil, !function.has("override"), uses[Substring(function.base)] == 1,
          !callbacks.words.contains(function.base)
        {
          found = "nobody calls \(function.name)"
        }
        if let found { faults.append("\(source.path): \(found)") }
      }
      let found =
        checkPlaces(source.code, delegates) + checkSteps(source.code) + checkState(source.code)
        + functions.flatMap { checkContinuations($0.body ?? "") } + checkPictures(source.code)
      faults += found.map { "\(source.path): \($0)" }
    }
  }

  /// What classes and extensions of a source say that they are.
  static func conformances(in code: String) -> [String] {
    matches(#"\b(?:class|extension|struct|actor)\s+[\w.]+\s*:([^{]*)\{"#, in: code).flatMap { clause in
      clause.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0) }
    }
  }

  // MARK: Functions

  /// UIKit counts on these.
  private static let needSuper: Set<String> = [
    "viewDidLoad", "viewWillAppear", "viewIsAppearing", "viewDidAppear", "viewWillDisappear",
    "viewDidDisappear", "viewWillLayoutSubviews", "viewDidLayoutSubviews", "viewWillTransition",
    "layoutSubviews", "updateConstraints", "prepareForReuse", "didMoveToWindow", "didMoveToSuperview",
  ]

  private func check(_ function: SourceFunction, _ delegates: [String]) -> String? {
    guard let body = function.body else { return nil }
    if function.has("override"), Self.needSuper.contains(function.base),
      !body.contains("super.\(function.base)(")
    {
      return "\(function.name) does not call super"
    }
    for parameter in function.parameters where parameter.type.contains("@escaping") {
      // The system waits for it, or somebody does.
      if Self.count(#"\b\#(parameter.name)\b"#, in: body) == 0 {
        return "\(function.name) never calls or hands on \(parameter.name)"
      }
    }
    guard !["private", "fileprivate", "override", "static", "@objc"].contains(where: function.has) else {
      return nil
    }
    for delegate in delegates {
      let names = callbacks.methods[delegate] ?? []
      if names.contains(function.name) { return nil }
    }
    for delegate in delegates {
      let names = callbacks.methods[delegate] ?? []
      if names.contains(where: { $0.hasPrefix(function.base + "(") }) {
        return "\(function.name) is none of \(delegate)’s methods, and is called as they are"
      }
    }
    return nil
  }

  // MARK: Delegates

  /// Where the object is handed over stands in the file that says what it is.
  private func checkPlaces(_ code: String, _ delegates: [String]) -> [String] {
    var needed: [String: [String]] = [:]
    for delegate in delegates where delegate != "UIApplicationDelegate" {
      for place in callbacks.places[delegate] ?? [] { needed[place, default: []].append(delegate) }
    }
    return needed.sorted { $0.key < $1.key }.compactMap { place, delegates in
      let given = Self.count(#"\b\#(place)\s*=(?!=)|\.\#(place)\("#, in: code)
      return given >= delegates.count
        ? nil : "\(delegates.joined(separator: ", ")) by \(place): nobody is given it"
    }
  }

  // MARK: Steps

  private func checkSteps(_ code: String) -> [String] {
    SourceStep.all.compactMap { step in
      let uses = Self.count(step.first, in: code)
      let answers = Self.count(step.needed, in: code)
      return uses > 0 && answers < (step.isEach ? uses : 1) ? step.words : nil
    }
  }

  // MARK: State

  /// SwiftUI keeps the first value of a state: what is handed in later is not seen.
  private func checkState(_ code: String) -> [String] {
    Self.matches(
      #"@State\s+(?:(?:private|fileprivate)\s+)?var\s+(\w+)\s*:\s*[\w.<>\[\]]+[ ]*(?=\n)"#, in: code
    )
    .filter { Self.count(#"\b_\#($0)\s*=\s*State\("#, in: code) == 0 }
    .map { "@State \($0) has no value of its own: what is handed in is not followed" }
  }

  /// Who waits for one that nobody resumes waits for ever.
  private func checkContinuations(_ code: String) -> [String] {
    let pattern = #"\bwithChecked(?:Throwing)?Continuation\s*\{\s*\(?(\w+)\s*(?::[^)]*\))?\s+in\b"#
    return Self.matches(pattern, in: code).filter { Self.count(#"\b\#($0)\b"#, in: code) < 2 }.map {
      "nobody resumes \($0)"
    }
  }

  /// A button that is only a picture has to be named for who does not see it.
  private func checkPictures(_ code: String) -> [String] {
    let pattern =
      #"(?:\blabel:|\bButton\([^\n{]*\))\s*\{\s*Image\(systemName:[^{}]*\}((?:\s*\.\w+[^\n]*)*)"#
    return Self.matches(pattern, in: code).contains { !$0.contains(".accessibilityLabel(") }
      ? ["a button that is only a picture has no name"] : []
  }

  // MARK: Patterns

  private static let compiled = Mutex<[String: NSRegularExpression]>([:])

  private static func expression(_ pattern: String) -> NSRegularExpression {
    compiled.withLock { known in
      if let found = known[pattern] { return found }
      let new = try! NSRegularExpression(pattern: pattern)
      known[pattern] = new
      return new
    }
  }

  static func count(_ pattern: String, in text: String) -> Int {
    expression(pattern).numberOfMatches(in: text, range: NSRange(location: 0, length: text.utf16.count))
  }

  /// The first group of each.
  static func matches(_ pattern: String, in text: String) -> [String] {
    let whole = text as NSString
    return expression(pattern).matches(in: text, range: NSRange(location: 0, length: whole.length)).map {
      whole.substring(with: $0.range(at: 1))
    }
  }
}
