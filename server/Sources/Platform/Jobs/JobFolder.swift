internal import Contract
public import Foundation

/// Where a run of a job works. Nothing of it outlives the run.
public enum JobFolder {
  public static func fresh(for job: Job, in workFolder: URL) throws -> URL {
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
