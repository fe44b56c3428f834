public import Contract

/// What somebody does with a clip beside watching it.
public enum ClipAction: String, Sendable { case like, unlike, bookmark, share, comment }

/// Learns from what people do. Told in the transaction in which it is done, once for what is done once, and
/// not of who wants no traces left.
public protocol ActionNoting: Sendable {
  func noted(
    _ action: ClipAction, on clipID: String, by viewer: String, in transaction: any Transaction) throws
  func followed(_ author: String, by viewer: String, in transaction: any Transaction) throws
}

/// Learns from what was watched.
public protocol WatchNoting: Sendable {
  /// Ends of visits (`skip`, `completion`), one for each.
  func watched(_ ends: [WatchEvent], by viewer: String, in transaction: any Transaction) throws
}
