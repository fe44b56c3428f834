/// What a guest hands back to be known again: an id and a tag that only this instance can make, `g1.{id}.{tag}`. Nothing
/// is written down for a guest who does nothing.
public struct GuestTokens: Sendable {
  public static let prefix = "g1."
  private static let idLength = 36

  private let tag: TokenTag

  public init(secret: String) {
    tag = TokenTag(secret: secret)
  }

  public func make(at time: any TimeSource) -> (id: String, token: String) {
    let id = Identifier.make(at: time)
    return (id, token(of: id))
  }

  func token(of id: String) -> String {
    Self.prefix + id + "." + ContentHash.hex(tag.of(Array("guest/1\n\(id)".utf8)))
  }

  /// The id; nil for anything that this instance did not make. The comparison takes as long whatever differs.
  public func read(_ token: String) -> String? {
    let bytes = Array(token.utf8)
    let start = Self.prefix.utf8.count
    guard bytes.count == start + Self.idLength + 1 + 16, bytes.starts(with: Self.prefix.utf8) else {
      return nil
    }
    let id = String(decoding: bytes[start..<start + Self.idLength], as: UTF8.self)
    let isSame = zip(bytes, self.token(of: id).utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    return isSame ? id : nil
  }
}
