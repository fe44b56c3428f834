import Accounts
import Synchronization

/// Keeps what would have been sent.
final class KeptMail: MailSending {
  private let kept = Mutex<[Mail]>([])
  var all: [Mail] { kept.withLock { $0 } }
  func send(_ mail: Mail) async throws { kept.withLock { $0.append(mail) } }
}
