import NIOCore
import NIOPosix
import Testing

@testable import HTTPServer

@Suite struct ConnectionLimitsTests {
  @Test func aSubscriberOfIPv6IsOneAddress() async throws {
    let limits = ConnectionLimits(most: 100, ofOneAddress: 1)
    // Any channel: what counts is from where it says that it comes.
    let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    func isAdmitted(_ address: String) -> Bool { limits.admit(channel, from: address) != nil }
    #expect(isAdmitted("2001:db8:1:2::1"))
    #expect(!isAdmitted("2001:db8:1:2:ffff::9"), "it is of the same /64")
    #expect(isAdmitted("2001:db8:1:3::1"))
    for address in ["::ffff:192.0.2.1", "::ffff:192.0.2.2", "192.0.2.1", "192.0.2.2"] {
      #expect(isAdmitted(address))
      #expect(!isAdmitted(address))
    }
    #expect(limits.count == 6)
    channel.close(promise: nil)
    try await channel.closeFuture.get()
    #expect(limits.count == 0)
    // Places that were left are free.
    #expect(isAdmitted("2001:db8:1:2:ffff::9"))
  }
}
