public import ArgumentParser
internal import Configured
public import FFmpeg
internal import Foundation
internal import Platform

/// Which program makes captions of what is said.
public struct CaptionerOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.captioner)) var captioner: String?
  @Option(help: ArgumentHelp(.captionerLanguage)) var captionerLanguage: String?
  @Option(help: ArgumentHelp(.captionerSeconds)) var captionerSeconds: String?
  @Option(help: ArgumentHelp(.captionerMb)) var captionerMb: String?

  public init() {}

  public mutating func validate() throws {
    captioner = try settled(.captioner, captioner)
    captionerLanguage = try settled(.captionerLanguage, captionerLanguage)
    captionerSeconds = try settled(.captionerSeconds, captionerSeconds)
    captionerMb = try settled(.captionerMb, captionerMb)
    guard captioner.map({ CommandLineWords.split($0)?.isEmpty == false }) ?? true else {
      throw ValidationError("\(Setting.captioner.places) has a quotation mark that does not end.")
    }
    guard captionerLanguage.map({ LanguageTag($0) != nil }) ?? true else {
      throw ValidationError(
        "\(Setting.captionerLanguage.places) must be a language tag such as en or pt-BR.")
    }
  }

  /// Nil: there is none. Throws if its program is not there.
  public func make(_ tools: FFmpegTools) throws -> OperatorCaptioner? {
    guard let captioner, let words = CommandLineWords.split(captioner), !words.isEmpty,
      let language = LanguageTag(captionerLanguage ?? "en")
    else { return nil }
    return try OperatorCaptioner(
      command: words, language: language, seconds: captionerSeconds.flatMap { SafeInteger.read($0) } ?? 600,
      memoryMegabytes: captionerMb.flatMap { SafeInteger.read($0) } ?? 8192, tools: tools)
  }
}

/// A command as its words: blanks part them, quotation marks of either kind and backslashes keep together.
/// Nothing is expanded, since no shell ever sees it.
enum CommandLineWords {
  /// Nil if a quotation mark does not end.
  static func split(_ text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let ended = word { words.append(ended) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    return words + (word.map { [$0] } ?? [])
  }
}
