public import Contract
public import Foundation

/// Where a run of a job works. Nothing of it outlives the run.
public enum JobFolder {
  /// Works in a folder of the job's own, which is gone when this comes back. Throws what `work` throws, but
  /// `storage_full` where the disk under the work folder has no room then, whatever it looked like: a
  /// program that cannot write fails in many ways, and none of them says anything of the file that it read.
  public static func use<Value>(
    for job: Job, in workFolder: URL, _ work: (URL) async throws -> Value
  ) async throws -> Value {
    do {
      let folder = try fresh(for: job, in: workFolder)
      do {
        let value = try await work(folder)
        try? FileManager.default.removeItem(at: folder)
        return value
      } catch {
        // NB: looked at while what was written is still there.
        let reason = reason(for: error, of: job, in: workFolder)
        try? FileManager.default.removeItem(at: folder)
        throw reason
      }
    } catch {
      throw reason(for: error, of: job, in: workFolder)
    }
  }

  private static func reason(for error: any Error, of job: Job, in workFolder: URL) -> any Error {
    if error is CancellationError || error is JobQueue.LostLease || error is JobQueue.StandsBack {
      return error
    }
    if let known = error as? AppError, known.code == .storageFull || known.code == .unavailable {
      return error
    }
    // Its name is one that `fresh` removes, if this process is killed now.
    let file = workFolder.appendingPathComponent("\(job.id).room")
    guard hasNoRoom(for: file) else { return error }
    return AppError(
      .storageFull, "The disk under the work folder is full; make room on it (\(error)).")
  }

  /// Whether a megabyte cannot be written there. Where it cannot for another reason, nothing is known.
  private static func hasNoRoom(for file: URL) -> Bool {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno == ENOSPC || errno == EDQUOT }
    defer {
      close(descriptor)
      unlink(file.path)
    }
    let piece = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<16 {
      let written = write(descriptor, piece, piece.count)
      if written < 0 { return errno == ENOSPC || errno == EDQUOT }
      // It takes less than all of a piece only where there is no room for the rest.
      if written < piece.count { return true }
    }
    return false
  }

  static func fresh(for job: Job, in workFolder: URL) throws -> URL {
    let files = FileManager.default
    // What an earlier run of this job left when it was killed.
    for name in (try? files.contentsOfDirectory(atPath: workFolder.path)) ?? []
    where name.starts(withBytesOf: job.id) {
      try? files.removeItem(at: workFolder.appendingPathComponent(name))
    }
    let folder = workFolder.appendingPathComponent("\(job.id).\(job.fencing)", isDirectory: true)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// The whole of a rendition that is stored, as a file there; nil: it is gone.
  public static func bring(
    _ rendition: Rendition, from store: any BlobStore, into folder: URL
  ) async throws -> URL? {
    guard let name = BlobName(String(rendition.url.split(atByte: UInt8(ascii: "/")).last ?? "")),
      let size = try await store.size(name)
    else { return nil }
    let url = folder.appendingPathComponent("rendition.mp4")
    try await bring([0..<size], of: name, from: store, to: url)
    return url
  }

  /// Puts these pieces of a blob one behind the other into a file.
  public static func bring(_ ranges: [Range<Int>], of blob: BlobName, from store: any BlobStore, to url: URL)
    async throws
  {
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
      throw AppError(.storageFull)
    }
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    for range in ranges { try await store.read(blob, range: range) { try file.write(contentsOf: Data($0)) } }
  }
}
