/// A table of a `…Protocol.swift`.
public protocol NamedRow: CaseIterable, RawRepresentable<Int64> {
  var row: (fields: [String], meaning: String) { get }
}

/// What the kinds and fields of a wire are called, to make the lines of a trace readable:
///
///     2400 stepped(15) pages=1
///       play(11) player=1 item=2
///
/// is an event at 2400 ms and a command. Names are for people: who replays a trace takes the numbers.
public struct RowNames: Sendable {
  private struct Kind: Sendable {
    var name: String
    /// By place; the last may be that of several words.
    var fields: [String]
  }

  private var events: [Int64: Kind] = [:]
  private var commands: [Int64: Kind]

  /// Those of `MachineHost`: its command is the session's, whatever it hosts.
  public init() { commands = [34: Kind(name: "wake", fields: ["instant"])] }

  public func adding<Event: NamedRow, Command: NamedRow>(_: Event.Type, _: Command.Type) -> RowNames {
    var names = self
    for kind in Event.allCases { names.events[kind.rawValue] = Self.kind(kind) }
    for kind in Command.allCases { names.commands[kind.rawValue] = Self.kind(kind) }
    return names
  }

  private static func kind(_ kind: some NamedRow) -> Kind {
    Kind(name: "\(kind)", fields: kind.row.fields.map { String($0.drop { $0 == "…" }.prefix { $0 != " " }) })
  }

  /// A line of a trace with names. One without words of its own is left as it is.
  public func added(to line: String) -> String {
    let words = line.split(separator: " ")
    switch words.first {
    case "event" where words.count > 2:
      return "\(words[1]) " + Self.named(words[2], words.dropFirst(3), events)
    case "command": return "  " + Self.named(words[1], words.dropFirst(3), commands)
    default: return line
    }
  }

  private static func named(
    _ number: Substring, _ words: ArraySlice<Substring>, _ kinds: [Int64: Kind]
  ) -> String {
    let kind = Int64(number).flatMap { kinds[$0] }
    let names = kind?.fields ?? []
    let fields = words.enumerated().map { $0 < names.count ? "\(names[$0])=\($1)" : String($1) }
    return (["\(kind?.name ?? "unknown")(\(number))"] + fields).joined(separator: " ")
  }

  /// The line without its names: `event <ms> <words>`, `command <words>`.
  static func removed(from text: String) -> String {
    let words = text.split(separator: " ")
    let place = text.hasPrefix("  ") ? 0 : 1
    guard words.count > place, words[place].hasSuffix(")"),
      let kind = words[place].split(separator: "(").last?.dropLast()
    else { return text }
    let fields = words.dropFirst(place + 1).compactMap { $0.split(separator: "=").last }
    let head = place == 1 ? ["event", words[0], kind] : ["command", kind, "\(fields.count)"]
    return (head + fields).joined(separator: " ")
  }
}
