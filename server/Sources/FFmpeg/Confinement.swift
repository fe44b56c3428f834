internal import Foundation
internal import Glibc

/// The words in front of a command that take its freedoms away, by util-linux's own tools, each of which
/// changes the process and then becomes the next.
///
/// - It is killed when the thread that started it ends: `kill -9` of this process leaves no ffmpeg behind.
/// - It cannot gain privileges, writes no core dump, and stays within memory, CPU time and file size.
/// - Requests go before it (`nice`).
/// - As root it has no network. Elsewhere ffmpeg's protocol whitelist alone keeps it off.
enum Confinement {
  static func prefix(memoryBytes: UInt64, cpuSeconds: UInt64, fileBytes: UInt64) throws -> [String] {
    try [
      FFmpegTools.find("setpriv"), "--no-new-privs", "--pdeathsig", "KILL", FFmpegTools.find("nice"), "-n",
      "5",
    ] + withoutNetwork + [
      FFmpegTools.find("prlimit"), "--as=\(memoryBytes)", "--cpu=\(cpuSeconds)", "--fsize=\(fileBytes)",
      "--core=0",
    ]
  }

  /// Empty where the kernel or a container refuses a network namespace; tried once.
  private static let withoutNetwork: [String] = {
    guard geteuid() == 0, let unshare = try? FFmpegTools.find("unshare") else { return [] }
    let trial = Process()
    trial.executableURL = URL(filePath: unshare)
    trial.arguments = ["--net", "/bin/true"]
    trial.standardError = FileHandle.nullDevice
    guard (try? trial.run()) != nil else { return [] }
    trial.waitUntilExit()
    return trial.terminationStatus == 0 ? [unshare, "--net"] : []
  }()
}
