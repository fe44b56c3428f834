internal import Contract
public import Foundation
internal import NIOPosix
public import Platform

/// Blobs as files: `root/ab/ab12….mp4`. The two-digit folders keep directories small.
public struct LocalBlobs: BlobStore {
  /// Bytes per piece: large enough for few hops between threads, small enough for many readers at once.
  static let pieceSize = 256 * 1024

  private let root: URL
  private var incoming: URL { root.appendingPathComponent("incoming", isDirectory: true) }

  public init(root: URL) throws {
    self.root = root
    try FileManager.default.createDirectory(at: incoming, withIntermediateDirectories: true)
  }

  public func put(fileAt source: URL, ext: String) async throws -> BlobName {
    try await onThread {
      guard let name = BlobName(hash: try ContentHash.ofFile(at: source), ext: ext) else {
        throw AppError(.internalError, "blobs of kind \(ext) are not known")
      }
      let target = url(name)
      // There already: from now on it is as young as a new one, so that no sweep takes it away.
      if utimes(target.path, nil) == 0 {
        try? FileManager.default.removeItem(at: source)
        return name
      }
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      let staged = incoming.appendingPathComponent("\(name.hash)-\(UInt32.random(in: 0...UInt32.max))")
      do {
        try FileManager.default.moveItem(at: source, to: staged)
        try Self.sync(staged)
        guard rename(staged.path, target.path) == 0 else { throw Self.failure("store", target) }
        try Self.sync(target.deletingLastPathComponent())
      } catch {
        try? FileManager.default.removeItem(at: staged)
        throw error
      }
      return name
    }
  }

  public func size(_ name: BlobName) async throws -> Int? {
    try await onThread {
      FileStatus(of: url(name).path)?.size
    }
  }

  public func read(
    _ name: BlobName, range: Range<Int>, _ piece: (ArraySlice<UInt8>) async throws -> Void
  ) async throws {
    let path = url(name).path
    let file = try await onThread {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw AppError(.mediaNotFound) }
      return file
    }
    defer { close(file) }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let position = offset
      let wanted = min(Self.pieceSize, range.upperBound - offset)
      let bytes = try await onThread {
        try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
          let read = pread(file, buffer.baseAddress, wanted, off_t(position))
          guard read > 0 else { throw AppError(.internalError, "a media file is shorter than it was") }
          count = read
        }
      }
      try await piece(bytes[...])
      offset += bytes.count
    }
  }

  public func remove(_ name: BlobName) async throws {
    try? FileManager.default.removeItem(at: url(name))
  }

  public func remove(_ name: BlobName, ifOlderThan time: Date) async throws -> Bool {
    let path = url(name).path
    return try await onThread {
      guard let status = FileStatus(of: path) else { return true }
      guard Self.changed(status, before: time) else { return false }
      return unlink(path) == 0 || errno == ENOENT
    }
  }

  /// Folder by folder: memory holds the names of one of 256 at a time.
  public func list(olderThan time: Date, _ each: (BlobName) async throws -> Void) async throws {
    for number in 0..<256 {
      let digits = String(number, radix: 16)
      let folder = root.appendingPathComponent(number < 16 ? "0" + digits : digits, isDirectory: true)
      let names = try await onThread {
        // A folder that is not there has no blobs yet.
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.compactMap(BlobName.init(_:)).filter { name in
          FileStatus(of: folder.appendingPathComponent(name.description).path)
            .map { Self.changed($0, before: time) } ?? false
        }
      }
      for name in names { try await each(name) }
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
      try Data("ok".utf8).write(to: probe)
      try FileManager.default.removeItem(at: probe)
    }
  }

  /// The file of a blob, for work that needs a path (ffmpeg on the same machine).
  public func url(_ name: BlobName) -> URL {
    root.appendingPathComponent(String(name.hash.prefix(2)), isDirectory: true)
      .appendingPathComponent(name.description)
  }

  /// Disk calls block; they run on threads made for that, not on those of async code.
  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await NIOThreadPool.singleton.runIfActive(work)
  }

  private static func sync(_ url: URL) throws {
    let file = open(url.path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("open", url) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure("sync", url) }
  }

  private static func failure(_ verb: String, _ url: URL) -> AppError {
    AppError(
      errno == ENOSPC ? .storageFull : .internalError,
      "cannot \(verb) \(url.lastPathComponent): error \(errno)")
  }
}
