internal import Contract
internal import Foundation
internal import Platform

/// Writes a tape archive, file after file, and keeps account of what is in it.
final class ArchiveWriter {
  private let file: FileHandle
  private let seconds: Int64
  private var hash = RunningHash()
  /// Bytes of the file that is being written which are still to come.
  private var left: Int64 = 0
  private var header = TarHeader(path: "", size: 0)
  private(set) var files: [ArchiveManifest.File] = []
  private(set) var bytes: Int64 = 0

  init(at url: URL, timeMs: Int64) throws {
    guard
      FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw AppError(.storageFull) }
    file = try FileHandle(forWritingTo: url)
    seconds = timeMs / 1000
  }

  /// Exactly so many bytes have to follow, and then `end`.
  func begin(_ path: String, size: Int64) throws {
    header = TarHeader(path: path, size: size)
    hash = RunningHash()
    left = size
    try write(header.bytes(seconds: seconds))
  }

  func append(_ piece: some DataProtocol) throws {
    guard Int64(piece.count) <= left else {
      throw AppError(.unavailable, "\(header.path) has become longer while it was read.")
    }
    left -= Int64(piece.count)
    hash.add(piece)
    try write(piece)
  }

  /// `tell`: what is said of the file beside its size and its hash.
  func end(_ tell: (inout ArchiveManifest.File) -> Void = { _ in }) throws {
    guard left == 0 else { throw AppError(.unavailable, "\(header.path) was cut off while it was read.") }
    try write([UInt8](repeating: 0, count: TarHeader.padding(behind: header.size)))
    var entry = ArchiveManifest.File(path: header.path, sizeBytes: header.size, sha256: hash.value)
    tell(&entry)
    files.append(entry)
  }

  /// The whole of a file of this machine.
  func add(_ url: URL, as path: String, _ tell: (inout ArchiveManifest.File) -> Void) throws {
    let source = try FileHandle(forReadingFrom: url)
    defer { try? source.close() }
    try begin(path, size: Int64(FileStatus(of: url.path)?.size ?? 0))
    while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty { try append(piece) }
    try end(tell)
  }

  /// The last file, and the end of the tape. What is written then is whole.
  func finish(_ manifest: Data) throws {
    try begin(ArchiveManifest.path, size: Int64(manifest.count))
    try append(manifest)
    try end()
    try write([UInt8](repeating: 0, count: 2 * TarHeader.length))
    try file.synchronize()
    try file.close()
  }

  private func write(_ piece: some DataProtocol) throws {
    do {
      try file.write(contentsOf: Data(piece))
    } catch {
      // Nothing else goes wrong with a file that was opened.
      throw AppError(.storageFull, "The archive cannot be written (\(error)).")
    }
    bytes += Int64(piece.count)
  }
}
