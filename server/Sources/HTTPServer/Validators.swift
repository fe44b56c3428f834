internal import Platform

/// Entity tags of RFC 9110.
public enum Validators {
  /// If-None-Match: `*`, or a list of tags, compared weakly.
  public static func matches(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return false }
    return header.split(atByte: UInt8(ascii: ",")).contains { part in
      let given = part.withoutBlanks
      return ["*", tag, "W/" + tag].contains { given.hasSameBytes(as: $0) }
    }
  }
}
