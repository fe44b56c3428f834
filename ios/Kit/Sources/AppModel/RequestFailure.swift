public import Contract

/// What came of a request that failed, for a person and for whoever asks again.
public struct RequestFailure: Equatable, Sendable {
  public enum Reason: Sendable {
    /// No answer.
    case network
    /// The same again is of no use.
    case refused
    /// The same again may succeed later.
    case server
  }

  public let reason: Reason
  public let code: String?
  public let sentence: Sentence

  /// Statuses below 500 after which the same may succeed: too slow, too early, too often.
  private static let later: Set<Int> = [408, 425, 429]

  public init(_ error: any Error) {
    guard let problem = error as? Problem else {
      reason = .network
      code = nil
      sentence = Sentence(for: error)
      return
    }
    reason = problem.status >= 500 || Self.later.contains(problem.status) ? .server : .refused
    code = problem.code
    sentence = ErrorCode(rawValue: problem.code).flatMap(Self.sentence(of:)) ?? Sentence(for: error)
  }

  public func isOne(of codes: ErrorCode...) -> Bool { codes.contains { $0.rawValue == code } }

  private static func sentence(of code: ErrorCode) -> Sentence? {
    switch code {
    case .conversationsTooMany: "You have written to many new people today. Try again tomorrow."
    case .messagesOff: "This person takes no messages."
    case .authorNotFound: "This person is no longer here."
    case .authorBlocked: "You have blocked this person. Unblock them in your account to go on."
    case .commentsOff: "Comments are off."
    case .commentsForFollowers:
      "Whoever made this clip takes comments of their followers. Follow them and send it again."
    case .clipNotFound: "This clip is gone."
    case .clipForAdults: "This clip is for adults. Turn restricted mode off in your account to watch it."
    case .adultUnconfirmed: "Only adults can turn restricted mode off."
    case .commentNotFound: .commentGone
    case .commentNotYours: "This comment is not yours, and neither is its clip."
    case .commentIsReply: "A reply cannot be pinned."
    case .commentRemoved: "This comment was removed."
    case .messageTooLong, .commentTooLong: "The text is too long."
    case .messageEmpty, .commentEmpty: "There is no text."
    case .signInNeeded, .sessionEnded, .accessTokenExpired, .accessTokenInvalid: "Sign in to go on."
    case .accountSuspended: "Your account is suspended."
    default: nil
    }
  }
}
