// What is known of Apple's Objective-C interfaces from elsewhere: `ios/Declarations/facts.txt`. One fact a
// line, fields apart by tabs. Types are written in one form for both sides (see `Canonical`).
import Foundation

/// Where a fact was read.
public struct Origins: OptionSet, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// objc2-generated: made of the headers of an SDK by a translator.
  public static let objc2 = Origins(rawValue: 1)
  /// dotnet/macios: written by hand, with the version of iOS in which a thing appeared.
  public static let macios = Origins(rawValue: 2)

  public var text: String { (contains(.objc2) ? "o" : "") + (contains(.macios) ? "m" : "") }
  public init(text: some StringProtocol) {
    self = []
    if text.contains("o") { insert(.objc2) }
    if text.contains("m") { insert(.macios) }
  }
}

/// A version of iOS. Nothing said: there from the beginning, or before anything that is built for today.
public struct Since: Comparable, Sendable {
  public var major: Int
  public var minor: Int
  public init(_ major: Int = 0, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }
  public init(text: some StringProtocol) {
    let parts = text.split(separator: ".").compactMap { Int($0) }
    self.init(parts.first ?? 0, parts.count > 1 ? parts[1] : 0)
  }
  public var text: String { major == 0 ? "-" : "\(major).\(minor)" }
  public static func < (left: Since, right: Since) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

public struct ClassFact: Sendable {
  public var name: String
  public var superclass: String
  public var isMain: Bool
  public var isProtocol: Bool
  public var since: Since
  public var origins: Origins

  public init(
    name: String, superclass: String, isMain: Bool, isProtocol: Bool, since: Since, origins: Origins
  ) {
    self.name = name
    self.superclass = superclass
    self.isMain = isMain
    self.isProtocol = isProtocol
    self.since = since
    self.origins = origins
  }
}

public struct MethodFact: Sendable {
  public var owner: String
  public var selector: String
  public var isStatic: Bool
  public var parameters: [String]
  public var result: String
  public var isDeprecated: Bool
  public var isOptional: Bool
  public var since: Since
  public var origins: Origins

  public init(
    owner: String, selector: String, isStatic: Bool, parameters: [String], result: String, isDeprecated: Bool,
    isOptional: Bool, since: Since, origins: Origins
  ) {
    self.owner = owner
    self.selector = selector
    self.isStatic = isStatic
    self.parameters = parameters
    self.result = result
    self.isDeprecated = isDeprecated
    self.isOptional = isOptional
    self.since = since
    self.origins = origins
  }
}

public struct Facts: Sendable {
  public var classes: [String: ClassFact] = [:]
  /// By owner and selector, "AVPlayer pause".
  public var methods: [String: MethodFact] = [:]
  /// Of an enumeration or a set of options: names of C, and their values as the header writes them.
  public var values: [String: [(name: String, value: String)]] = [:]
  /// Global constants and functions of C, by name.
  public var constants: [String: String] = [:]

  public init() {}

  public static func key(_ owner: String, _ selector: String) -> String { owner + " " + selector }

  /// The method, looked for in the class and in those above it.
  public func method(_ owner: String, _ selector: String) -> MethodFact? {
    var name = owner
    while true {
      if let found = methods[Facts.key(name, selector)] { return found }
      guard let up = classes[name]?.superclass, up != "-" else { return nil }
      name = up
    }
  }

  public func isMain(_ owner: String) -> Bool {
    var name = owner
    while let known = classes[name] {
      if known.isMain { return true }
      name = known.superclass
    }
    return false
  }

  public init(text: String) {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
      switch cells[0] {
      case "class", "protocol":
        classes[cells[1]] = ClassFact(
          name: cells[1], superclass: cells[2], isMain: cells[3] == "main",
          isProtocol: cells[0] == "protocol",
          since: Since(text: cells[4]), origins: Origins(text: cells[5]))
      case "method":
        let parameters = cells[4] == "-" ? [] : cells[4].components(separatedBy: ", ")
        methods[Facts.key(cells[1], cells[3])] = MethodFact(
          owner: cells[1], selector: cells[3], isStatic: cells[2] == "+", parameters: parameters,
          result: cells[5],
          isDeprecated: cells[8].contains("deprecated"), isOptional: cells[8].contains("optional"),
          since: Since(text: cells[6]), origins: Origins(text: cells[7]))
      case "value": values[cells[1], default: []].append((cells[2], cells[3]))
      default: constants[cells[1]] = cells[2]
      }
    }
  }

  public var text: String {
    var lines: [String] = []
    for fact in classes.values {
      lines.append(
        [
          fact.isProtocol ? "protocol" : "class", fact.name, fact.superclass, fact.isMain ? "main" : "-",
          fact.since.text, fact.origins.text,
        ].joined(separator: "\t"))
    }
    for fact in methods.values {
      let marks = [fact.isOptional ? "optional" : "", fact.isDeprecated ? "deprecated" : ""]
        .filter { !$0.isEmpty }.joined(separator: " ")
      lines.append(
        [
          "method", fact.owner, fact.isStatic ? "+" : "-", fact.selector,
          fact.parameters.isEmpty ? "-" : fact.parameters.joined(separator: ", "), fact.result,
          fact.since.text,
          fact.origins.text, marks.isEmpty ? "-" : marks,
        ].joined(separator: "\t"))
    }
    for (owner, list) in values {
      lines += list.map { "value\t\(owner)\t\($0.name)\t\($0.value)" }
    }
    lines += constants.map { "constant\t\($0.key)\t\($0.value)" }
    return lines.sorted().joined(separator: "\n") + "\n"
  }
}
