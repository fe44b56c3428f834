import Contract
import CoreTypes
import Foundation
import Playback
import Transfer
import Upload

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The upload queue as a program: real HTTP, real files, a real server, and a mishap at a step that is told
/// beforehand. Started again on the same folder, it goes on.
@main struct Uploads {
  static let usage = """
    uploads --server URL --data FOLDER [--file FILE | --again FILE] [--small FILE] [--mishap KIND --at STEP]
            [--process ID]
    KIND: kill, kill-server, stop-server, lose-file, no-room
    Ends with 0 (published), 3 (the file is gone), 4 (refused, failed), 5 (nothing to do), or killed.
    """

  @MainActor static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count.isMultiple(of: 2) else { return end(2, usage) }
    var options: [String: String] = [:]
    for index in stride(from: 0, to: words.count, by: 2) { options[words[index]] = words[index + 1] }
    guard let server = options["--server"].flatMap({ URL(string: $0) }), let data = options["--data"] else {
      return end(2, usage)
    }
    let root = URL(filePath: data)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 60
    let queue = UploadQueue(
      root: root,
      UploadHost.Ports(
        api: HTTPTransport(base: server), base: server, bytes: SessionUploads(configuration: configuration),
        clock: RunningClock(SystemClock()),
        tools: FileTools(hash: { try ProgramHash() }, duration: { _ in Milliseconds(10_000) }),
        compressor: options["--small"].map { SlowCopy(small: URL(filePath: $0)) }))
    let mishap = Mishap(
      options["--mishap"] ?? "", at: options["--at"].flatMap { Int($0) } ?? .max,
      process: options["--process"].flatMap { Int32($0) } ?? 0, root: root)
    await run(queue, mishap, file: options["--file"], again: options["--again"])
  }

  @MainActor private static func run(
    _ queue: UploadQueue, _ mishap: Mishap, file: String?, again: String?
  ) async {
    queue.onChange = { [weak queue] in
      queue?.active?.onCommand = { _ in mishap.step() }
      queue?.active?.onWork = { mishap.step() }
    }
    await queue.start()
    if queue.active == nil, queue.waiting.isEmpty {
      guard let file else { return end(5, "nothing waits") }
      let form = UploadForm(caption: "Dawn #pier", tags: "torture")
      do {
        try await queue.add(URL(filePath: file), name: "film.mp4", form: form, isPublishRequested: true)
      } catch { return end(4, "\(error)") }
    }
    var patience = 0
    var again = again
    while queue.active != nil || !queue.waiting.isEmpty {
      try? await Task.sleep(for: .milliseconds(20))
      switch queue.active?.state.phase {
      case .findingFile:
        patience += 1
        if patience > 50, again == nil { return end(3, "the file is gone") }
        if let file = again {
          again = nil
          try? await queue.chooseAgain(URL(filePath: file))
        }
      case .failed:
        if queue.active?.state.screen.reason == .unreadable {
          queue.active?.retry()
        } else {
          return end(4, "failed: \(queue.active?.state.screen.reason ?? .none)")
        }
      default: break
      }
    }
    guard let ended = queue.ended, ended.phase == .published else {
      return end(4, "refused: \(String(describing: queue.ended?.code))")
    }
    end(0, "published \(ended.clip?.id ?? "") after \(mishap.steps) steps")
  }

  private static func end(_ status: Int32, _ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
    exit(status)
  }
}

/// What goes wrong, once, at one step.
@MainActor final class Mishap {
  private let kind: String
  private let at: Int
  private let process: Int32
  private let root: URL
  private(set) var steps = 0

  init(_ kind: String, at: Int, process: Int32, root: URL) {
    self.kind = kind
    self.at = at
    self.process = process
    self.root = root
  }

  @discardableResult func step() -> Bool {
    defer { steps += 1 }
    guard steps == at else { return true }
    switch kind {
    case "kill": kill(getpid(), SIGKILL)
    case "kill-server": kill(process, SIGKILL)
    case "stop-server": kill(process, SIGSTOP)
    case "lose-file":
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
      where name.contains("/source") {
        try? FileManager.default.removeItem(at: root.appending(path: name))
      }
      kill(getpid(), SIGKILL)
    case "no-room": loseRoom()
    default: break
    }
    return true
  }

  /// Larger files cannot be written for two seconds: parts do not fit any more, and what is remembered does.
  private func loseRoom() {
    signal(SIGXFSZ, SIG_IGN)
    Self.limitFiles(to: 65_536)
    Task {
      try? await Task.sleep(for: .seconds(2))
      Self.limitFiles(to: .max)
    }
  }

  private static func limitFiles(to bytes: UInt) {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    getrlimit(resource, &limit)
    limit.rlim_cur = min(rlim_t(bytes), limit.rlim_max)
    setrlimit(resource, &limit)
  }
}
