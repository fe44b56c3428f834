public import Contract
public import Observation

/// People whose handle somebody may be typing behind an `@`.
///
/// It refuses to know where the text stands and what becomes of it.
@MainActor @Observable public final class MentionSuggestions {
  static let most = 5

  /// The best first; none while no handle is typed.
  public private(set) var people: [Author] = []

  /// What was typed of it, without the `@`, and where, in scalars of the text.
  private struct Beginning: Equatable {
    let handle: String
    let range: Range<Int>
  }

  @ObservationIgnored private let client: Client
  @ObservationIgnored private let clock: any PauseClock
  @ObservationIgnored private let isHidden: (Author) -> Bool
  @ObservationIgnored private var beginning: Beginning?
  @ObservationIgnored private var asking: Task<Void, Never>?

  init(client: Client, clock: any PauseClock, isHidden: @escaping (Author) -> Bool) {
    self.client = client
    self.clock = clock
    self.isHidden = isHidden
  }

  /// The text has changed; where it did is where somebody types.
  func typed(_ before: String, _ now: String) {
    let scalars = Array(now.unicodeScalars)
    let found = Self.beginning(at: Self.caret(Array(before.unicodeScalars), scalars), in: scalars)
    guard found != beginning else { return }
    // What stands there is shown until better is found, unless it is of no use any more.
    if found == nil { return clear() }
    beginning = found
    asking?.cancel()
    asking = Task { [weak self, clock] in
      guard (try? await clock.pause(SearchModel.pause)) != nil else { return }
      await self?.ask()
    }
  }

  /// Nothing is typed any more.
  func clear() {
    asking?.cancel()
    asking = nil
    beginning = nil
    if !people.isEmpty { people = [] }
  }

  /// The text with their handle in the place of what was typed of it.
  func completed(_ text: String, with person: Author) -> String {
    let scalars = Array(text.unicodeScalars)
    guard let beginning, beginning.range.upperBound <= scalars.count,
      Self.text(scalars[beginning.range]) == beginning.handle
    else { return text }
    let rest = scalars[beginning.range.upperBound...]
    let gap = rest.first?.properties.isWhitespace == true ? "" : " "
    return Self.text(scalars[..<beginning.range.lowerBound]) + person.handle + gap + Self.text(rest)
  }

  /// Returns once nothing of this is on its way.
  func settled() async { await asking?.value }

  private func ask() async {
    guard let asked = beginning else { return }
    // Without suggestions one can still write.
    let found = try? await client.foundPeople(asked.handle, limit: Self.most)
    guard !Task.isCancelled, asked == beginning else { return }
    people = found?.items.map(\.author).filter { $0.hasProfile && !isHidden($0) } ?? []
  }

  /// Behind what was typed, by what is different: the field does not tell.
  private static func caret(_ before: [Unicode.Scalar], _ now: [Unicode.Scalar]) -> Int {
    let same = zip(before, now).prefix { $0 == $1 }.count
    let rest = min(before.count, now.count) - same
    return now.count - zip(before.reversed(), now.reversed()).prefix(rest).prefix { $0 == $1 }.count
  }

  private static func beginning(at caret: Int, in scalars: [Unicode.Scalar]) -> Beginning? {
    let most = Limits.handleLength.upperBound
    let start = caret - scalars[..<caret].suffix(most + 1).reversed().prefix(while: isOfHandle).count
    guard start > 0, start < caret, caret - start <= most, scalars[start - 1] == "@" else { return nil }
    let handle = text(scalars[start..<caret])
    // Where a handle would be read, were it one already.
    let isRead = Mention.all(in: text(scalars[..<start].suffix(2)) + "aa").count == 1
    return isRead ? Beginning(handle: handle, range: start..<caret) : nil
  }

  private static func isOfHandle(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_": true
    default: false
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
