internal import Platform
public import Ranking

/// A setting by which pages of "For you" go, as an operator writes it: `worth-skip=-1`.
///
/// Those are meant that change what is shown and not what is learned, so that two of them can be tried at
/// once on one ranker. How much the lot gives is none of them: it is what all others are judged by.
public struct PageSetting: Sendable {
  public let name: String
  public let range: ClosedRange<Float>
  public let summary: String
  let isWhole: Bool
  let get: @Sendable (Ranker.PageSettings) -> Float
  let set: @Sendable (inout Ranker.PageSettings, Float) -> Void

  public static let all: [PageSetting] =
    [
      worth(.positive, "positive", "a long view or an action"),
      worth(.action, "action", "a like and the like"),
      worth(.skip, "skip", "being gone within two seconds"),
      worth(.watch, "watch", "the watch time among those of clips about as long"),
    ] + [
      number("blend-vectors", 0...10, \.blend.factors, "what tastes have in common, for candidates"),
      number("blend-co-watch", 0...10, \.blend.coWatch, "what the same people liked, for candidates"),
      number("blend-popularity", 0...10, \.blend.popularity, "what many like these days, for candidates"),
      number("blend-order", 0...10, \.blend.sequence, "the order of the last watches, for candidates"),
      number("likeness", 0...1, \.diversity.likeness, "what likeness to the page costs a clip (MMR)"),
      number(
        "author-floor", 0...1, \.diversity.authorFloor, "what an author's further clips keep of their score"),
      whole("per-author", 1...100, \.diversity.perAuthor, "clips of an author on a page"),
      whole("per-tag", 1...10, \.diversity.perTag, "clips with one tag among ten"),
      whole("new-every", 0...100, \.newClipEvery, "one of so many places is a new clip's; 0: none"),
    ]

  /// The settings that count where nobody says anything, with what is said: `name=value`, with spaces
  /// between. Throws `WrongPageSetting`.
  public static func settings(_ text: String) throws(WrongPageSetting) -> Ranker.PageSettings {
    var settings = Ranker.Settings().page
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let setting = all.first(where: { $0.name == parts[0] }) else {
        throw WrongPageSetting(
          "there is no \(parts[0].debugDescription), but \(all.map(\.name).joined(separator: ", "))")
      }
      guard parts.count == 2, let value = Float(parts[1]), setting.range.contains(value),
        !setting.isWhole || value == value.rounded()
      else {
        throw WrongPageSetting(
          "\(setting.name) must be \(setting.demand), as in \(setting.name)=\(setting.value(in: settings))")
      }
      setting.set(&settings, value)
    }
    return settings
  }

  /// What differs from the settings that count where nobody says anything; empty: nothing does.
  public static func words(_ settings: Ranker.PageSettings) -> String {
    let standard = Ranker.Settings().page
    return all.filter { $0.get(settings) != $0.get(standard) }.map { "\($0.name)=\($0.value(in: settings))" }
      .joined(separator: " ")
  }

  /// What a value must be.
  public var demand: String {
    isWhole
      ? "a whole number from \(Self.whole(range.lowerBound)) to \(Self.whole(range.upperBound))"
      : "a number from \(range.lowerBound) to \(range.upperBound)"
  }

  func value(in settings: Ranker.PageSettings) -> String {
    let value = get(settings)
    return isWhole ? "\(Self.whole(value))" : "\(value)"
  }

  private static func whole(_ value: Float) -> Int { Int(clamping: Double(value).rounded(), to: 0...1_000) }

  private static func worth(_ head: Head, _ name: String, _ what: String) -> PageSetting {
    PageSetting(
      name: "worth-\(name)", range: -100...100, summary: "what the probability counts of \(what)",
      isWhole: false, get: { $0.worth[head] ?? 0 }, set: { $0.worth[head] = $1 })
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Float>,
    _ path: any WritableKeyPath<Ranker.PageSettings, Float> & Sendable, _ summary: String
  ) -> PageSetting {
    PageSetting(
      name: name, range: range, summary: summary, isWhole: false, get: { $0[keyPath: path] },
      set: { $0[keyPath: path] = $1 })
  }

  private static func whole(
    _ name: String, _ range: ClosedRange<Float>,
    _ path: any WritableKeyPath<Ranker.PageSettings, Int> & Sendable, _ summary: String
  ) -> PageSetting {
    PageSetting(
      name: name, range: range, summary: summary, isWhole: true, get: { Float($0[keyPath: path]) },
      set: { $0[keyPath: path] = whole($1) })
  }
}

/// Why words are no settings of a page, for the operator.
public struct WrongPageSetting: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
