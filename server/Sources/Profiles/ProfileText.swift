internal import Contract
internal import Platform

/// What somebody says of themselves.
enum Bio {
  /// A profile stays one: no column of single letters.
  private static let lines = 5

  /// Plain lines, maybe none. Throws `bio_too_long`.
  static func checked(_ text: String) throws -> String {
    let clean = PlainText.lines(text)
    guard clean.unicodeScalars.count <= Limits.bioScalars, clean.count <= Limits.bioLength,
      clean.split(atByte: UInt8(ascii: "\n"), omittingEmpty: false).count <= lines
    else { throw AppError(.bioTooLong, field: "bio") }
    return clean
  }
}

/// The web addresses on a profile. They are links that others tap, so each is what it looks like: `https` or
/// `http`, a host of ASCII letters with a name behind its last full stop, and neither a user, nor a password,
/// nor anything that a reader of the address would not show.
enum ProfileLinks {
  /// In the order given, each once. Throws `profile_link_invalid`.
  static func checked(_ links: [String]) throws -> [String] {
    var checked: [String] = []
    for (place, link) in links.enumerated() {
      guard let address = address(PlainText.line(link)) else {
        throw AppError(.profileLinkInvalid, field: "links[\(place)]")
      }
      if !checked.contains(address) { checked.append(address) }
    }
    guard checked.count <= Limits.profileLinks else { throw AppError(.profileLinkInvalid, field: "links") }
    return checked
  }

  private static func address(_ text: String) -> String? {
    // A scheme has no stroke in it (RFC 3986, section 3.1); what has one is an address within an address.
    let parts = text.split(atText: "://")
    let isWithScheme = parts.count > 1 && !parts[0].contains(byte: UInt8(ascii: "/"))
    let scheme = isWithScheme ? parts[0].lowercased() : "https"
    let rest = isWithScheme ? parts.dropFirst().joined(separator: "://") : text
    guard ["http", "https"].contains(scheme), rest.utf8.allSatisfy(isShown) else { return nil }
    let end = rest.utf8.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
    let host = rest[..<(end ?? rest.endIndex)]
    guard isHost(host) else { return nil }
    let address = "\(scheme)://\(host.lowercased())\(rest[(end ?? rest.endIndex)...])"
    return address.utf8.count <= Limits.profileLinkBytes ? address : nil
  }

  /// Of an address (RFC 3986, section 2), without what is quoted where addresses are written.
  private static func isShown(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: (UInt8(ascii: "!")...UInt8(ascii: "~")).contains(byte)
    }
  }

  /// A name whose last label is no number, and maybe a port.
  private static func isHost(_ text: Substring) -> Bool {
    let parts = text.split(atByte: UInt8(ascii: ":"), omittingEmpty: false)
    guard parts.count <= 2, let name = parts.first, DomainName.isWellFormed(name) else { return false }
    if parts.count == 2 {
      guard (1...5).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(\.isDigit) else { return false }
    }
    return name.split(atByte: UInt8(ascii: ".")).last?.utf8.allSatisfy(\.isDigit) == false
  }
}
