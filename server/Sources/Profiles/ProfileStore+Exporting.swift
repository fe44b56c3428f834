public import Platform

extension ProfileStore: ViewerExporting {
  public var exported: [ExportedRecords] {
    [
      ExportedRecords(
        "profile", "What stands on the page of the account.",
        of: ["profiles.author_id"],
        fields: ["handle", "name", "bio", "links", "likes_public"],
        sql: """
          SELECT a.id AS place, a.handle, a.name, p.bio, p.links, p.likes_public FROM authors a
          LEFT JOIN profiles p ON p.author_id = a.id WHERE a.id = ?
          """)
    ]
  }
}
