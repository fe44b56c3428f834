internal import Foundation

/// What the kernel says of this process.
public enum ProcessNumbers {
  public static func samples() -> [MetricSample] {
    var samples: [MetricSample] = []
    func add(_ name: String, _ value: Double?) {
      if let value { samples.append(MetricSample(name, [], value)) }
    }
    // Field 2 is the program's name, which may hold spaces and brackets: count from the last one.
    if let stat = text("/proc/self/stat"), let end = stat.lastIndex(of: ")") {
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
      // Numbered from field 3 on, as proc(5) counts.
      func field(_ number: Int) -> Double? { fields.count > number - 3 ? Double(fields[number - 3]) : nil }
      if let user = field(14), let system = field(15) {
        add("process_cpu_seconds_total", (user + system) / ticks)
      }
      add("process_threads", field(20))
      add("process_virtual_memory_bytes", field(23))
      add("process_resident_memory_bytes", field(24).map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) })
      if let started = field(22), let booted = bootTime() {
        add("process_start_time_seconds", booted + started / ticks)
      }
    }
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    // One of them is the listing's own.
    add("process_open_fds", open.map { Double($0 - 1) })
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      add("process_max_fds", Double(limit.rlim_cur))
    }
    return samples
  }

  private static func bootTime() -> Double? {
    text("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap {
      Double($0.dropFirst(6))
    }
  }

  /// NB: files of /proc say that they are empty, so they are read to their end.
  private static func text(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    return (try? file.readToEnd()).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
  }
}
