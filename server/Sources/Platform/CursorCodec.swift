public import Contract
internal import Foundation

/// A place in a list as a token: version, number and a tag that only this instance can make, in base64url.
///
/// The tag is there so that clients treat the token as opaque: an edited one is refused instead of half working.
public struct CursorCodec: Sendable {
  private static let version: UInt8 = 1

  private let secret: String

  /// `list` names what the places are places in: a token of one list is refused by every other.
  public init(secret: String, list: String = "") {
    self.secret = list.isEmpty ? secret : "\(secret)/\(list)"
  }

  /// A page of rows that stand in the falling order of `number`: as many as asked for, and one more where there is
  /// a next page.
  public func page<Item>(
    of rows: [Row], limit: Int, by number: String, _ item: (Row) throws -> Item
  ) throws -> Page<Item> {
    let shown = rows.prefix(limit)
    let next = rows.count > limit ? try shown.last.map { encode(try $0.integer(number)) } : nil
    return Page(items: try shown.map(item), nextCursor: next)
  }

  /// The number below which the page starts; throws `invalid_cursor` for what is not a token of this list.
  public func start(of cursor: String?) throws -> Int64 { try cursor.map(decode) ?? .max }

  func encode(_ number: Int64) -> String {
    let body = [Self.version] + withUnsafeBytes(of: number.bigEndian, Array.init)
    return Data(body + TokenTag.of(body, secret: secret)).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  func decode(_ text: String) throws -> Int64 {
    // 17 bytes are 23 digits of base64; anything else is not worth a look.
    guard text.utf8.count == 23,
      let data = Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + "=")
    else { throw AppError(.invalidCursor) }
    let bytes = [UInt8](data)
    let body = Array(bytes.prefix(9))
    guard bytes.count == 17, body[0] == Self.version, Array(bytes[9...]) == TokenTag.of(body, secret: secret)
    else { throw AppError(.invalidCursor) }
    let number = body[1...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // NB: the same bytes have several spellings in base64 (spare bits at the end); only ours is taken.
    guard encode(Int64(bitPattern: number)) == text else { throw AppError(.invalidCursor) }
    return Int64(bitPattern: number)
  }
}
