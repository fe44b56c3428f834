public import ArgumentParser
internal import Configured
public import Contract
internal import Platform

/// What people without an account may do.
public struct GuestOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.guestComments)) var guestComments: String?
  @Option(help: ArgumentHelp(.restrictedMode)) var restrictedMode: String?
  @Option(help: ArgumentHelp(.proxies)) var proxies: String?

  public var comments: Commenting { guestComments == "off" ? .off : .open }
  /// Whether who said nothing sees no clips for adults.
  public var restricts: Bool { restrictedMode != "off" }
  public var proxyCount: Int { proxies.flatMap { SafeInteger.read($0) } ?? 0 }

  public init() {}

  public mutating func validate() throws {
    guestComments = try settled(.guestComments, guestComments)
    restrictedMode = try settled(.restrictedMode, restrictedMode)
    proxies = try settled(.proxies, proxies)
  }
}
