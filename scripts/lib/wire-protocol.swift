// Writes what is made of the wire's names and numbers: the tables of docs/design and those of the web client's modules.
// Compiled with each `…Protocol.swift` of core/Sources. Arguments: `--check`, to compare and change nothing.
import Foundation

/// One table of a `…Protocol.swift`.
protocol Kind: CaseIterable, RawRepresentable<Int64> {
  var row: (fields: [String], meaning: String) { get }
}
extension EventKind: Kind {}
extension CommandKind: Kind {}
extension ComposerEventKind: Kind {}
extension ComposerCommandKind: Kind {}
extension RecordingEventKind: Kind {}
extension RecordingCommandKind: Kind {}
extension UploadEventKind: Kind {}
extension UploadCommandKind: Kind {}
extension ActivityEventKind: Kind {}
extension ActivityCommandKind: Kind {}
extension SignInEventKind: Kind {}
extension SignInCommandKind: Kind {}

struct Row {
  /// A field's name, and what is said of it. That of the last one may begin with "…": any number of words.
  struct Field {
    var name: Substring
    var note: Substring

    init(_ text: String) {
      name = text.prefix { $0 != " " }
      note = text.dropFirst(name.count)
    }
  }

  var name: String
  var number: Int64
  var fields: [Field]
  var meaning: String

  init(_ kind: some Kind) {
    name = "\(kind)"
    number = kind.rawValue
    fields = kind.row.fields.map { Field($0) }
    meaning = kind.row.meaning
  }

  static func all<Table: Kind>(_: Table.Type) -> [Row] { Table.allCases.map { Row($0) } }

  /// As a line of a Markdown table.
  var line: String {
    let fields = fields.map { "`\($0.name)`\($0.note)" }.joined(separator: ", ")
    return
      "| \(number) | `\(name)` | \(fields.isEmpty ? "–" : fields) |\(meaning.isEmpty ? "" : " \(meaning)") |"
  }
}

/// A text in which parts are made, and all else is written by hand.
struct Page {
  struct Missing: Error, CustomStringConvertible { let description: String }

  let path: String
  let original: String
  var lines: [String]

  init(_ path: String) throws {
    self.path = path
    original = try String(contentsOfFile: path, encoding: .utf8)
    lines = original.components(separatedBy: "\n")
  }

