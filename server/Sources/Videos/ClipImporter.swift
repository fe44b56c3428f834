internal import Contract
public import Foundation
public import Platform

/// Looks at the first bytes of a source before anything else does.
public protocol SourceGate: Sendable {
  /// Throws the refusal if this cannot be a video that is taken.
  func check(firstBytes: [UInt8]) throws
}

/// Takes one file in: checks it, copies it under a name of our own, registers the clip and its job.
///
/// After that the person's file and its name play no part any more: nothing downstream ever sees them.
public struct ClipImporter: Sendable {
  public enum Outcome: Sendable, Equatable {
    /// The job is in the database; somebody's worker will do it.
    case accepted(clipID: String)
    case alreadyThere(clipID: String)
  }

  /// As much as the longest signature needs (MPEG-TS: three packets of 192 bytes).
  static let firstBytes = 1024

  private let clips: ClipStore
  private let sources: any BlobStore
  private let gate: any SourceGate
  private let workFolder: URL

  public init(clips: ClipStore, sources: any BlobStore, gate: any SourceGate, workFolder: URL) {
    self.clips = clips
    self.sources = sources
    self.gate = gate
    self.workFolder = workFolder
  }

  public func take(
    fileAt url: URL, caption: String?, authorHandle: String, authorName: String, origin: String? = nil
  ) async throws -> Outcome {
    try check(url)
    // The copy is what is hashed and converted, so a file that changes meanwhile cannot fool us.
    let copy = workFolder.appendingPathComponent("intake-\(UInt64.random(in: 0...UInt64.max)).bin")
    defer { try? FileManager.default.removeItem(at: copy) }
    try copyBounded(from: url, to: copy)
    let hash = try ContentHash.ofFile(at: copy)
    if let known = try await clips.find(sourceHash: hash), known.state == .ready {
      return .alreadyThere(clipID: known.clipID)
    }
    _ = try await sources.put(fileAt: copy, ext: "bin")
    let draft = ClipStore.Draft(
      sourceHash: hash, caption: caption ?? Caption.derived(from: url.lastPathComponent),
      authorHandle: authorHandle, authorName: authorName, origin: origin)
    let registered = try await clips.register(draft)
    return registered.clip.state == .ready
      ? .alreadyThere(clipID: registered.clip.clipID) : .accepted(clipID: registered.clip.clipID)
  }

  /// Refuses what needs no copy to be refused.
  private func check(_ url: URL) throws {
    guard let status = FileStatus(of: url.path), status.kind == .file else { throw AppError(.notAFile) }
    guard status.size > 0 else { throw AppError(.emptyFile) }
    guard status.size <= Limits.sourceBytes else { throw AppError(.fileTooLarge) }
    guard let file = try? FileHandle(forReadingFrom: url) else { throw AppError(.fileUnreadable) }
    defer { try? file.close() }
    try gate.check(firstBytes: [UInt8](try file.read(upToCount: Self.firstBytes) ?? Data()))
  }

  private func copyBounded(from url: URL, to copy: URL) throws {
    guard FileManager.default.createFile(atPath: copy.path, contents: nil),
      let output = try? FileHandle(forWritingTo: copy)
    else { throw AppError(.storageFull) }
    defer { try? output.close() }
    guard let input = try? FileHandle(forReadingFrom: url) else { throw AppError(.fileUnreadable) }
    defer { try? input.close() }
    var size = 0
    while let piece = try input.read(upToCount: 1 << 20), !piece.isEmpty {
      size += piece.count
      guard size <= Limits.sourceBytes else { throw AppError(.fileTooLarge) }
      try output.write(contentsOf: piece)
    }
  }
}
