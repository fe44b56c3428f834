public import Foundation

/// How long ago something was written, in a word.
public enum Age {
  private static let units: [(key: String, seconds: Double)] = [
    ("%@ y ago", 31_536_000), ("%@ mo ago", 2_592_000), ("%@ d ago", 86_400), ("%@ h ago", 3600),
    ("%@ min ago", 60),
  ]
  private static let longest = 1e11

  /// What is younger than a minute, or of a clock that is ahead, is "now".
  public static func of(_ date: Date, at now: Date) -> Sentence {
    let age = min(now.timeIntervalSince(date), longest)
    guard let unit = units.first(where: { age >= $0.seconds }) else { return "now" }
    return Sentence(unit.key, "\(Int(age / unit.seconds))")
  }
}
