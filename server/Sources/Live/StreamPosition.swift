internal import Contract
internal import Platform

/// How far a stream has been told: everything before `settledMs`, and of what came later these events.
///
/// As text it is the id of an event of the stream, which a client hands back in `Last-Event-ID`. It is no
/// secret: whose events are read is decided by who asks.
struct StreamPosition: Sendable, Equatable {
  /// Of more than these a client may hear twice.
  static let tagsOfAText = 64
  /// More that have not settled are a flood in which nobody reads single events.
  static let heldAtMost = 2000

  private(set) var settledMs: Int64
  /// In the order of telling.
  private(set) var sent: [String] = []
  private var ids: Set<String> = []
  /// Of a text: what a client was told by an earlier stream.
  private var tags: Set<String> = []

  init(settledMs: Int64) { self.settledMs = settledMs }

  /// The end of an id is random.
  private static func tag(of id: String) -> String { String(id.suffix(8)) }

  /// False: it was told before.
  mutating func tell(_ id: String) -> Bool {
    guard ids.insert(id).inserted else { return false }
    sent.append(id)
    return !tags.contains(Self.tag(of: id))
  }

  /// Everything before this instant has been told, and everything from the former place on has been looked
  /// at. What lies before need not be remembered one by one.
  mutating func settle(before ms: Int64) {
    tags = []
    guard ms > settledMs else { return }
    settledMs = ms
    guard !sent.isEmpty else { return }
    sent.removeAll { (LiveStart.ms(of: $0) ?? 0) < ms }
    ids = Set(sent)
  }

  var text: String {
    ([String(settledMs, radix: 36)] + sent.suffix(Self.tagsOfAText).map(Self.tag)).joined(separator: ".")
  }

  /// Nil for what no stream has said.
  init?(_ text: String) {
    let words = text.split(atByte: UInt8(ascii: "."), omittingEmpty: false)
    guard text.utf8.count <= 16 + Self.tagsOfAText * 9, let ms = Int64(words[0], radix: 36), ms >= 0,
      words.dropFirst().allSatisfy({ word in
        word.utf8.count == 8
          && word.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
              || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
          }
      })
    else { return nil }
    settledMs = ms
    tags = Set(words.dropFirst().map(String.init))
  }
}
