internal import Contract
internal import Foundation
internal import Logging
internal import Platform
internal import SQLite

/// The folder in which an instance keeps what is its own.
enum DataFolder {
  /// What stands in a data folder.
  static let ownNames = [SQLiteDatabase.fileName, "media", "sources", "uploads", "work"]

  static func keepOthersOut(of folder: URL) {
    let outcome = PrivateFolder.close(folder, holding: ownNames)
    let logger = Logger(label: "clipfeed.storage")
    if !outcome.closed.isEmpty {
      logger.warning(
        "other users of this machine could read the data folder; it is closed to them now",
        metadata: ["folder": "\(folder.path)", "closed": "\(outcome.closed)"])
    }
    if !outcome.open.isEmpty {
      logger.warning(
        "other users of this machine can read the data folder, and it is not ours to close",
        metadata: ["folder": "\(folder.path)", "open": "\(outcome.open)"])
    }
  }

  /// For an operator, who can do something about it.
  static func cannotUse(_ folder: URL, _ error: any Error) -> AppError {
    let known = error as? AppError
    // SQLite has no word for it where it cannot make the memory that processes share: "disk I/O error".
    let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let isFull = (disk?[.systemFreeSize] as? NSNumber).map { $0.int64Value < 65_536 } ?? false
    let isReadOnly = (error as? CocoaError)?.code == .fileWriteVolumeReadOnly
    if known?.code == .storageFull || isFull && !isReadOnly {
      return AppError(.storageFull, "The disk under the data folder \(folder.path) is full; make room on it.")
    }
    // NB: not the whole of a CocoaError, which takes ten lines to say "read-only".
    let reason = known?.message ?? (error as? CocoaError)?.localizedDescription ?? "\(error)"
    return AppError(
      .unavailable, "The data folder \(folder.path) cannot be used (\(reason)); choose another with --data.")
  }
}

extension Instance {
  /// Throws a sentence for the operator if what this data folder knows has moved away: whoever started on
  /// what was left would serve the past and lose what people do.
  func requireNotMoved() async throws {
    let place = try await database.read { transaction -> String? in
      guard try !transaction.query("SELECT 1 AS one FROM sqlite_master WHERE name = 'settings'").isEmpty
      else {
        return nil
      }
      return try Settings.value(MoveMark.to, in: transaction)
    }
    guard let place else { return }
    throw AppError(
      .unavailable,
      "What \(folder.path) knew was moved to \(place): say so with --database or CLIPFEED_DATABASE. "
        + "(clipfeed move --take-back makes the old state count again.)")
  }
}
