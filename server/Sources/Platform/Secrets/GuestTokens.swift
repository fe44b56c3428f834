/// What a guest hands back to be known again: an id and a tag that only this instance can make,
/// `g2.{id}.{tag}`. Nothing is written down for a guest who does nothing.
public struct GuestTokens: Sendable {
  private static let prefix = "g2."
  /// With a tag of 64 bits: made by earlier versions, and read until their key is over.
  private static let shortPrefix = "g1."
  private static let idLength = 36

  private let keys: TokenKeys

  public init(keys: TokenKeys) {
    self.keys = keys
  }

  /// By a key that never changes.
  public init(secret: String) { self.init(keys: TokenKeys(secret: secret)) }

  /// Whether it means to be one.
  public static func isLike(_ text: String) -> Bool {
    text.starts(withBytesOf: prefix) || text.starts(withBytesOf: shortPrefix)
  }

  public func make(at time: any TimeSource) -> (id: String, token: String) {
    let id = Identifier.make(at: time)
    return (id, token(of: id))
  }

  func token(of id: String) -> String { Self.prefix + id + "." + keys.tag(of: "guest/2\n\(id)") }

  /// The id; nil for anything that this instance did not make. The comparison takes as long whatever differs.
  public func read(_ token: String) -> String? {
    let bytes = Array(token.utf8)
    let (start, end) = (Self.prefix.utf8.count, Self.prefix.utf8.count + Self.idLength)
    guard bytes.count > end + 1, bytes.count <= end + 33, bytes[end] == UInt8(ascii: ".") else { return nil }
    let id = String(decoding: bytes[start..<end], as: UTF8.self)
    let tag = bytes[(end + 1)...]
    if bytes.starts(with: Self.prefix.utf8) { return keys.isTag(tag, of: "guest/2\n\(id)") ? id : nil }
    guard bytes.starts(with: Self.shortPrefix.utf8) else { return nil }
    return keys.isShortTag(tag, of: "guest/1\n\(id)") ? id : nil
  }

  /// What takes the token's place, since it was made by an older key or an earlier version; nil: it stays.
  public func renewed(_ token: String) -> String? {
    guard let id = read(token) else { return nil }
    let new = self.token(of: id)
    return new == token ? nil : new
  }

  /// Makes the key known that other processes have by now.
  public func catchUp() async { await keys.catchUp() }
}
