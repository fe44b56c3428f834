internal import Foundation
internal import Persistence

/// All of an upload that outlives the app, beside its files.
public struct UploadRecord: Codable, Equatable, Identifiable, Sendable {
  /// The name of its folder.
  public let id: String
  /// Uploads go one behind the other, the lowest first.
  var order: Int
  /// What the file was called where it was chosen.
  public var name: String
  /// In the folder.
  var source: String
  public var form: UploadForm
  public var isPublishRequested: Bool
  /// What the machine stored; `nil` before it did.
  var words: [Int64]?
  /// Of a guest's upload: as a `Cookie` header has it. The key of an upload means something for the same
  /// guest alone.
  var guest: String?
  /// The account that chose it; `nil`: a guest's, or of before this was noted.
  var account: String?
}

/// Where one upload's record lies. Writes happen one behind the other and away from the screen; of two the
/// one that was begun later stays.
actor UploadArchive {
  private let file: StoredFile<UploadRecord>
  private let folder: URL
  private var written = 0
  private var isRemoved = false

  init(folder: URL) {
    self.folder = folder
    file = Self.file(in: folder)
  }

  static func file(in folder: URL) -> StoredFile<UploadRecord> {
    StoredFile(folder.appending(path: "record"))
  }

  /// Whether it is on the disk.
  @discardableResult func save(_ record: UploadRecord, _ version: Int) -> Bool {
    guard version > written, !isRemoved else { return !isRemoved }
    guard file.save(record) else { return false }
    written = version
    return true
  }

  /// The record first: without it the rest is nobody's, and goes at the next start.
  func remove() {
    isRemoved = true
    file.remove()
    try? FileManager.default.removeItem(at: folder)
  }
}
