internal import Contract
public import Foundation
public import Generation
internal import Platform

/// The VideoProvider port on a program that the operator names.
///
/// It reads what is wanted as JSON from its standard input, writes `video.mp4` into its folder, and ends with
/// 0; with 3 for what is against its rules, with 4 for what it does not take. Lines such as `progress 0.25`
/// say how far it is. The prompt is a stranger's text: it is in that JSON alone, never in an argument.
///
/// It runs in the same room as ffmpeg, with no network and no other files than its own. An operator whose
/// program needs more can open that room; time, memory and the size of files stay limited.
public struct CommandVideoProvider: VideoProvider {
  public struct Settings: Sendable {
    /// The program and its arguments.
    public var command: [String]
    /// Files that it may read beside programs and libraries (models).
    public var files: [URL] = []
    /// False: it sees what this user sees.
    public var isConfined = true
    public var wallSeconds = 900
    public var memoryMegabytes = 8192
    public var videoMegabytes = 1024
    /// Ascending.
    public var seconds = [5, 10, 15]
    public var takesPictures = false
    public var concurrent = 1

    public init(command: [String]) { self.command = command }
  }

  public let name: String
  public let capabilities: VideoCapabilities
  private let settings: Settings
  private let program: String
  private let files: [URL]
  private let runs: VideoRuns

  /// `folder`: of its own, in which it makes what it needs. Throws `invalid_parameter` if there is no such
  /// program.
  public init(name: String, _ settings: Settings, folder: URL) throws {
    guard let first = settings.command.first, !first.isEmpty else {
      throw AppError(.invalidParameter, "The program that makes videos has no name.")
    }
    let path = first.contains("/") ? URL(fileURLWithPath: first).path : try? FFmpegTools.find(first)
    guard let path, FileManager.default.isExecutableFile(atPath: path) else {
      throw AppError(.invalidParameter, "The program \(first) is not there, or cannot be run.")
    }
    self.name = name
    self.settings = settings
    program = path
    // What lies among the system's programs is in the room anyway, and cannot be put there once more.
    let isOfSystem = ["/usr/", "/bin/", "/sbin/", "/lib"].contains { path.hasPrefix($0) }
    files = settings.files + (isOfSystem ? [] : [URL(fileURLWithPath: path)])
    capabilities = VideoCapabilities(
      seconds: settings.seconds, aspects: Set(VideoAspect.allCases), takesPictures: settings.takesPictures,
      concurrent: settings.concurrent, pollSeconds: 1)
    runs = VideoRuns(folder: folder, concurrent: settings.concurrent)
  }

  /// What the program reads.
  private struct Wanted: Encodable {
    var version = 1
    var prompt: String
    var seconds: Int
    var aspect: String
    var width: Int
    var height: Int
    /// Files in its folder.
    var picture: String?
    var output = VideoRuns.output
  }

  public func create(_ request: VideoRequest, key: String) async throws -> String {
    guard settings.seconds.contains(request.seconds), request.refined == nil,
      request.picture == nil || settings.takesPictures
    else { throw ProviderFailure(.invalid, "it does not take that") }
    let size = request.aspect.drawnSize
    let wanted = Wanted(
      prompt: request.prompt, seconds: request.seconds, aspect: request.aspect.rawValue, width: size.width,
      height: size.height, picture: request.picture == nil ? nil : VideoRuns.picture)
    guard let input = try? WireCoding.encode(wanted) else {
      throw ProviderFailure(.invalid, "it cannot be written down")
    }
    return try runs.begin(key: key, input: input, picture: request.picture, child: child) { line in
      Self.permille(in: line)
    }
  }

  private func child(in room: URL) -> ChildProcess {
    var child = ChildProcess(
      program: program, arguments: Array(settings.command.dropFirst()), folder: room, readable: files,
      memoryBytes: UInt64(clamping: settings.memoryMegabytes) << 20,
      cpuSeconds: UInt64(clamping: settings.wallSeconds) * 16,
      fileBytes: UInt64(clamping: settings.videoMegabytes) << 20, wallSeconds: Double(settings.wallSeconds),
      niceness: Confinement.patientNiceness)
    if !settings.isConfined { child.level = .limits }
    // Keys and passwords of ours are nothing for it. What shuts it in needs the programs of sbin.
    child.environment = [
      "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": room.path,
    ]
    return child
  }

  /// `progress 0.25`
  static func permille(in line: Substring) -> Int? {
    guard let rest = line.rest(behind: "progress "), let part = Double(String(rest.withoutBlanks)),
      part.isFinite
    else { return nil }
    return Int(clamping: part * 1000, to: 0...1000)
  }

  public func status(of id: String) async throws -> VideoStatus { runs.status(of: id) }

  public func content(of id: String, into file: URL, atMost bytes: Int64) async throws {
    try await runs.content(of: id, into: file, atMost: bytes)
  }

  public func cancel(_ id: String) async throws { runs.cancel(id) }
}
