/// What a browser hands back to be told from strangers who guess at a password: somebody has signed in with
/// it before (OWASP's "device cookie"). It opens nothing; its guesses are only counted by themselves, so that
/// a stranger's do not lock the owner out. `d2.{account}.{device}.{tag}`, several with `~` between, since a
/// browser may be a family's.
public struct DeviceTokens: Sendable {
  public struct Device: Sendable, Equatable {
    public let account: String
    public let id: String
  }

  private static let prefix = "d2."
  /// With a tag of 64 bits: made by earlier versions, and read until their key is over.
  private static let shortPrefix = "d1."
  private static let idLength = 36
  /// Accounts that a browser is remembered for: the last ones.
  private static let limit = 4

  private let keys: TokenKeys

  public init(keys: TokenKeys) {
    self.keys = keys
  }

  /// By a key that never changes.
  public init(secret: String) { self.init(keys: TokenKeys(secret: secret)) }

  /// What this instance made, the newest first; anything else is passed over.
  public func read(_ text: String) -> [Device] {
    text.utf8.split(separator: UInt8(ascii: "~"), maxSplits: Self.limit).prefix(Self.limit).compactMap {
      device(of: String(decoding: $0, as: UTF8.self))
    }
  }

  /// The text with a token for that account in front; the device keeps its id.
  public func remember(_ account: String, in text: String, at time: any TimeSource) -> String {
    let known = read(text)
    let own = known.first { $0.account == account } ?? Device(account: account, id: Identifier.make(at: time))
    let others = known.filter { $0.account != account }.prefix(Self.limit - 1)
    return ([own] + others).map(token).joined(separator: "~")
  }

  private func token(of device: Device) -> String {
    let body = "\(Self.prefix)\(device.account).\(device.id)"
    return body + "." + keys.tag(of: "device/2\n\(body)")
  }

  /// The comparison takes as long whatever differs.
  private func device(of text: String) -> Device? {
    let bytes = Array(text.utf8)
    let start = Self.prefix.utf8.count
    let (id, end) = (start + Self.idLength + 1, start + 2 * Self.idLength + 1)
    guard bytes.count > end + 1, bytes.count <= end + 33, bytes[id - 1] == UInt8(ascii: "."),
      bytes[end] == UInt8(ascii: ".")
    else { return nil }
    let (body, tag) = (String(decoding: bytes[..<end], as: UTF8.self), bytes[(end + 1)...])
    let isOurs =
      if bytes.starts(with: Self.prefix.utf8) {
        keys.isTag(tag, of: "device/2\n\(body)")
      } else {
        bytes.starts(with: Self.shortPrefix.utf8) && keys.isShortTag(tag, of: "device/1\n\(body)")
      }
    guard isOurs else { return nil }
    return Device(
      account: String(decoding: bytes[start..<id - 1], as: UTF8.self),
      id: String(decoding: bytes[id..<end], as: UTF8.self))
  }
}
