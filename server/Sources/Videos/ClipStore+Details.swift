public import Contract
public import Platform

/// What people say about their clips.
extension ClipStore {
  /// Nil: there is no such clip, or its owner has deleted it.
  public func visibility(of clipID: String) async throws -> Visibility? {
    try await database.read {
      try $0.query(
        "SELECT visibility FROM clips WHERE id = ? AND removed_visibility IS NULL", [.text(clipID)]
      ).first
        .flatMap { Visibility(rawValue: try $0.text("visibility")) }
    }
  }

  public func setVisibility(of clipID: String, to visibility: Visibility) async throws {
    try await database.write {
      try describe(clipID, caption: nil, tags: nil, visibility: visibility, in: $0)
    }
  }

  /// Nil: stays as it is. True: it has another visibility than before. `language`: a tag of BCP 47.
  @discardableResult
  public func describe(
    _ clipID: String, caption: String?, tags: [String]?, visibility: Visibility?, coverMs: Int? = nil,
    forAdults: Bool? = nil, language: String? = nil, in transaction: any Transaction
  ) throws -> Bool {
    let isChanged = try change(
      clipID, caption: caption, tags: tags, visibility: visibility, coverMs: coverMs, in: transaction)
    if let forAdults { try mark(clipID, forAdults: forAdults, in: transaction) }
    if let language { try setLanguage(language, of: clipID, in: transaction) }
    try indexing?.clipChanged(clipID, in: transaction)
    return isChanged
  }

  private func change(
    _ clipID: String, caption: String?, tags: [String]?, visibility: Visibility?, coverMs: Int?,
    in transaction: any Transaction
  ) throws -> Bool {
    try transaction.lock(clipID)
    // What its owner has deleted is seen by nobody, whatever else is said; nor is what moderators withhold.
    let isRemoved = try visibility != nil && self.visibility(ofRemoved: clipID, in: transaction) != nil
    let isWithheld =
      try !isRemoved && visibility.map { try keepWish($0, of: clipID, in: transaction) } ?? false
    let visibility = isRemoved || isWithheld ? nil : visibility
    var isChanged = false
    if let caption {
      try changes.execute(
        "UPDATE clips SET caption = ? WHERE id = ?", [.text(Caption.clean(caption)), .text(clipID)],
        in: transaction)
    }
    if let visibility {
      if visibility == .public {
        try changes.execute(
          "UPDATE clips SET returned_at_ms = ? WHERE id = ? AND visibility <> 'public' AND was_public = 1",
          [.integer(time.nowMs), .text(clipID)], in: transaction)
      }
      isChanged =
        try changes.execute(
          "UPDATE clips SET visibility = ? WHERE id = ? AND visibility <> ?",
          [.text(visibility.rawValue), .text(clipID), .text(visibility.rawValue)], in: transaction) == 1
      // From now on the same content, brought by others, is another clip. It stays so: they may have brought
      // it already.
      try changes.execute(
        """
        UPDATE clips SET source_hash = source_hash || '/' || id
        WHERE id = ? AND visibility <> 'public' AND source_hash NOT LIKE '%/%'
        """, [.text(clipID)], in: transaction)
      // A clip that nobody has seen in the feed is new there; one that comes back takes its old place, or its
      // owner could put it on top again and again.
      let isNew =
        try visibility == .public
        && changes.execute(
          "UPDATE clips SET was_public = 1 WHERE id = ? AND was_public = 0", [.text(clipID)], in: transaction)
          == 1
      if isNew {
        try changes.execute(
          "UPDATE clips SET published_number = ? WHERE id = ? AND published_number IS NOT NULL",
          [.integer(try nextNumber(in: transaction)), .text(clipID)], in: transaction)
      }
    }
    if let coverMs { try choose(coverMs: coverMs, of: clipID, in: transaction) }
    guard caption != nil || tags != nil,
      let row = try transaction.query("SELECT caption, tags FROM clips WHERE id = ?", [.text(clipID)]).first
    else { return isChanged }
    let given = try tags ?? row.text("tags").split(atByte: UInt8(ascii: " ")).map(String.init)
    let all = Tags.clean(given + Tags.named(in: try row.text("caption")))
    try changes.execute(
      "UPDATE clips SET tags = ? WHERE id = ?", [.text(all.joined(separator: " ")), .text(clipID)],
      in: transaction)
    try transaction.execute("DELETE FROM clip_tags WHERE clip_id = ?", [.text(clipID)])
    for tag in all {
      try transaction.execute(
        "INSERT INTO clip_tags (tag, clip_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [.text(tag), .text(clipID)])
    }
    return isChanged
  }
}
