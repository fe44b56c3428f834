public import Accounts
internal import Contract
internal import Foundation
internal import Platform
internal import Synchronization

/// The MailSending port on a program of the operator's that takes a message on standard input, as sendmail
/// does.
///
/// It sees nothing of our environment but where programs and homes are. What it complains goes where our log
/// goes.
public struct MailProgram: MailSending {
  /// Longer than any program takes that hands a message to a queue.
  static let seconds = 30.0
  public static let recipientPlaceholder = "{to}"

  private let command: [String]
  private let from: String

  /// In the command's words `{to}` stands for the recipient; sendmail reads it from the message (`-t`).
  /// Throws `invalid_parameter` if there is no such program.
  public init(command: [String], from: String) throws {
    guard let program = command.first, program.hasPrefix("/"),
      FileManager.default.isExecutableFile(atPath: program)
    else {
      throw AppError(
        .invalidParameter,
        "The mail program \(command.first ?? "") is not there, or cannot be run; give its whole path.")
    }
    self.command = command
    self.from = from
  }

  public func send(_ mail: Mail) async throws {
    let words =
      [command[0]] + command.dropFirst().map { $0.replacing(Self.recipientPlaceholder, with: mail.to) }
    let own = ProcessInfo.processInfo.environment
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw AppError(.unavailable, "The mail program cannot be started: no more files can be opened.")
    }
    let (reading, input) = (ends[0], FileHandle(fileDescriptor: ends[1], closeOnDealloc: true))
    defer { try? input.close() }
    let child: pid_t
    do {
      defer { close(reading) }
      child = try Spawn(
        words, environment: ["PATH", "HOME"].reduce(into: ["LC_ALL": "C"]) { $0[$1] = own[$1] },
        input: reading, error: STDERR_FILENO
      ).start()
    } catch {
      throw AppError(.unavailable, "The mail program cannot be started: \(error)")
    }
    // Far less than a pipe holds, so nothing waits for the program to read it.
    try? input.write(contentsOf: Data(message(mail).utf8))
    try? input.close()
    let limit = Task {
      try await Task.sleep(for: .seconds(Self.seconds))
      kill(-child, SIGKILL)
    }
    defer { limit.cancel() }
    let status = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Spawn.status(of: child)) }
    }
    guard status == 0 else { throw AppError(.unavailable, "The mail program ended with \(status).") }
  }

  func message(_ mail: Mail) -> String {
    let date = Date().formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) +0000",
        locale: Locale(identifier: "en_US_POSIX"), timeZone: TimeZone(secondsFromGMT: 0) ?? .current,
        calendar: Calendar(identifier: .gregorian)))
    return """
      From: \(from)
      To: \(mail.to)
      Subject: \(mail.subject)
      Date: \(date)
      Auto-Submitted: auto-generated
      MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8
      Content-Transfer-Encoding: 8bit

      \(mail.text)

      """
  }
}
