import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import FFmpeg
@testable import PlatformTesting
@testable import ServerTesting
@testable import Transcoding

/// What a program that reads a stranger's file can reach, and how long and how big it may get.
@Suite struct SandboxTests {
  private func child(_ words: String, in folder: URL) throws -> ChildProcess {
    let all = words.split(separator: " ").map(String.init)
    return ChildProcess(
      program: try FFmpegTools.find(all[0]), arguments: Array(all.dropFirst()), folder: folder,
      wallSeconds: 600)
  }

  @Test(.enabled(if: Confinement.level == .folder, "this system allows no namespaces"))
  func aJobSeesNoFileButItsOwn() async throws {
    let bench = try await TestInstance()
    let job = bench.instance.workFolder.appendingPathComponent("one")
    let other = bench.instance.workFolder.appendingPathComponent("other")
    for folder in [job, other] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("secret".utf8).write(to: folder.appendingPathComponent("source.bin"))
    }
    let own = try await child("cat source.bin", in: job).run()
    #expect(own.status == 0 && own.output == Array("secret".utf8))
    for path in [
      other.path + "/source.bin", "../other/source.bin", bench.instance.folder.path + "/clipfeed.sqlite",
      "/etc/passwd", "/proc/self/environ", "/old/etc/passwd", "/proc/1/root/etc/passwd",
    ] {
      let result = try await child("cat \(path)", in: job).run()
      #expect(result.status != 0 && result.output.isEmpty, "\(path)")
    }
    let seen = try await child("ls -A /", in: job).run()
    let names = Set(String(decoding: seen.output, as: UTF8.self).split(separator: "\n").map(String.init))
    let top = try #require(job.standardizedFileURL.pathComponents.dropFirst().first)
    #expect(
      names.isSubset(of: ["bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "old", "sbin", "usr", top]))
    #expect(try await child("touch /usr/mark", in: job).run().status != 0)
    #expect(try await child("umount /old", in: job).run().status != 0)
    #expect(try await child("mount -t tmpfs none /dev", in: job).run().status != 0)
    #expect(try await child("touch mark", in: job).run().status == 0)
  }

  @Test func aFileThatIsNamedFromOutsideCanBeReadAndNothingBesideIt() async throws {
    let bench = try await TestInstance()
    let job = bench.folder.appendingPathComponent("job")
    try FileManager.default.createDirectory(at: job, withIntermediateDirectories: true)
    let file = bench.folder.appendingPathComponent("given.txt")
    try Data("given".utf8).write(to: file)
    var reader = try child("cat \(file.path)", in: job)
    reader.readable = [file]
    #expect(try await reader.run().output == Array("given".utf8))
    var writer = try child("touch \(file.path)", in: job)
    writer.readable = [file]
    #expect(try await writer.run().status != 0 || Confinement.level != .folder)
  }

  @Test func everyLevelRunsAProgramWithinItsLimits() async throws {
    let bench = try await TestInstance()
    for level in Confinement.Level.allCases.drop(while: { $0 != Confinement.level }) {
      let command = try Confinement.prefix(
        memoryBytes: 1 << 30, cpuSeconds: 7, fileBytes: 4096, folder: bench.folder, level: level)
      let (status, output) = try Shell.run(
        command[0], Array(command.dropFirst()) + ["/bin/sh", "-c", "ulimit -t -v"])
      #expect(status == 0, "\(level)")
      #expect(output.contains("7") || output.contains("1048576"), "\(level): \(output)")
    }
  }

  @Test func timeAndOutputAreBounded() async throws {
    let bench = try await TestInstance()
    var endless = try child("ffmpeg -v error -f lavfi -i testsrc2=s=1280x720 -f null -", in: bench.folder)
    endless.cpuSeconds = 1
    endless.wallSeconds = 300
    let stopped = try await endless.run()
    #expect(stopped.status != 0 && !stopped.timedOut)
    endless.cpuSeconds = 60
    endless.wallSeconds = 0.5
    #expect(try await endless.run().timedOut)

    var large = try child(
      "ffmpeg -v error -f lavfi -i testsrc2=s=640x360 -f rawvideo big.raw", in: bench.folder)
    large.fileBytes = 1 << 20
    #expect(try await large.run().status != 0)
    let size = try #require(FileStatus(of: bench.folder.appendingPathComponent("big.raw").path)).size
    #expect(size <= 1 << 20)
  }

  @Test func aMillionLinesOfErrorsAreReadAndForgotten() async throws {
    let bench = try await TestInstance()
    var noisy = try child("sh -c x", in: bench.folder)
    noisy.arguments = [
      "-c", "yes 'Error while decoding stream' | head -n 1000000 >&2; yes | head -c 50000000",
    ]
    let result = try await noisy.run()
    #expect(result.status == 0)
    #expect(result.complaint.utf8.count <= 4096)
    #expect(result.output.count < noisy.outputBytes + 65537)
  }

  @Test(.enabled(if: SharedMedia.folder != nil, SharedMedia.comment))
  func aPictureBombIsHeldByItsMemoryLimit() async throws {
    let bench = try await TestInstance()
    let bomb = try SharedMedia.file("bad/bomb_png_16000x16000_rgb.mp4")
    // The container check refuses it long before; here the limit alone has to hold.
    var decoder = try child("ffmpeg -v error -f png_pipe -i file:\(bomb.path) -f null -", in: bench.folder)
    decoder.readable = [bomb]
    decoder.memoryBytes = 500 << 20
    let result = try await decoder.run()
    #expect(result.status != 0 && !result.timedOut)
  }

  /// The whole import under strace: what ffmpeg and ffprobe open, and whether they look for an address.
  @Test func ffmpegOpensNothingButItsJobAndItsLibraries() async throws {
    let bench = try await TestInstance()
    let clip = try await bench.makeClip("seen.mp4", seconds: 0.4)
    let log = bench.folder.appendingPathComponent("strace.txt")
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = tests.deletingLastPathComponent().appendingPathComponent("clipfeed").path
    let (status, output) = try Shell.run(
      "/usr/bin/strace",
      [
        "-f", "-qq", "-s", "300", "-o", log.path, "-e",
        "trace=execve,open,openat,openat2,creat,socket,connect,sendto",
        program, "import", clip.path, "--data", bench.instance.folder.path,
      ])
    #expect(status == 0, "\(output)")
    var isMedia: Set<Substring> = []
    var runs = 0
    for line in Self.whole(try String(contentsOf: log, encoding: .utf8)) {
      let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
      guard words.count == 2 else { continue }
      let call = words[1].drop { $0 == " " }
      if call.hasPrefix("execve(") {
        let isTool = call.contains("/ffmpeg\"") || call.contains("/ffprobe\"")
        // Words in front of the program name it as well; only what is executed itself counts.
        let path = call.split(separator: "\"").dropFirst().first ?? ""
        if isTool, path.hasSuffix("/ffmpeg") || path.hasSuffix("/ffprobe"), call.hasSuffix("= 0") {
          isMedia.insert(words[0])
          runs += 1
        }
        continue
      }
      guard isMedia.contains(words[0]) else {
        // A thread of a media program: a clone has a number of its own but opens nothing in ffmpeg.
        continue
      }
      #expect(!call.hasPrefix("socket(") && !call.hasPrefix("connect("), "\(line)")
      guard call.hasPrefix("open"), let path = call.split(separator: "\"").dropFirst().first else { continue }
      if call.contains("= -1 ") { continue }
      let isAllowed =
        ["/lib/", "/usr/lib/", "/etc/ld.so.cache", "/dev/null", "/dev/urandom"].contains {
          path.hasPrefix($0)
        }
        || path.hasPrefix(bench.instance.workFolder.path + "/") || !path.hasPrefix("/")
      #expect(isAllowed, "\(line)")
    }
    #expect(runs >= 3, "the trace shows too few runs to say anything")
  }

  /// Calls during which another process had its turn are written in two parts.
  private static func whole(_ trace: String) -> [String] {
    var begun: [Substring: Substring] = [:]
    return trace.split(separator: "\n").compactMap { line in
      let process = line.prefix { $0 != " " }
      if line.hasSuffix(" <unfinished ...>") {
        begun[process] = line.dropLast(" <unfinished ...>".count)
        return nil
      }
      guard let start = begun[process], let end = line.range(of: " resumed>") else { return String(line) }
      begun[process] = nil
      return String(start) + line[end.upperBound...]
    }
  }
}
