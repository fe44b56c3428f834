internal import Contract
public import Platform

/// Clips that moderators take away, and give back.
///
/// One that is withheld is private, so whoever leaves out what is not for everybody leaves it out as well. It
/// stays so whatever its owner says: what they wish is kept, and holds once it is given back.
extension ClipStore {
  public static let withholdingMigrations = [
    Migration(
      "0048_withheld_clips",
      // Who is to see a clip once moderators give it back; set for as long as they withhold it.
      ["ALTER TABLE clips ADD COLUMN withheld_visibility TEXT"])
  ]

  /// False: there is no such clip, or it is withheld already, or its owner has deleted it.
  public func withhold(_ clipID: String, in transaction: any Transaction) throws -> Bool {
    try transaction.lock(clipID)
    guard
      let row = try transaction.query(
        "SELECT visibility, removed_visibility FROM clips WHERE id = ? AND withheld_visibility IS NULL",
        [.text(clipID)]
      ).first, row.optionalText("removed_visibility") == nil
    else { return false }
    try describe(clipID, caption: nil, tags: nil, visibility: .private, in: transaction)
    try changes.execute(
      "UPDATE clips SET withheld_visibility = ? WHERE id = ?",
      [.text(try row.text("visibility")), .text(clipID)], in: transaction)
    return true
  }

  /// What its owner has deleted meanwhile stays deleted.
  public func giveBack(_ clipID: String, in transaction: any Transaction) throws {
    try transaction.lock(clipID)
    guard let visibility = try visibility(ofWithheld: clipID, in: transaction) else { return }
    try changes.execute(
      "UPDATE clips SET withheld_visibility = NULL WHERE id = ?", [.text(clipID)], in: transaction)
    try describe(clipID, caption: nil, tags: nil, visibility: visibility, in: transaction)
  }

  /// What its owner says with it; empty where there is no such clip.
  public func words(of clipID: String, in transaction: any Transaction) throws -> String {
    try transaction.query("SELECT caption FROM clips WHERE id = ?", [.text(clipID)]).first?.text("caption")
      ?? ""
  }

  /// As it will be if it is given back; nil for one that is not withheld.
  func visibility(ofWithheld clipID: String, in transaction: any Transaction) throws -> Visibility? {
    try transaction.query(
      "SELECT withheld_visibility FROM clips WHERE id = ? AND withheld_visibility IS NOT NULL",
      [.text(clipID)]
    ).first.map { Visibility(rawValue: try $0.text("withheld_visibility")) ?? .private }
  }

  /// What its owner wishes of a clip that is withheld. False: it is not.
  func keepWish(_ visibility: Visibility, of clipID: String, in transaction: any Transaction) throws -> Bool {
    try changes.execute(
      "UPDATE clips SET withheld_visibility = ? WHERE id = ? AND withheld_visibility IS NOT NULL",
      [.text(visibility.rawValue), .text(clipID)], in: transaction) == 1
  }
}
