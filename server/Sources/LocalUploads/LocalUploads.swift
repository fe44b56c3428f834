public import Foundation
internal import NIOPosix
public import Platform
public import Uploads

/// Bytes of uploads as files of one folder, a file each. A file's length is the upload's offset, so there is
/// nothing that could disagree with it.
public struct LocalUploads: UploadBytes {
  private let folder: URL

  public init(folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  public func count(_ id: String) async throws -> Int {
    try await onThread { FileStatus(of: url(id).path)?.size ?? 0 }
  }

  public func open(_ id: String) async throws -> any UploadTail {
    try await onThread { try LocalTail(path: url(id).path) }
  }

  public func head(_ id: String, _ count: Int) async throws -> [UInt8] {
    try await onThread {
      guard let file = try? FileHandle(forReadingFrom: url(id)) else { return [] }
      defer { try? file.close() }
      return [UInt8](try file.read(upToCount: count) ?? Data())
    }
  }

  public func hash(_ id: String) async throws -> String {
    try await onThread { try ContentHash.ofFile(at: url(id)) }
  }

  /// Through a second name of the same file: `put` takes that one over, and ours stays.
  public func handOver(_ id: String, to sources: any BlobStore) async throws {
    let link = folder.appendingPathComponent("\(id).\(UInt32.random(in: 0...UInt32.max))")
    defer { try? FileManager.default.removeItem(at: link) }
    try await onThread { try FileManager.default.linkItem(at: url(id), to: link) }
    _ = try await sources.put(fileAt: link, ext: "bin")
  }

  public func remove(_ id: String) async throws {
    try await onThread { _ = unlink(url(id).path) }
  }

  public func untouched(sinceMs: Int64) async throws -> [String] {
    try await onThread {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
        // A second name is as old as its file, and in use until the first one goes (`handOver`).
        let first = String(name.prefix(while: { $0 != "." }))
        guard first == name || FileStatus(of: url(first).path) == nil else { return false }
        return FileStatus(of: url(name).path).map { $0.changedNs / 1_000_000 < sinceMs } ?? false
      }
    }
  }

  public func room() async throws -> Int {
    try await onThread {
      var status = statvfs()
      guard statvfs(folder.path, &status) == 0 else { throw LocalTail.failure("look at", folder.path) }
      return Int(status.f_bavail) * Int(status.f_frsize)
    }
  }

  private func url(_ id: String) -> URL { folder.appendingPathComponent(id) }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await NIOThreadPool.singleton.runIfActive(work)
  }
}
