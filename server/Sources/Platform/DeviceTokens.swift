/// What a browser hands back to be told from strangers who guess at a password: somebody has signed in with it before
/// (OWASP's "device cookie"). It opens nothing; its guesses are only counted by themselves, so that a stranger's do not lock
/// the owner out. `d1.{account}.{device}.{tag}`, several with `~` between, since a browser may be a family's.
public struct DeviceTokens: Sendable {
  public struct Device: Sendable, Equatable {
    public let account: String
    public let id: String
  }

  private static let prefix = "d1."
  private static let idLength = 36
  private static let tagLength = 16
  /// Accounts that a browser is remembered for: the last ones.
  private static let limit = 4

  private let secret: String

  public init(secret: String) {
    self.secret = secret
  }

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
    return body + "." + ContentHash.hex(TokenTag.of(Array("device/1\n\(body)".utf8), secret: secret))
  }

  /// The comparison takes as long whatever differs.
  private func device(of text: String) -> Device? {
    let bytes = Array(text.utf8)
    let start = Self.prefix.utf8.count
    guard bytes.count == start + 2 * (Self.idLength + 1) + Self.tagLength,
      bytes.starts(with: Self.prefix.utf8)
    else { return nil }
    let id = start + Self.idLength + 1
    let device = Device(
      account: String(decoding: bytes[start..<start + Self.idLength], as: UTF8.self),
      id: String(decoding: bytes[id..<id + Self.idLength], as: UTF8.self))
    let isSame = zip(bytes, token(of: device).utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    return isSame ? device : nil
  }
}
