internal import Contract
internal import Synchronization

/// A message to one person.
public struct Mail: Sendable, Equatable {
  /// Checked when it was given: nothing in it can be an option, a header or a second address.
  public let to: String
  public let subject: String
  public let text: String

  public init(to: String, subject: String, text: String) {
    self.to = to
    self.subject = subject
    self.text = text
  }
}

/// Hands a message on to whatever delivers mail here. Throws if it was not taken.
public protocol MailSending: Sendable {
  func send(_ mail: Mail) async throws
}

/// What is to be written to people and providers, in the order in which it was asked for, one at a time and
/// after the answer: whoever asks must not tell by the time it takes whether there was anything to write.
///
/// It is in memory: what is lost with the process is asked for again by whoever waits for it.
final class Outbox: Sendable {
  enum Job: Sendable, Equatable {
    /// Of the account with this handle or address, if there is one.
    case reset(String)
    case confirmation(account: String, email: String)
    /// Of people who have left, to those who vouched for them.
    case revocations
  }

  /// An account for which wrong passwords or codes were given, the last one by that client.
  struct Guesses: Sendable, Equatable {
    let account: String
    let client: String
    var kind = AccountNotice.Kind.wrongPasswords
  }

  /// More than a minute's worth of any mail program; what comes on top is dropped.
  private static let capacity = 1000

  let stream: AsyncStream<Job>
  /// Beside the others: neither waits for a message that takes long.
  let guesses: AsyncStream<Guesses>
  /// Says that notices are to be sent. They are in the database, so once is as good as often.
  let notices: AsyncStream<Void>
  private let continuation: AsyncStream<Job>.Continuation
  private let guessing: AsyncStream<Guesses>.Continuation
  private let noticing: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
    (guesses, guessing) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(WrongPasswords.remembered))
    (notices, noticing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func add(_ job: Job) { continuation.yield(job) }
  func add(_ guesses: Guesses) { guessing.yield(guesses) }
  func sendNotices() { noticing.yield() }
  /// Ends the streams behind what is in them.
  func finish() {
    continuation.finish()
    guessing.finish()
    noticing.finish()
  }
}
