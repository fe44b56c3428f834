/// Names of hosts as people have them in addresses.
public enum DomainName {
  /// Two or more labels of letters, digits and hyphens, of 1 to 63 bytes (RFC 1123, section 2.1).
  public static func isWellFormed(_ text: Substring) -> Bool {
    let labels = text.split(atByte: UInt8(ascii: "."), omittingEmpty: false)
    return labels.count >= 2
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.starts(withBytesOf: "-")
          && !label.ends(withBytesOf: "-")
          && label.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
      }
  }
}

extension UInt8 {
  /// A letter or a digit of ASCII.
  public var isAlphanumeric: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  public var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
