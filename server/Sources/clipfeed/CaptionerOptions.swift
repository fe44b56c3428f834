internal import ArgumentParser
internal import Captions
internal import FFmpeg
internal import Foundation
internal import Platform

/// Which program makes captions of what is said. An option counts more than the environment.
struct CaptionerOptions: ParsableArguments {
  static let commandVariable = "CLIPFEED_CAPTIONER"
  static let languageVariable = "CLIPFEED_CAPTIONER_LANGUAGE"
  static let secondsVariable = "CLIPFEED_CAPTIONER_SECONDS"
  static let memoryVariable = "CLIPFEED_CAPTIONER_MB"

  @Option(
    help: ArgumentHelp(
      """
      The program that prints captions for a sound file, with its arguments; {file} and {language} stand for those. \
      Without it \(commandVariable) counts, else there is none.
      """, valueName: "command"))
  var captioner: String?
  @Option(help: "The language it writes; without it \(languageVariable) counts, else en.")
  var captionerLanguage: String?
  @Option(help: "Seconds it may take for a clip; without it \(secondsVariable) counts, else 600.")
  var captionerSeconds: Int?
  @Option(help: "Megabytes of memory it may take; without it \(memoryVariable) counts, else 8192.")
  var captionerMb: Int?

  mutating func validate() throws {
    let environment = ProcessInfo.processInfo.environment
    captioner = captioner ?? environment[Self.commandVariable]
    captionerLanguage = captionerLanguage ?? environment[Self.languageVariable]
    captionerSeconds = try captionerSeconds ?? Self.number(environment, Self.secondsVariable)
    captionerMb = try captionerMb ?? Self.number(environment, Self.memoryVariable)
    guard captioner.map({ $0.isEmpty || CommandLineWords.split($0)?.isEmpty == false }) ?? true else {
      throw ValidationError(
        "--captioner (or \(Self.commandVariable)) has a quotation mark that does not end.")
    }
    guard captionerLanguage.map({ LanguageTag($0) != nil }) ?? true else {
      throw ValidationError(
        "--captioner-language (or \(Self.languageVariable)) must be a language tag such as en or pt-BR.")
    }
    guard (1...86_400).contains(captionerSeconds ?? 1), (1...1_048_576).contains(captionerMb ?? 1) else {
      throw ValidationError("The captioner's seconds and megabytes must be numbers from 1 on.")
    }
  }

  /// Nil: there is none. Throws if its program is not there.
  func make(_ tools: FFmpegTools) throws -> OperatorCaptioner? {
    guard let captioner, let words = CommandLineWords.split(captioner), !words.isEmpty,
      let language = LanguageTag(captionerLanguage ?? "en")
    else { return nil }
    return try OperatorCaptioner(
      command: words, language: language, seconds: captionerSeconds ?? 600,
      memoryMegabytes: captionerMb ?? 8192, tools: tools)
  }

  private static func number(_ environment: [String: String], _ variable: String) throws -> Int? {
    guard let text = environment[variable] else { return nil }
    guard let number = Int(text) else { throw ValidationError("\(variable) must be a number.") }
    return number
  }
}

/// A command as its words: blanks part them, quotation marks of either kind and backslashes keep together. Nothing is
/// expanded, since no shell ever sees it.
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
