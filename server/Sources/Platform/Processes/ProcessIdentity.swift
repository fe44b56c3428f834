internal import Foundation

/// Who holds a lease: machine boot, process number space, process id and its start time, so that a process
/// that was killed is told from a later one with the same number.
public struct ProcessIdentity: Sendable, Equatable, CustomStringConvertible {
  let space: String
  let pid: Int32
  let startTime: String

  public static let current = ProcessIdentity(
    space: thisSpace, pid: ProcessInfo.processInfo.processIdentifier,
    startTime: startTime(of: ProcessInfo.processInfo.processIdentifier) ?? "0")

  public var description: String { "\(space)/\(pid)/\(startTime)" }

  init(space: String, pid: Int32, startTime: String) {
    self.space = space
    self.pid = pid
    self.startTime = startTime
  }

  public init?(_ text: String) {
    let parts = text.split(atByte: UInt8(ascii: "/"))
    guard parts.count == 3, let pid = Int32(parts[1]) else { return nil }
    self.init(space: String(parts[0]), pid: pid, startTime: String(parts[2]))
  }

  /// True only if it is certain: another machine's process may well be alive, its lease has to run out.
  public var isCertainlyGone: Bool {
    space == Self.thisSpace && Self.startTime(of: pid) != startTime
  }

  /// The boot id changes with every start of the kernel; the pid namespace tells containers apart.
  private static let thisSpace: String = {
    let boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? "unknown"
    let pids = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")) ?? ""
    return boot.trimmingCharacters(in: .whitespacesAndNewlines) + ":" + pids.filter(\.isNumber)
  }()

  /// Field 22 of /proc/PID/stat. The process name in field 2 may hold spaces and brackets, hence from the
  /// last ')'.
  private static func startTime(of pid: Int32) -> String? {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = stat.utf8.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = stat[stat.utf8.index(after: end)...].split(atByte: UInt8(ascii: " "))
    // A zombie (killed, not yet reaped by its parent) holds no lease.
    guard fields.count > 19, fields[0] != "Z" else { return nil }
    return String(fields[19])
  }
}
