public import Contract
public import Foundation

/// What a person is told of a clip from words, by a locale.
public struct GenerationWords: Sendable {
  private let locale: Locale

  public init(locale: Locale = .autoupdatingCurrent) { self.locale = locale }

  /// Whole words that can be asked for as they are; in the language of the device they are prompts too.
  public static let examples: [Sentence] = [
    "A fox walks through fresh snow at dawn, the camera low behind it",
    "Waves break against a lighthouse in a storm, seen from above",
    "A paper boat floats down a street in the rain, close to the water",
    "Two old friends laugh on a bench in a park, in the light of autumn",
  ]

  // MARK: Time

  /// Of a length, before it is asked for; `nil`: nobody knows yet.
  public func usual(_ length: GenerationLength) -> Sentence? {
    length.usualMs.flatMap(time).map { Sentence("It usually takes %@.", $0) }
  }

  /// What is left of one that is under way; `nil`: nobody knows.
  public func remaining(_ generation: Generation) -> Sentence? {
    guard !generation.state.isOver, let remaining = generation.remainingMs else { return nil }
    return time(remaining).map { Sentence("About %@ left", $0) } ?? "Nearly there"
  }

  /// In one unit, rounded up, as nobody knows it better; `nil`: none. An hour and more stay minutes, a day
  /// at most.
  private func time(_ milliseconds: Int) -> String? {
    guard milliseconds > 0 else { return nil }
    let bounded = min(milliseconds, 86_400_000)
    let seconds = bounded / 1000 + (bounded % 1000 > 0 ? 1 : 0)
    let (unit, step): (Duration.UnitsFormatStyle.Unit, Int) = seconds < 90 ? (.seconds, 5) : (.minutes, 60)
    let whole = (seconds + step - 1) / step * step
    return Duration.seconds(whole).formatted(.units(allowed: [unit], width: .wide).locale(locale))
  }

  // MARK: How far one is

  public func state(_ generation: Generation) -> Sentence {
    switch generation.state {
    case .reserved:
      // Whose turn is next waits behind nobody.
      generation.place.flatMap { $0 > 1 ? Sentence("Place %@ in the queue", number($0)) : nil }
        ?? "Waits for its turn"
    case .queued: "It begins in a moment"
    case .inProgress: "Being made"
    case .storing: "It is made, and becomes a clip"
    case .ready: generation.isPublished ? "Published" : "A draft that only you see"
    case .failed, .expired: "Not made"
    case .cancelled: "Cancelled"
    }
  }

  /// Why there is none, and what to do; `nil`: there is one, or may be.
  public func why(_ generation: Generation) -> Sentence? {
    switch (generation.state, generation.problem) {
    case (.cancelled, _): "You cancelled it, and have its credits back."
    case (.failed, let problem), (.expired, let problem):
      switch problem {
      case .contentPolicy:
        "This prompt, or the picture to start from, is against the rules of whoever makes videos. Change it and try again."
      case .invalidRequest: "This prompt cannot be made a video of as it is. Change it and try again."
      case .rateLimited, .capacity: "Too much is being made at the moment. Try again later."
      case .timeout, .expired: "It was not made in time. Try again later."
      case .providerError, nil: "Something went wrong where videos are made. Try again, or change the prompt."
      }
    default: nil
    }
  }

  private func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }

  // MARK: What can be chosen

  public static func name(of style: GenerationStyle) -> Sentence {
    switch style {
    case .cinematic: "Cinematic"
    case .animation: "Animation"
    case .realistic: "Realistic"
    case .none: "No style"
    }
  }

  public static func name(of aspect: GenerationAspect) -> Sentence {
    switch aspect {
    case .portrait: "Upright, 9:16"
    case .square: "Square, 1:1"
    case .landscape: "Wide, 16:9"
    }
  }
}
