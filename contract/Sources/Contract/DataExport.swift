public import Foundation

/// All that is kept of an account, put together as an archive for it to take along.
public struct DataExport: Codable, Sendable, Equatable {
  public enum State: String, Codable, Sendable, CaseIterable {
    /// Others are at work; its turn comes.
    case waiting
    case working
    /// It can be downloaded until `expiresAt`.
    case ready
    case failed
  }

  public var id: String
  public var state: State
  public var createdAt: Date
  /// How much of it is there, by bytes and records.
  public var permille: Int
  /// Null while nobody can say.
  public var remainingMs: Int?
  /// Of the archive; null until it is there, as the following.
  public var sizeBytes: Int?
  public var records: Int?
  public var files: Int?
  public var sha256: String?
  public var expiresAt: Date?
  /// Good for an hour or two; asking again gives a new one.
  public var url: String?
  /// The code of what went wrong.
  public var problem: String?

  public init(id: String, state: State, createdAt: Date, permille: Int) {
    self.id = id
    self.state = state
    self.createdAt = createdAt
    self.permille = permille
  }
}

/// Newest first.
public struct DataExportList: Codable, Sendable, Equatable {
  public var items: [DataExport]

  public init(items: [DataExport]) { self.items = items }
}
