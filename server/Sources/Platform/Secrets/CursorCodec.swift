public import Contract

/// A place in a list as a token: version, number or words, and a tag that only this instance can make, in
/// base64url.
///
/// The tag is there so that clients treat the token as opaque: an edited one is refused instead of half
/// working.
public struct CursorCodec: Sendable {
  private static let version: UInt8 = 1
  /// Of places that are more than a number.
  private static let wordsVersion: UInt8 = 2
  /// Bytes of such a place: more than any list of ours needs.
  private static let wordsLength = 240

  private let keys: TokenKeys
  private let list: String

  /// `list` names what the places are places in: a token of one list is refused by every other.
  public init(keys: TokenKeys, list: String = "") {
    self.keys = keys
    self.list = list
  }

  /// By a key that never changes.
  public init(secret: String, list: String = "") { self.init(keys: TokenKeys(secret: secret), list: list) }

  /// A page of rows that stand in the falling order of `number`: as many as asked for, and one more where
  /// there is a next page.
  public func page<Item>(
    of rows: [Row], limit: Int, by number: String, _ item: (Row) throws -> Item
  ) throws -> Page<Item> {
    let shown = rows.prefix(limit)
    let next = rows.count > limit ? try shown.last.map { encode(try $0.integer(number)) } : nil
    return Page(items: try shown.map(item), nextCursor: next)
  }

  /// The number below which the page starts; throws `invalid_cursor` for what is not a token of this list.
  public func start(of cursor: String?) throws -> Int64 { try cursor.map(decode) ?? .max }

  public enum Place: Sendable, Equatable {
    case number(Int64)
    case words(String)
  }

  /// A place that is words of our own, of at most 240 bytes.
  public func token(_ words: String) -> String { encode([Self.wordsVersion] + Array(words.utf8)) }

  public func token(number: Int64) -> String { encode(number) }

  /// Throws `invalid_cursor` for what is not a token of this list.
  public func place(of token: String) throws -> Place {
    let body = try body(of: token)
    switch body[0] {
    case Self.version where body.count == 9:
      return .number(Int64(bitPattern: body[1...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }))
    case Self.wordsVersion: return .words(String(decoding: body.dropFirst(), as: UTF8.self))
    default: throw AppError(.invalidCursor)
    }
  }

  func encode(_ number: Int64) -> String {
    encode([Self.version] + withUnsafeBytes(of: number.bigEndian, Array.init))
  }

  func decode(_ text: String) throws -> Int64 {
    guard case .number(let number) = try place(of: text) else { throw AppError(.invalidCursor) }
    return number
  }

  private func encode(_ body: [UInt8]) -> String { Base64URL.text(body + tag(keys.making).of(body)) }

  private func tag(_ secret: String) -> TokenTag {
    TokenTag(secret: list.isEmpty ? secret : "\(secret)/\(list)")
  }

  private func body(of text: String) throws -> [UInt8] {
    // Anything longer is not worth a look.
    guard text.utf8.count <= (Self.wordsLength + 10) * 4 / 3, let token = Base64URL.bytes(text),
      token.count > 9
    else { throw AppError(.invalidCursor) }
    let body = [UInt8](token.dropLast(8))
    guard keys.reading.contains(where: { tag($0).isTag(token.suffix(8), of: body) }) else {
      throw AppError(.invalidCursor)
    }
    return body
  }
}
