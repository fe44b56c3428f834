internal import Synchronization

/// Whoever makes videos for an instance, in the order in which they are asked, and how much of it there is.
/// One for all of a process; until it is told otherwise nobody makes any.
public final class VideoMakers: Sendable {
  /// What a provider that says when to come back is left alone for at most, in milliseconds.
  static let longestRestMs: Int64 = 300_000

  private struct State {
    var providers: [any VideoProvider] = []
    var rules = GenerationRules()
    /// Until when nobody is asked to begin something, by name.
    var rests: [String: Int64] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// From here on. Of several with one name the first counts, since rows know them by it. `order`: names of
  /// those that come first; the others follow as they stand.
  public func take(
    _ providers: [any VideoProvider], order: [String] = [], _ rules: GenerationRules = GenerationRules()
  ) {
    let ordered = order.compactMap { name in providers.first { $0.name == name } } + providers
    var names: Set<String> = []
    let known = ordered.filter { names.insert($0.name).inserted }
    state.withLock { $0 = State(providers: known, rules: rules) }
  }

  public var rules: GenerationRules { state.withLock { $0.rules } }
  var providers: [any VideoProvider] { state.withLock { $0.providers } }

  func provider(_ name: String?) -> (any VideoProvider)? { providers.first { $0.name == name } }

  /// Those that can be asked to begin something now.
  func awake(atMs nowMs: Int64) -> [any VideoProvider] {
    state.withLock { state in state.providers.filter { state.rests[$0.name] ?? 0 <= nowMs } }
  }

  func rest(_ name: String, untilMs: Int64) {
    state.withLock { $0.rests[name] = max($0.rests[name] ?? 0, untilMs) }
  }
}

extension VideoCapabilities {
  /// Nil: it cannot make that. Else how many seconds are asked for: the shortest length that is long enough,
  /// or else the longest one.
  func seconds(for wanted: WantedVideo) -> Int? {
    guard aspects.contains(wanted.aspect), takesPictures || !wanted.hasPicture,
      wanted.prompt.unicodeScalars.count <= promptLength
    else { return nil }
    return seconds.first { $0 >= wanted.seconds } ?? seconds.last
  }
}

/// What somebody wants to have, as far as it decides who can make it.
struct WantedVideo: Sendable, Equatable {
  /// The style is in it already.
  var prompt: String
  var seconds: Int
  var aspect: VideoAspect
  var hasPicture: Bool
}
