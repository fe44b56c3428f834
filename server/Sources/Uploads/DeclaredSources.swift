public import Contract
public import Platform

/// What those who brought clips said of AI in the files that theirs were made of. It refuses to know what the
/// files say themselves.
public struct DeclaredSources: Sendable {
  private let database: any Database

  public init(database: any Database) { self.database = database }

  /// The strongest word of those whose clip it is; nil: there is none. Who brings what is somebody else's
  /// clip says nothing about that.
  public func declaredSource(of clipID: String) async throws -> DigitalSourceType? {
    let declared = try await database.read { transaction in
      try transaction.query(
        """
        SELECT DISTINCT digital_source_type FROM uploads
        WHERE clip_id = ? AND owns_clip = 1 AND digital_source_type IS NOT NULL
        """, [.text(clipID)]
      ).compactMap { DigitalSourceType(rawValue: try $0.text("digital_source_type")) }
    }
    // The strongest comes first.
    return DigitalSourceType.allCases.first { declared.contains($0) }
  }
}
