internal import Foundation

/// Takes out of a line what must not stand in a log: whoever reads logs may not sign in as somebody, open a
/// clip that is not public, or go on with another's upload. A net below the tightrope: what is logged should
/// hold none of it anyway.
public enum Redaction {
  public static func clean(_ text: String) -> String {
    // Every secret stands behind one of these, and most fields have none.
    guard text.utf8.contains(where: { byte in marks.contains(byte) }) else { return text }
    return patterns.reduce(text) { text, pattern in
      pattern.stringByReplacingMatches(
        in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "$1…$2")
    }
  }

  private static let marks = Array("/?= .@:_".utf8)

  private static let patterns = [
    // user:password@ in an address
    #"(://)[^/\s@"]+(@)"#,
    // What an address asks, in which tokens and signatures travel
    #"([\w/]\?)[^\s"'?]+()"#,
    // Seals of media that are not public; a route's template has braces there
    #"(/sealed/)[^/\s"{]+/[^/\s"]+()"#,
    // An upload's id is all by which its owner is known; a reset's token lets somebody in
    #"(/(?:uploads|password-resets)/)[^/\s"?{]+()"#,
    // Headers
    #"(?i)(bearer )[^\s"]+()"#, #"(?i)(cookie: )[^\n"]+()"#,
    // Access tokens, wherever they are, and those of guests, devices and sessions: ids, then what proves them
    #"()eyJ[\w-]+\.[\w-]+\.[\w-]+()"#, #"()[dgr][12]\.[0-9a-f-]{36}(?:\.[\w-]+)+()"#,
    // Ways to a provider and challenges of passkeys: words, any of them empty, the end, a secret and a tag
    #"()[ks]1(?:\.[\w-]*){2,3}\.[0-9]+\.[\w-]{43}\.[\w-]{43}()"#,
    // Links that were sent and second steps: an account and a secret
    #"()[0-9a-f-]{36}\.[\w-]{43}(?![\w-])()"#,
    // Keys of programs and of webhooks
    #"()cf_[\w-]{43}()"#, #"()whsec_[\w+/-]{43}=?()"#,
    #"(?i)((?:password|secret|token)\w*["']?\s*[=:]\s*["']?)[^\s,;&"']+()"#,
  ].map { pattern in
    // The patterns are ours: one that cannot be read is a mistake that the first log line shows.
    try! NSRegularExpression(pattern: pattern)
  }
}
