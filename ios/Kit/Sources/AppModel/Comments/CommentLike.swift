internal import Contract

/// The like of a comment as `Activity` knows it: its name outlives a run, and whoever finds one that an
/// earlier run left asks for the same.
enum CommentLike {
  private static let prefix = "comment-like "

  static func name(of comment: String) -> String { prefix + comment }

  /// The other way round; `nil`: it is a name of something else.
  static func comment(of name: String) -> String? {
    // NB: by bytes, since an id is a server's.
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  static func ask(_ comment: String, _ isOn: Bool, _ client: Client) async throws -> ActivityHost.Answer {
    let answer = try await isOn ? client.likeComment(comment) : client.unlikeComment(comment)
    return ActivityHost.Answer(count: answer.likes)
  }
}
