import AsyncHTTPClient
import Dialing
import Foundation
import NIOCore
import Testing

@testable import OpenIDConnect
@testable import Platform
@testable import PlatformTesting

/// Where the documents and names of a provider may lead.
@Suite struct ProviderReachTests {
  @Test func aNameThatLeadsToThisMachineIsNotAsked() async throws {
    let silent = try SilentServer()
    let port = try #require(silent.address.split(separator: ":").last)
    // By its name alone it could be anybody's: what counts is where it leads.
    for host in ["localhost", "127.0.0.1", "127.1", "[::ffff:127.0.0.1]", "0"] {
      let client = ProviderClient(reach: .open, patience: .seconds(20))
      let error = await #expect(throws: ProviderClient.Failed.self) {
        try await client.get("https://\(host):\(port)/keys")
      }
      #expect(error?.description.contains("no address of the open network") == true, "\(host)")
    }
    #expect(silent.connections() == 0)
  }

  @Test func theOperatorsWordOpensInnerNetworks() async throws {
    let inner = try #require(NetworkAddress("10.0.0.5"))
    let own = try #require(NetworkAddress("127.0.0.1"))
    let open = try #require(NetworkAddress("1.1.1.1"))
    #expect([inner, own, open].map(ProviderReach.open.allows) == [false, false, true])
    #expect([inner, own, open].map(ProviderReach.machine.allows) == [false, true, true])
    #expect([inner, own, open].map(ProviderReach.inner.allows) == [true, true, true])
    #expect(try await !ProviderReach.machine.addresses(of: "localhost").isEmpty)
    #expect(try await ProviderReach.inner.addresses(of: "10.0.0.5") == [inner])
    await #expect(throws: ProviderClient.Failed.self) {
      try await ProviderReach.machine.addresses(of: "10.0.0.5")
    }
  }

  @Test func aConnectionGoesToTheAddressThatWasLookedAt() async throws {
    let silent = try SilentServer()
    let port = try #require(silent.address.split(separator: ":").last)
    let address = try #require(NetworkAddress("127.0.0.1"))
    // Nobody knows this name: only what was looked at can be where it goes.
    let client = PinnedClients.shared.client(for: "pinned.invalid", at: [address])
    await #expect(throws: (any Error).self) {
      _ = try await client.get(url: "http://pinned.invalid:\(port)/", deadline: .now() + .seconds(10)).get()
    }
    #expect(silent.connections() == 1)
  }

  @Test func theNextTryGoesToAnotherAddress() throws {
    let all = ["127.0.0.1", "127.0.0.2"].compactMap { NetworkAddress($0) }
    let clients = PinnedClients.shared
    let first = clients.client(for: "two.invalid", at: all)
    #expect(clients.client(for: "two.invalid", at: all) === first)
    clients.failed(first, for: "two.invalid", at: all)
    let second = clients.client(for: "two.invalid", at: all)
    #expect(second !== first)
    // One that is no address of the name any more is left.
    #expect(clients.client(for: "two.invalid", at: [all[0]]) !== second)
  }
}
