import Contract
import CoreTypes
import Foundation
import MediaStore
import Persistence
import Playback

#if canImport(Glibc)
  import Glibc
#endif

/// Kills evenings with -9 at random moments and starts them again in the same folder.
///
/// The store must hold the server's bytes and nothing else, what was said to be saved must be there, and
/// every start must come up. At the end a whole evening must keep its word.
@MainActor final class Kills {
  /// As long as a start may take on a busy machine.
  private static let patience = Duration.seconds(60)

  private let options: Handset.Options
  private let count: Int
  private let say: ([String]) -> Void
  private let transport: HTTPTransport
  private var generator: SeededGenerator
  /// Files of the server, by address.
  private var files: [String: Data] = [:]
  private var faults: [String: Int] = [:]
  private var parts = 0
  private var feed = Saved()
  private var draft = Saved()

  /// What a victim said of one of its files.
  private struct Saved {
    /// What is there for certain, and what may be there by now.
    var certain: String?
    var tried: String?

    func allows(_ found: String?) -> Bool { found == tried || found == certain }

    mutating func found(_ found: String?) { (certain, tried) = (found, found) }
  }

  init(_ options: Handset.Options, count: Int, seed: UInt64, say: @escaping ([String]) -> Void) {
    self.options = options
    self.count = count
    self.say = say
    generator = SeededGenerator(seed: seed)
    transport = HTTPTransport(base: options.server)
  }

  /// How many kinds of faults there were.
  func run() async throws -> Int {
    try? FileManager.default.removeItem(at: options.data)
    try FileManager.default.createDirectory(at: options.data, withIntermediateDirectories: true)
    for number in 0..<count {
      try await kill(number)
      checkSaved()
      // In between nobody but the app itself tidies up.
      if number % 2 == 1 || number == count - 1 { try await checkStore() }
    }
    let last = try victim(["--swipes", "6", "--link", "4g", "--seed", "\(count)"])
    while last.process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
    if last.process.terminationStatus != 0 { fault("the evening after the last kill broke its word") }
    try await checkStore()
    transport.invalidate()
    if parts == 0 || feed.certain == nil || draft.certain == nil { fault("nothing was saved") }
    let names = try FileManager.default.contentsOfDirectory(atPath: options.data.path)
    if names.contains(where: { $0.hasPrefix(".") }) { fault("scratch that nobody removed") }
    say(
      [
        "\(count) kills: \(parts) parts on disk compared with the server's bytes, "
          + "last feed \(feed.certain == nil ? "never saved" : "there"), draft \(draft.certain ?? "never saved")"
      ] + faults.sorted { $0.key < $1.key }.map { "BROKEN: \($0.key), \($0.value) times" })
    return faults.count
  }

  private func fault(_ what: String) { faults[what, default: 0] += 1 }

  private func victim(_ arguments: [String]) throws -> (process: Process, output: URL) {
    let output = options.data.appending(path: "said")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments =
      [
        "evening", "--server", options.server.absoluteString, "--data", options.data.path, "--pace", "0.15",
        "--leaves-every", "3", "--tells", "yes",
      ] + arguments
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }

  private func kill(_ number: Int) async throws {
    let link = ["wifi", "4g", "3g", "dying"][number % 4]
    let (process, output) = try victim(["--swipes", "100000", "--link", link, "--seed", "\(number)"])
    // One in five is killed while it starts.
    if generator.next(below: 5) > 0 {
      let clock = ContinuousClock()
      let limit = clock.now + Self.patience
      while process.isRunning, clock.now < limit, !lines(output).contains("started") {
        try await Task.sleep(for: .milliseconds(5))
      }
      if !lines(output).contains("started") { fault("a start that failed") }
      try await Task.sleep(for: .milliseconds(generator.next(below: 3_000)))
    } else {
      try await Task.sleep(for: .milliseconds(generator.next(below: 300)))
    }
    if !process.isRunning { fault("an evening that ended by itself") }
    Glibc.kill(process.processIdentifier, SIGKILL)
    while process.isRunning { try await Task.sleep(for: .milliseconds(2)) }
    hear(lines(output))
  }

  private func lines(_ output: URL) -> [Substring] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: true)
  }

  /// NB: a line stands there once it is written; what follows it may have happened or not.
  private func hear(_ lines: [Substring]) {
    for line in lines {
      switch line {
      case "feed saved": feed.certain = feed.tried
      case "draft saved": draft.certain = draft.tried
      default:
        if line.hasPrefix("feed ") { feed.tried = String(line.dropFirst(5)) }
        if line.hasPrefix("draft ") { draft.tried = String(line.dropFirst(6)) }
      }
    }
  }

  private func checkSaved() {
    let library = Library(root: options.data)
    let shown = library.lastFeed.load()?.shown
    if !feed.allows(shown) { fault("a last feed that is not the one that was saved") }
    let text = library.drafts.load()?["clip"]?.text
    if !draft.allows(text) { fault("a draft that is not the one that was saved") }
    feed.found(shown)
    draft.found(text)
  }

  private func checkStore() async throws {
    let store = try DiskStore(root: options.data.appending(path: "media"))
    for clip in await store.clips {
      for part in await store.holds(clip)?.parts ?? [] {
        guard let bytes = await store.read(part, of: clip) else {
          fault("a part that cannot be read")
          continue
        }
        parts += 1
        let file = try await file(part.blob)
        let end = part.offset + part.size
        if end > file.count || file[part.offset..<end] != bytes { fault("wrong bytes on disk") }
      }
    }
  }

  private func file(_ address: String) async throws -> Data {
    let path = String(address.prefix { $0 != "?" })
    if let known = files[path] { return known }
    let answer = try await transport.send(WireRequest("GET", path))
    files[path] = answer.body
    return answer.body
  }
}
