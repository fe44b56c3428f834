public import ArgumentParser
internal import Configured
public import Contract
internal import Platform

/// What people without an account may do.
public struct GuestOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.guestComments)) var guestComments: String?
  @Option(help: ArgumentHelp(.proxies)) var proxies: String?

  public var comments: Commenting { guestComments == "off" ? .off : .open }
  public var proxyCount: Int { proxies.flatMap { SafeInteger.read($0) } ?? 0 }

  public init() {}

  public mutating func validate() throws {
    guestComments = try settled(.guestComments, guestComments)
    proxies = try settled(.proxies, proxies)
  }
}
