#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What the file system says about a path, without opening it.
public struct FileStatus: Sendable, Equatable {
  public enum Kind: Sendable { case file, folder, link, other }

  public let kind: Kind
  public let size: Int
  /// Time of the last change in nanoseconds since 1970.
  public let changedNs: Int64
  /// Who may do what with it: the lowest nine bits, as `chmod` takes them.
  public let permissions: UInt32
  /// The user whose it is.
  public let owner: UInt32

  /// Nil if there is nothing. A link counts as what it leads to, unless `followingLinks` is false.
  public init?(of path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    permissions = UInt32(status.st_mode) & 0o777
    owner = status.st_uid
    size = Int(status.st_size)
    #if canImport(Glibc)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    changedNs = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The path without links and dots; nil if there is nothing.
  public static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
