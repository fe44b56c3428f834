internal import Glibc

/// An address of IPv4 or IPv6, and from where it can be reached. An IPv4 address in the clothes of IPv6 is
/// the IPv4 address.
public struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
  /// Four or sixteen.
  public let bytes: [UInt8]

  /// A number in any spelling that connecting takes: `127.0.0.1`, `127.1`, `0x7f000001`, `::1`, `[::1]`. Nil
  /// for a name.
  public init?(_ text: String) {
    guard let address = Self.look(text, AI_NUMERICHOST).first else { return nil }
    self = address
  }

  init(bytes: [UInt8]) {
    let isMapped = bytes.count == 16 && bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
    self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
  }

  /// All addresses of a name or number, IPv4 before IPv6; none if there are none. NB: waits for the network.
  public static func all(of host: String) -> [NetworkAddress] {
    let found = look(host, 0)
    return found.filter { $0.bytes.count == 4 } + found.filter { $0.bytes.count == 16 }
  }

  /// Whether what listens there is on this machine, by the host's spelling alone: a number, or the name that
  /// stands for it.
  public static func isLoopback(host: String) -> Bool {
    let name = bare(host)
    if name == "localhost" || name.utf8.suffix(10).elementsEqual(".localhost".utf8) { return true }
    return NetworkAddress(name)?.isLoopback ?? false
  }

  /// NB: connecting to `0.0.0.0` and `::` reaches this machine as well.
  public var isLoopback: Bool {
    bytes.count == 4
      ? bytes[0] == 127 || bytes[0] == 0 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
  }

  /// Whether it is one of the open network: neither of this machine, nor of an inner network, nor kept for
  /// something else (IANA's registries of special addresses).
  public var isPublic: Bool {
    guard bytes.count == 16 else { return !Self.special.contains { Self.starts(bytes, $0.0, $0.1) } }
    // NAT64 and 6to4 carry an IPv4 address, which is where it ends.
    if Self.starts(bytes, [0x00, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8), 96) {
      return NetworkAddress(bytes: Array(bytes.suffix(4))).isPublic
    }
    if Self.starts(bytes, [0x20, 0x02], 16) { return NetworkAddress(bytes: Array(bytes[2..<6])).isPublic }
    return Self.starts(bytes, [0x20], 3) && !Self.special6.contains { Self.starts(bytes, $0.0, $0.1) }
  }

  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let special: [([UInt8], Int)] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
    ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
    ([203, 0, 113], 24), ([224], 4), ([240], 4),
  ]
  /// Within 2000::/3, beside which nothing of IPv6 is of the open network.
  private static let special6: [([UInt8], Int)] = [
    ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x3F, 0xFF, 0x00], 20),
  ]

  private static func starts(_ bytes: [UInt8], _ prefix: [UInt8], _ bits: Int) -> Bool {
    let (whole, rest) = (bits / 8, bits % 8)
    guard bytes.prefix(whole).elementsEqual(prefix.prefix(whole)) else { return false }
    return rest == 0 || (bytes[whole] ^ prefix[whole]) >> (8 - rest) == 0
  }

  private static func bare(_ host: String) -> String {
    var name = host.lowercased().utf8[...]
    if name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") { name = name.dropFirst().dropLast() }
    if name.last == UInt8(ascii: ".") { name = name.dropLast() }
    return String(decoding: name, as: UTF8.self)
  }

  private static func look(_ host: String, _ flags: Int32) -> [NetworkAddress] {
    let name = bare(host)
    guard !name.isEmpty, !name.utf8.contains(0) else { return [] }
    var hints = addrinfo()
    hints.ai_flags = flags
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &found) == 0, let found else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [NetworkAddress] = []
    for entry in sequence(first: found, next: { $0.pointee.ai_next }) {
      guard let place = entry.pointee.ai_addr else { continue }
      let raw = UnsafeRawPointer(place)
      switch entry.pointee.ai_family {
      case AF_INET:
        let address = raw.assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr
        addresses.append(NetworkAddress(bytes: withUnsafeBytes(of: address) { Array($0) }))
      case AF_INET6:
        let address = raw.assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
        addresses.append(NetworkAddress(bytes: withUnsafeBytes(of: address) { Array($0) }))
      default: continue
      }
    }
    return addresses
  }
}
