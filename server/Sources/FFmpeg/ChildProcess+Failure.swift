internal import Contract
internal import Logging
internal import Platform

extension ChildProcess {
  /// Throws what can be tried again unless this run, which went wrong, says something of the file that it
  /// read. It does not if it was cut off, nor if the program cannot even tell its version where it ran.
  ///
  /// NB: what fails may be anything in front of the program as well (`Confinement`, the linker): a system
  /// that allows no namespaces any more, an update of libraries, too many processes. To refuse a file is
  /// final and costs its source, so an exit status is not enough.
  func requireFileAtFault(for failed: Result, _ what: String, of name: String = "ffmpeg") async throws {
    if failed.wasCutOff { throw failed.failure(what, of: name) }
    var trial = self
    trial.arguments = ["-version"]
    trial.wallSeconds = Self.waitingSeconds
    let version = try await trial.run()
    guard version.status == 0 else {
      throw version.failure(
        "\(what), but not for the file: \(name) does not run here at all (the log has why)",
        of: "\(name) -version")
    }
  }
}

extension ChildProcess.Result {
  /// What went wrong, for the operator (`clipfeed jobs`). The log has all of the last lines that the program
  /// wrote.
  ///
  /// NB: such a line names paths of this machine. Uploaders are told the code and its sentence
  /// (`ProcessingReport`).
  func failure(
    _ what: String?, _ code: ErrorCode = .transcodingFailed, of program: String = "ffmpeg"
  ) -> AppError {
    let how =
      timedOut
      ? "\(program) took too long"
      : status < 0 ? "\(program) was ended by signal \(-status)" : "\(program) ended with \(status)"
    let message = [what, "\(how): \(lastLine)"].compactMap { $0 }.joined(separator: "; ")
    Self.logger.warning(
      "a program failed", metadata: ["what": "\(message)", "complaint": "\(Self.printable(complaint))"])
    return AppError(code, message)
  }

  private static let logger = Logger(label: "clipfeed.ffmpeg")

  private static func printable(_ text: String) -> String {
    PlainText.line(String(decoding: text.utf8.suffix(2000), as: UTF8.self))
  }

  /// The last line of its complaint, which may be anything.
  private var lastLine: String {
    let lines = complaint.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let last = lines.last { !$0.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
    return last.map { PlainText.line(String(decoding: $0.prefix(300), as: UTF8.self)) } ?? "it says nothing"
  }
}
