public import Contract

extension Clip {
  /// Where guests may not comment, accounts may. Nobody can on a private clip.
  public mutating func openComments(to viewer: Viewer?) {
    if viewer?.accountID != nil, visibility != .private { comments = .open }
  }
}
