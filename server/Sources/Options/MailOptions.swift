public import ArgumentParser
internal import Configured
internal import Foundation
public import MailProgram

/// By which program people are written to.
public struct MailOptions: ParsableArguments, Sendable {
  @Option(name: .customLong("mail-command"), help: ArgumentHelp(.mailCommand)) var command: String?
  @Option(name: .customLong("mail-from"), help: ArgumentHelp(.mailFrom)) var from: String?

  /// Nil: nobody is written to.
  var words: [String]? { command.flatMap(CommandLineWords.split) }

  public init() {}

  public mutating func validate() throws {
    command = try settled(.mailCommand, command)
    from = try settled(.mailFrom, from)
    guard let command else { return }
    guard CommandLineWords.split(command)?.isEmpty == false else {
      throw ValidationError("\(Setting.mailCommand.places) has a quotation mark that does not end.")
    }
    guard let from, from.contains("@"), from.unicodeScalars.allSatisfy({ (0x20..<0x7F).contains($0.value) })
    else {
      throw ValidationError(
        "\(Setting.mailCommand.places) needs \(Setting.mailFrom.places), an e-mail address.")
    }
  }

  /// Nil: nobody is written to. Throws if the program is not there.
  public func make() throws -> MailProgram? {
    guard let words, let from else { return nil }
    return try MailProgram(command: words, from: from)
  }
}
