/// The keys by which tokens are tagged at this moment: one of them makes, all of them read.
public struct TokenKeys: Sendable {
  struct Key: Sendable, Equatable {
    let secret: String
    /// An earlier version made it, and with it tags of 64 bits.
    let mayHaveShortTags: Bool

    init(_ secret: String, mayHaveShortTags: Bool) {
      self.secret = secret
      self.mayHaveShortTags = mayHaveShortTags
    }
  }

  struct Held: Sendable, Equatable {
    let making: String
    /// The newest first.
    let reading: [Key]
  }

  /// 128 bits.
  private static let tagBytes = 16
  private static let shortTagBytes = 8

  let held: @Sendable () -> Held
  private let reread: @Sendable () async -> Void

  init(held: @escaping @Sendable () -> Held, catchUp: @escaping @Sendable () async -> Void) {
    self.held = held
    reread = catchUp
  }

  /// One that never changes.
  public init(secret: String) {
    let held = Held(making: secret, reading: [Key(secret, mayHaveShortTags: false)])
    self.init(held: { held }, catchUp: {})
  }

  /// For whoever can wait: the keys are at most half a minute old from here on, if the database answers.
  public func catchUp() async { await reread() }

  public var making: String { held().making }
  /// The newest first.
  public var reading: [String] { held().reading.map(\.secret) }

  /// In hexadecimal digits.
  public func tag(of text: String) -> String { Self.tag(of: text, making, Self.tagBytes) }

  /// The comparison takes as long whatever differs.
  public func isTag(_ tag: some Collection<UInt8>, of text: String) -> Bool {
    reading.contains { Self.isSame(tag, Self.tag(of: text, $0, Self.tagBytes).utf8) }
  }

  /// One of 64 bits, as tokens had before: only keys of that time made any.
  public func isShortTag(_ tag: some Collection<UInt8>, of text: String) -> Bool {
    held().reading.contains {
      $0.mayHaveShortTags && Self.isSame(tag, Self.tag(of: text, $0.secret, Self.shortTagBytes).utf8)
    }
  }

  private static func tag(of text: String, _ secret: String, _ bytes: Int) -> String {
    ContentHash.hex(TokenTag(secret: secret, bytes: bytes).of(Array(text.utf8)))
  }

  private static func isSame(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