  /// The first table under a heading; its two head lines stay.
  mutating func table(_ heading: String, _ rows: [Row]) throws {
    guard let place = lines.firstIndex(of: "## \(heading)"),
      let head = lines[place...].firstIndex(where: { $0.hasPrefix("|---") })
    else { throw Missing(description: "\(path): there is no table under \"\(heading)\"") }
    let end = lines[head...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    lines.replaceSubrange((head + 1)..<end, with: rows.map(\.line))
  }

  /// What stands between the backquotes behind `name = `: a number is that of the row behind it, and from there they
  /// count on.
  mutating func table(inBackquotes name: String, _ rows: [Row], withFields: Bool = false, width: Int = 118)
    throws
  {
    guard let place = lines.firstIndex(where: { $0.contains(" \(name) = ") && $0.contains("`") }),
      let end = lines[place...].firstIndex(where: { $0.hasSuffix(";") })
    else { throw Missing(description: "\(path): there is no \(name) in backquotes") }
    var made = [lines[place].components(separatedBy: "`")[0] + "`"]
    let tail = "`" + lines[end].components(separatedBy: "`").last!
    var next: Int64?
    for row in rows.sorted(by: { $0.number < $1.number }) {
      let fields =
        withFields && !row.fields.isEmpty ? ":" + row.fields.map(\.name).joined(separator: ",") : ""
      let word = (row.number == next ? "" : "\(row.number) ") + row.name + fields
      next = row.number + 1
      if made[made.count - 1].count + word.count + tail.count + 1 > width { made.append(" ") }
      made[made.count - 1] += (made[made.count - 1].hasSuffix("`") ? "" : " ") + word
    }
    made[made.count - 1] += tail
    lines.replaceSubrange(place...end, with: made)
  }

  /// Whether it was as it is to be.
  func settle(checking: Bool) throws -> Bool {
    let text = lines.joined(separator: "\n")
    if text == original { return true }
    if !checking { try text.write(toFile: path, atomically: true, encoding: .utf8) }
    return false
  }
}

@main struct WireProtocol {
  static func main() throws {
    let events = Row.all(EventKind.self)
    let commands = Row.all(CommandKind.self)
    let composerEvents = Row.all(ComposerEventKind.self)
    let composerCommands = Row.all(ComposerCommandKind.self)
    try agree(events + composerEvents, "event")
    try agree(commands + composerCommands, "command")

    var session = try Page("docs/design/session.md")
    try session.table("Events (host → core)", events)
    try session.table("Commands (core → host)", commands)
    var studio = try Page("docs/design/studio.md")
    try studio.table("Composer events (host → core)", composerEvents)
    try studio.table("Composer commands (core → host)", composerCommands)
    var core = try Page("web/app/core/core.js")
    try core.table(inBackquotes: "EVENT", events)
    try core.table(inBackquotes: "COMMANDS", commands, withFields: true)
    var bar = try Page("web/app/messages/bar.js")
    let barEvents = ComposerEventKind.allCases.filter(\.isOfHost).map { Row($0) }
    try bar.table(inBackquotes: "BAR_EVENT", barEvents)
    let barCommands = ComposerCommandKind.allCases.filter(\.isForHost).map { Row($0) }
    try bar.table(inBackquotes: "BAR_COMMANDS", barCommands, withFields: true)

    // Each machine behind a door of its own asks to be woken as a session does.
    let wake = commands.filter { $0.name == "wake" }
    let woke = events.filter { $0.name == "woke" }
    let recordingEvents = Row.all(RecordingEventKind.self)
    let recordingCommands = Row.all(RecordingCommandKind.self)
    try agree(woke + recordingEvents, "event")
    try studio.table("Recording events (host → core)", recordingEvents)
    try studio.table("Recording commands (core → host)", recordingCommands)
    var recorder = try Page("web/app/studio/wire.js")
    try recorder.table(inBackquotes: "RECORDING", recordingEvents)
    try recorder.table(inBackquotes: "COMMANDS", wake + recordingCommands, withFields: true)

    let uploadEvents = Row.all(UploadEventKind.self)
    let uploadCommands = Row.all(UploadCommandKind.self)
    try agree(woke + uploadEvents, "event")
    var upload = try Page("docs/design/upload.md")
    try upload.table("Events (host → core)", uploadEvents)
    try upload.table("Commands (core → host)", uploadCommands)
    var uploader = try Page("web/app/upload/wire.js")
    try uploader.table(inBackquotes: "UPLOAD", uploadEvents)
    try uploader.table(inBackquotes: "COMMANDS", wake + uploadCommands, withFields: true)

    let activityEvents = Row.all(ActivityEventKind.self)
    let activityCommands = Row.all(ActivityCommandKind.self)
    try agree(woke + activityEvents, "event")
    var activity = try Page("docs/design/activity.md")
    try activity.table("Events (host → core)", activityEvents)
    try activity.table("Commands (core → host)", activityCommands)
    var watching = try Page("web/app/activity/activity.js")
    try watching.table(inBackquotes: "ACTIVITY", activityEvents)
    try watching.table(inBackquotes: "COMMANDS", wake + activityCommands, withFields: true)

    let signInEvents = Row.all(SignInEventKind.self)
    let signInCommands = Row.all(SignInCommandKind.self)
    try agree(woke + signInEvents, "event")
    var signIn = try Page("docs/design/sign-in.md")
    try signIn.table("Events (host → core)", signInEvents)
    try signIn.table("Commands (core → host)", signInCommands)
    var requests = try Page("web/app/api/api.js")
    try requests.table(inBackquotes: "SIGN_IN", signInEvents)
    try requests.table(inBackquotes: "COMMANDS", wake + signInCommands, withFields: true)

    let checking = CommandLine.arguments.contains("--check")
    var isSettled = true
    for page in [
      session, studio, upload, activity, signIn, core, bar, recorder, uploader, watching, requests,
    ]
    where try !page.settle(checking: checking) {
      print(
        page.path
          + (checking ? " is not what scripts/wire-protocol.sh makes of core/Sources/*/*Protocol.swift" : ""))
      isSettled = false
    }
    if checking, !isSettled { exit(1) }
  }

  /// A number that two tables share has one name, and the other way round.
  static func agree(_ rows: [Row], _ what: String) throws {
    let pairs = Set(rows.map { "\($0.number) \($0.name)" })
    guard pairs.count == Set(rows.map(\.name)).count, pairs.count == Set(rows.map(\.number)).count else {
      throw Page.Missing(description: "two \(what)s share a name or a number: \(pairs.sorted())")
    }
  }
}
