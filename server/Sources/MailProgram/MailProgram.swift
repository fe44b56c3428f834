public import Accounts
internal import Contract
internal import Foundation
internal import Platform
internal import Synchronization

/// The MailSending port on a program of the operator's that takes a message on standard input, as sendmail does.
///
/// It sees nothing of our environment but where programs and homes are. What it complains goes where our log goes.
public struct MailProgram: MailSending {
  /// Longer than any program takes that hands a message to a queue.
  static let seconds = 30.0
  public static let recipientPlaceholder = "{to}"

  private let command: [String]
  private let from: String

  /// In the command's words `{to}` stands for the recipient; sendmail reads it from the message (`-t`). Throws
  /// `invalid_parameter` if there is no such program.
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
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = command.dropFirst().map { $0.replacing(Self.recipientPlaceholder, with: mail.to) }
    let own = ProcessInfo.processInfo.environment
    process.environment = ["PATH", "HOME"].reduce(into: ["LC_ALL": "C"]) { $0[$1] = own[$1] }
    let input = Pipe()
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    let ended = AsyncStream<Int32>.makeStream()
    process.terminationHandler = {
      ended.continuation.yield($0.terminationReason == .exit ? $0.terminationStatus : -1)
      ended.continuation.finish()
    }
    do {
      try process.run()
    } catch {
      throw AppError(.unavailable, "The mail program cannot be started: \(error)")
    }
    // Far less than a pipe holds, so nothing waits for the program to read it.
    try? input.fileHandleForWriting.write(contentsOf: Data(message(mail).utf8))
    try? input.fileHandleForWriting.close()
    let id = process.processIdentifier
    let limit = Task {
      try await Task.sleep(for: .seconds(Self.seconds))
      kill(id, SIGKILL)
    }
    defer { limit.cancel() }
    var status: Int32 = -1
    for await code in ended.stream { status = code }
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
