internal import ArgumentParser
internal import Contract
internal import Foundation

/// What people without an account may do. An option counts more than the environment.
struct GuestOptions: ParsableArguments {
  static let commentsVariable = "CLIPFEED_GUEST_COMMENTS"
  static let proxiesVariable = "CLIPFEED_PROXIES"

  @Option(
    help: ArgumentHelp(
      "Whether guests may comment and react; without it \(commentsVariable) counts, else on.",
      valueName: "on|off"))
  var guestComments: String?
  @Option(
    help: """
      How many reverse proxies stand in front, so which address of X-Forwarded-For is the caller's; without it \
      \(proxiesVariable) counts, else 0.
      """)
  var proxies: String?

  var comments: Commenting { guestComments.flatMap(Self.commenting) ?? .open }
  var proxyCount: Int { proxies.flatMap(Self.count) ?? 0 }

  mutating func validate() throws {
    let environment = ProcessInfo.processInfo.environment
    guestComments = guestComments ?? environment[Self.commentsVariable]
    proxies = proxies ?? environment[Self.proxiesVariable]
    guard guestComments.map(Self.commenting) != .some(nil) else {
      throw ValidationError("--guest-comments (or \(Self.commentsVariable)) must be on or off.")
    }
    guard proxies.map(Self.count) != .some(nil) else {
      throw ValidationError("--proxies (or \(Self.proxiesVariable)) must be a number from 0 to 16.")
    }
  }

  private static func commenting(_ text: String) -> Commenting? {
    switch text {
    case "on": .open
    case "off": .off
    default: nil
    }
  }

  private static func count(_ text: String) -> Int? { Int(text).flatMap { (0...16).contains($0) ? $0 : nil } }
}
