/// What the command was told.
struct Options {
  var kuairand: String?
  /// Folders of static splits, by name.
  var splits: [(name: String, folder: String)] = []
  var every = 1
  /// Measure the days on which settings are chosen, instead of those after them.
  var isValidation = false
  /// Leave out the table of retrieval, which takes most of the time.
  var isRankingOnly = false
  var isQuiet = false
  var isHelp = false

  var isEmpty: Bool { kuairand == nil && splits.isEmpty }

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
      case "--validation": isValidation = true
      case "--ranking-only": isRankingOnly = true
      case "--kuairand": kuairand = try Self.value(of: option, &rest)
      case "--gowalla", "--ml1m", "--tiktok":
        splits.append((String(option.dropFirst(2)), try Self.value(of: option, &rest)))
      case "--every":
        guard let number = Int(try Self.value(of: option, &rest)), (1...1_000_000).contains(number) else {
          throw Failure(description: "--every takes a whole number from 1")
        }
        every = number
      default: throw Failure(description: "unknown option \(option)")
      }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw Failure(description: "\(option) needs a value") }
    return value
  }
}
