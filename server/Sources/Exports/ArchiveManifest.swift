public import Foundation

/// What is in an archive: the file `manifest.json`, the last of the tape. Whoever reads archives begins here
/// (docs/design/exports.md).
public struct ArchiveManifest: Codable, Sendable, Equatable {
  public static let format = "clipfeed-archive"
  /// Counted up when a reader of the one before would misunderstand it. What is added makes no new version.
  public static let version = 1
  static let path = "manifest.json"

  public struct Account: Codable, Sendable, Equatable {
    public var id: String
    public var handle: String
    public var name: String
  }

  public struct File: Codable, Sendable, Equatable {
    public var path: String
    public var sizeBytes: Int64
    public var sha256: String
    /// Lines of a list.
    public var records: Int?
    /// What a list is.
    public var about: String?
    /// Whose file it is; nil: the account's.
    public var clip: String?
    /// `video`, `source`, `cover` or `captions`; of the account `picture`.
    public var role: String?
    /// Of captions.
    public var language: String?
    public var label: String?
    public var automatic: Bool?
  }

  public var format: String
  public var version: Int
  public var export: String
  /// Of the instance that it comes from: a name that it gave itself.
  public var instance: String
  public var account: Account
  public var createdAt: Date
  public var files: [File]
  /// Files that should have been in it and could not be read.
  public var missing: [String]

  public var records: Int { files.reduce(0) { $0 + ($1.records ?? 0) } }
}
