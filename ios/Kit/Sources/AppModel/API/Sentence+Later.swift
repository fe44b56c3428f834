internal import Contract
internal import Foundation

/// When something that was refused for now can be done again.
extension Sentence {
  /// Less than this is a moment, which the words for each error say by themselves.
  private static let shortest = 5

  static func of(_ problem: Problem, _ locale: Locale) -> Sentence {
    let code = ErrorCode(rawValue: problem.code)
    // There is a number in its words, and so no text of the catalog.
    if code == .statementTooLong { return "The text is too long." }
    if code == .webhooksTooMany { return "You have as many webhooks as you may. Remove one first." }
    // Here there is a word, or an age.
    if code == .textRefused {
      return word(in: problem.detail).map {
        Sentence("This site does not take “%@”. Change it and send it again.", $0)
      } ?? "This has words in it that this site does not take. Change it and send it again."
    }
    if code == .contentPolicy, let word = word(in: problem.detail) {
      return Sentence("This site does not take “%@”. Change it and send it again.", word)
    }
    if code == .linksNotYet {
      return "Links can be sent once an account is older. Send it without the link, or wait until then."
    }
    guard let wait = problem.retryAfterSeconds, let time = time(wait, locale) else {
      return code == .tooManyRequests
        ? "That was too fast. Wait a moment and try again." : Sentence(problem.detail)
    }
    switch code {
    case .tooManyRequests: return Sentence("That was too fast. Try again in %@.", time)
    case .unavailable: return Sentence("The server is busy. Try again in %@.", time)
    // Its words say tomorrow; the header is the same for whatever is refused for now.
    case .conversationsTooMany: return Sentence(problem.detail)
    default:
      return Sentence("%1$@ %2$@", [.sentence(Sentence(problem.detail)), .sentence(tryAgain(in: time))])
    }
  }

  /// What stands between marks of quotation, from the first to the last.
  private static func word(in detail: String) -> String? {
    let scalars = detail.unicodeScalars
    guard let start = scalars.firstIndex(of: "“"), let end = scalars.lastIndex(of: "”"), start < end else {
      return nil
    }
    return String(scalars[scalars.index(after: start)..<end])
  }

  /// What to do where more is said elsewhere; `nil`: it can be done in a moment.
  static func tryAgain(inSeconds seconds: Int, locale: Locale = .autoupdatingCurrent) -> Sentence? {
    time(seconds, locale).map(tryAgain(in:))
  }

  private static func tryAgain(in time: String) -> Sentence { Sentence("Try again in %@.", time) }

  /// In one unit, never less than what is to pass, and a day at most.
  private static func time(_ seconds: Int, _ locale: Locale) -> String? {
    guard seconds >= shortest else { return nil }
    let bounded = min(seconds, WireResponse.longestRetryAfter)
    let (unit, length): (Duration.UnitsFormatStyle.Unit, Int) =
      bounded < 60 ? (.seconds, 1) : bounded <= 3_540 ? (.minutes, 60) : (.hours, 3_600)
    let whole = (bounded + length - 1) / length * length
    return Duration.seconds(whole).formatted(.units(allowed: [unit], width: .wide).locale(locale))
  }
}
