internal import ArgumentParser
internal import Configured
internal import Contract
internal import Platform

/// What people without an account may do.
struct GuestOptions: ParsableArguments {
  @Option(help: ArgumentHelp(.guestComments)) var guestComments: String?
  @Option(help: ArgumentHelp(.proxies)) var proxies: String?

  var comments: Commenting { guestComments == "off" ? .off : .open }
  var proxyCount: Int { proxies.flatMap { SafeInteger.read($0) } ?? 0 }

  mutating func validate() throws {
    guestComments = try settled(.guestComments, guestComments)
    proxies = try settled(.proxies, proxies)
  }
}
