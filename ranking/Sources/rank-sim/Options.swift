/// What the command was told.
struct Options {
  /// Seeds that were not looked at while anything was chosen: those were 1 to 4.
  var firstSeed: UInt64 = 101
  var seeds = 5
  var days = 14
  var comparesPolicies = true
  var triesRing = true
  var isQuiet = false
  var isHelp = false

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init() {}

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--help", "-h": isHelp = true
      case "--quiet": isQuiet = true
      case "--no-ring": triesRing = false
      case "--ring": comparesPolicies = false
      case "--seed": firstSeed = UInt64(try Self.number(of: option, 0...1_000_000, &rest))
      case "--seeds": seeds = try Self.number(of: option, 1...1_000, &rest)
      case "--days": days = try Self.number(of: option, 5...365, &rest)
      default: throw Failure(description: "unknown option \(option)")
      }
    }
  }

  private static func number(
    of option: String, _ range: ClosedRange<Int>, _ rest: inout ArraySlice<String>
  ) throws -> Int {
    guard let text = rest.popFirst(), let number = Int(text), range.contains(number) else {
      throw Failure(
        description: "\(option) takes a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
