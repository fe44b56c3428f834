internal import Foundation
internal import Glibc
internal import Platform

/// The words in front of a command that take its freedoms away, by util-linux's own tools, each of which
/// changes the process and then becomes the next.
///
/// - It is killed when the thread that started it ends: `kill -9` of this process leaves no ffmpeg behind.
/// - It cannot gain privileges, writes no core dump, and stays within memory, CPU time and file size.
/// - Requests go before it (`nice`).
/// - Where the kernel allows namespaces (as root, or for everybody, as Debian does) it has no network, sees
///   no other process, and its file system is empty but for programs, libraries and the job's own folder.
enum Confinement {
  /// How much of that this machine can do; the best is tried once.
  enum Level: CaseIterable, CustomStringConvertible {
    case folder
    case network
    case limits

    var description: String {
      switch self {
      case .folder: "it sees its job's folder alone, no network and no other process"
      case .network: "it has no network, but could read the files that this user can read"
      case .limits: "time, memory and file size only; this system allows no namespaces"
      }
    }
  }

  /// NB: Linux lets what answers requests interrupt a program only from about 10 on. At 5 whoever woke waited
  /// for up to a slice (3 ms) at each step of an answer (`benchmarks/README.md`).
  static let usualNiceness = 13
  /// Of what nobody waits for yet: it gets a fifth of the time for which both compete (Linux gives 1.25 per
  /// step).
  static let patientNiceness = 19

  /// What unshare says, and ends with 1, where SIGKILL ended what it had started: some versions (2.38 of
  /// Debian 12) end by the signal of their child, but first set it to its default, which nobody can for this
  /// one.
  static let killed = Array("unshare: sigprocmask unblock failed: Invalid argument\n".utf8)

  static let level = Level.allCases.first(where: isPossible) ?? .limits

  static func prefix(
    memoryBytes: UInt64, cpuSeconds: UInt64, fileBytes: UInt64, folder: URL, readable: [URL] = [],
    niceness: Int = usualNiceness, level: Level = level
  ) throws -> [String] {
    let own = folder.standardizedFileURL.path
    let others = readable.map(\.standardizedFileURL.path).filter { !$0.hasPrefix(own + "/") }
    return try [
      FFmpegTools.find("setpriv"), "--no-new-privs", "--pdeathsig", "KILL", FFmpegTools.find("nice"), "-n",
      "\(niceness)",
    ] + namespaces(level, own, others) + [
      FFmpegTools.find("prlimit"), "--as=\(memoryBytes)", "--cpu=\(cpuSeconds)", "--fsize=\(fileBytes)",
      "--core=0",
    ]
  }

  private static func namespaces(_ level: Level, _ folder: String, _ files: [String]) throws -> [String] {
    if level == .limits { return [] }
    // Anybody but root first becomes root of a user namespace, which is root of nothing else.
    let asRoot = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
    let unshare = try [FFmpegTools.find("unshare")] + asRoot + ["--net"]
    if level == .network { return unshare }
    // The new root is put where neither the job nor its files are, since it covers what is there.
    let bases = ["/mnt", "/media", "/srv", "/opt"].filter { base in
      FileManager.default.fileExists(atPath: base)
        && !([folder] + files).contains { $0.hasPrefix(base + "/") }
    }
    guard let base = bases.first else {
      throw Spawn.CannotStart(program: "a job in \(folder)", code: ENOENT)
    }
    return try unshare + ["--mount", "--ipc", "--pid", "--fork", "--kill-child"]
      + ["/bin/sh", "-c", emptyRoot, "confined", base, folder, "\(files.count)"] + files
      // Root of an empty world is still root to the kernel: the capabilities go as well.
      + [FFmpegTools.find("setpriv"), "--bounding-set=-all", "--inh-caps=-all", "--pdeathsig", "KILL"]
  }

  /// Arguments: where the new root is mounted, the job's folder, how many files follow, the files, the
  /// command.
  ///
  /// Everything keeps its path. The linker's cache and Debian's alternatives (libblas) are all that ffmpeg
  /// needs of /etc. The old root cannot be unmounted without /proc, so it is covered; nobody left has the
  /// right to uncover it.
  private static let emptyRoot = """
    set -eu
    root=$1 job=$2 files=$3
    shift 3
    mount -n -t tmpfs -o size=1m,mode=755 none "$root"
    mkdir -p "$root/usr" "$root/etc/alternatives" "$root/dev" "$root/old" "$root$job"
    mount -n --rbind /usr "$root/usr"
    mount -n -o remount,bind,ro "$root/usr"
    links=
    for name in bin sbin lib lib32 lib64 libx32; do
      if [ -L "/$name" ]; then links="$links /$name"
      elif [ -d "/$name" ]; then mkdir "$root/$name"; mount -n --rbind "/$name" "$root/$name"; fi
    done
    if [ -n "$links" ]; then cp -P $links "$root/"; fi
    if [ -d /etc/alternatives ]; then mount -n --bind /etc/alternatives "$root/etc/alternatives"; fi
    if [ -f /etc/ld.so.cache ]; then cp /etc/ld.so.cache "$root/etc/"; fi
    for name in null urandom; do : > "$root/dev/$name"; mount -n --bind "/dev/$name" "$root/dev/$name"; done
    mount -n --bind "$job" "$root$job"
    while [ "$files" -gt 0 ]; do
      mkdir -p "$root${1%/*}"
      : > "$root$1"
      mount -n --bind "$1" "$root$1"
      mount -n -o remount,bind,ro "$root$1"
      shift
      files=$((files - 1))
    done
    cd "$root"
    pivot_root . old
    mount -n -t tmpfs -o ro,size=4k none /old
    cd "$job"
    exec "$@"
    """

  private static func isPossible(_ level: Level) -> Bool {
    // Any folder will do, since nothing is written to it. One of its own would stay behind when this process
    // is killed.
    let folder = FileManager.default.temporaryDirectory
    guard
      let command = try? prefix(
        memoryBytes: 4 << 30, cpuSeconds: 20, fileBytes: 1 << 20, folder: folder, level: level)
        + [FFmpegTools.find("ffmpeg"), "-version"]
    else { return false }
    let trial = try? Spawn(command, environment: ProcessInfo.processInfo.environment).start()
    return trial.map { Spawn.status(of: $0) } == 0
  }
}
