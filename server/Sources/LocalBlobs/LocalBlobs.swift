internal import Contract
public import Foundation
internal import NIOPosix
public import Platform
internal import Synchronization

/// Blobs as files: `root/ab/ab12….mp4`. The two-digit folders keep directories small.
///
/// A file gets its name last, by `rename`, when its bytes are on the disk; then the entry is made to last by
/// syncing the folder, and the folder's own entry by syncing the root, once for each folder and process:
/// another process may have made it and died before it could.
public final class LocalBlobs: BlobStore, FileReads {
  private let root: URL
  /// Folders whose entries in the root are known to be on the disk.
  private let lasting = Mutex<Set<String>>([])
  private let openFiles = OpenFiles()
  private var incoming: URL { root.appendingPathComponent("incoming", isDirectory: true) }

  public init(root: URL) throws {
    self.root = root
    try FileManager.default.createDirectory(
      at: incoming, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Self.sync(root)
    try Self.sync(root.deletingLastPathComponent())
  }

  public func put(fileAt source: URL, ext: String) async throws -> BlobName {
    try await onThread { [self] in
      guard let name = BlobName(hash: try ContentHash.ofFile(at: source), ext: ext) else {
        throw AppError(.internalError, "blobs of kind \(ext) are not known")
      }
      let target = url(name)
      let staged = incoming.appendingPathComponent("\(name.hash)-\(UInt64.random(in: 0...UInt64.max))")
      // A blob that is put again is new again; and what lies in `incoming` must not look forgotten.
      guard utimensat(AT_FDCWD, source.path, nil, 0) == 0 else { throw Self.failure("date", source) }
      let isMoved = rename(source.path, staged.path) == 0
      do {
        // From another file system it has to be copied.
        if !isMoved { try Self.onDisk { try FileManager.default.copyItem(at: source, to: staged) } }
        // A copy takes the mode of what it is a copy of.
        _ = chmod(staged.path, 0o600)
        try Self.sync(staged)
        try makeLastingFolder(name.shard)
        // Over one of the same name too: the content is the same, and readers keep the file they opened.
        guard rename(staged.path, target.path) == 0 else { throw Self.failure("store", target) }
        try Self.sync(target.deletingLastPathComponent())
      } catch {
        // The file goes back; if the blob has its name already, and only that it lasts is in doubt, it stays
        // one as well.
        if isMoved, rename(staged.path, source.path) != 0 { link(target.path, source.path) }
        unlink(staged.path)
        throw error
      }
      // NB: `rename` leaves both names where both are of one file, as after such a failure.
      unlink(staged.path)
      unlink(source.path)
      return name
    }
  }

  public func size(_ name: BlobName) async throws -> Int? {
    try await onThread { [self] in
      FileStatus(of: path(name)).flatMap { $0.kind == .file ? $0.size : nil }
    }
  }

  public func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws {
    guard let file = try await open(name) else { throw AppError(.mediaNotFound) }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let position = offset
      let wanted = min(BlobPiece.maximumBytes, range.upperBound - offset)
      let bytes = try await onThread {
        try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
          let read = pread(file.descriptor, buffer.baseAddress, wanted, off_t(position))
          guard read > 0 else { throw AppError(.internalError, "a media file is shorter than it was") }
          count = read
        }
      }
      try await piece(bytes[...])
      offset += bytes.count
    }
  }

  public func open(_ name: BlobName) async throws -> BlobFile? {
    let path = path(name)
    if let file = openFiles.file(name, at: path) { return file }
    return try await onThread { [openFiles] () -> BlobFile? in
      let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else {
        if errno == ENOENT { return nil }
        throw Self.failure("open", name)
      }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        defer { close(descriptor) }
        throw Self.failure("look at", name)
      }
      let file = BlobFile(descriptor: descriptor, sizeBytes: Int(status.st_size))
      openFiles.keep(file, as: name, inode: status.st_ino)
      return file
    }
  }

  public func remove(_ name: BlobName) async throws {
    try await onThread { [self] in
      guard unlink(url(name).path) == 0 || errno == ENOENT else { throw Self.failure("remove", name) }
    }
  }

  public func list(after: BlobName?, limit: Int) async throws -> [StoredBlob] {
    try await onThread { [self] in
      var found: [StoredBlob] = []
      let shards = try FileManager.default.contentsOfDirectory(atPath: root.path)
        .filter { $0.utf8.count == 2 && $0 >= after?.shard ?? "" }.sorted()
      for shard in shards where found.count < limit {
        let folder = root.appendingPathComponent(shard)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
          .compactMap { BlobName($0) }.filter { name in name.shard == shard && after.map { $0 < name } ?? true
          }
        for name in names.sorted() where found.count < limit {
          // It may have been removed meanwhile.
          guard let status = FileStatus(of: url(name).path), status.kind == .file else { continue }
          found.append(
            StoredBlob(name: name, sizeBytes: status.size, changedMs: status.changedNs / 1_000_000))
        }
      }
      return found
    }
  }

  public func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool {
    let path = url(name).path
    return try await onThread {
      guard let status = FileStatus(of: path) else { return true }
      guard Self.changed(status, before: time) else { return false }
      return unlink(path) == 0 || errno == ENOENT
    }
  }

  public func clearLeftovers(olderThan time: Date) async throws {
    let incoming = incoming
    try await onThread {
      for name in try FileManager.default.contentsOfDirectory(atPath: incoming.path) {
        let url = incoming.appendingPathComponent(name)
        guard let status = FileStatus(of: url.path), Self.changed(status, before: time) else { continue }
        try? FileManager.default.removeItem(at: url)
      }
    }
  }

  private static func changed(_ status: FileStatus, before time: Date) -> Bool {
    Double(status.changedNs) / 1e9 < time.timeIntervalSince1970
  }

  public func checkWritable() async throws {
    let probe = incoming.appendingPathComponent("probe-\(UInt32.random(in: 0...UInt32.max))")
    try await onThread {
      try Self.onDisk {
        // Also of a disk that has room for a name and for nothing in it.
        defer { try? FileManager.default.removeItem(at: probe) }
        try Data("ok".utf8).write(to: probe)
      }
    }
  }

  /// The file of a blob, for work that needs a path (ffmpeg on the same machine).
  public func url(_ name: BlobName) -> URL {
    root.appendingPathComponent(name.shard, isDirectory: true).appendingPathComponent(name.description)
  }

  private func path(_ name: BlobName) -> String { "\(root.path)/\(name.shard)/\(name)" }

  private func makeLastingFolder(_ shard: String) throws {
    guard !lasting.withLock({ $0.contains(shard) }) else { return }
    let folder = root.appendingPathComponent(shard, isDirectory: true)
    guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else { throw Self.failure("make", folder) }
    try Self.sync(root)
    lasting.withLock { _ = $0.insert(shard) }
  }

  /// Disk calls block; they run on threads made for that, not on those of async code.
  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await NIOThreadPool.singleton.runIfActive(work)
  }

  /// Foundation's errors as those of the table.
  private static func onDisk(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as CocoaError {
      throw AppError(
        error.code == .fileWriteOutOfSpace ? .storageFull : .unavailable,
        "The media folder cannot be written: \(error.localizedDescription)")
    }
  }

  private static func sync(_ url: URL) throws {
    let file = Foundation.open(url.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("open", url) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure("sync", url) }
  }

  private static func failure(_ verb: String, _ url: URL) -> AppError {
    failure(verb, what: url.lastPathComponent)
  }

  private static func failure(_ verb: String, _ name: BlobName) -> AppError {
    failure(verb, what: name.description)
  }

  private static func failure(_ verb: String, what: String) -> AppError {
    AppError(
      errno == ENOSPC || errno == EDQUOT ? .storageFull : .internalError,
      "cannot \(verb) \(what): error \(errno)")
  }
}
