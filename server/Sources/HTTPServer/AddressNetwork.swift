internal import Foundation

/// What counts as one among strangers, where they are told apart by their addresses alone.
public enum AddressNetwork {
  /// A subscriber of IPv6 has a /64 to choose addresses from, so that much counts as one. What is no number
  /// of IPv6 counts as it is.
  public static func of(_ address: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    // An IPv4 address in the clothes of IPv6 keeps all of its bytes.
    let isMapped = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
    return bytes.prefix(isMapped ? 16 : 8).map { String($0, radix: 16) }.joined(separator: ":")
  }
}
