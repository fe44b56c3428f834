public import Contract
public import Platform

/// What people say about their clips.
extension ClipStore {
  /// Nil: stays as it is.
  public func describe(
    _ clipID: String, caption: String?, tags: [String]?, visibility: Visibility?, coverMs: Int? = nil,
    in transaction: any Transaction
  ) throws {
    if let caption {
      try transaction.execute(
        "UPDATE clips SET caption = ? WHERE id = ?", [.text(Caption.clean(caption)), .text(clipID)])
    }
    if let visibility {
      try transaction.execute(
        "UPDATE clips SET visibility = ? WHERE id = ?", [.text(visibility.rawValue), .text(clipID)])
    }
    if let coverMs { try choose(coverMs: coverMs, of: clipID, in: transaction) }
    guard caption != nil || tags != nil,
      let row = try transaction.query("SELECT caption, tags FROM clips WHERE id = ?", [.text(clipID)]).first
    else { return }
    let given = try tags ?? row.text("tags").split(separator: " ").map(String.init)
    let all = Tags.clean(given + Tags.named(in: try row.text("caption")))
    try transaction.execute(
      "UPDATE clips SET tags = ? WHERE id = ?", [.text(all.joined(separator: " ")), .text(clipID)])
  }
}
