import Testing

@testable import Platform

@Suite struct NetworkAddressTests {
  @Test(arguments: [
    "127.0.0.1", "127.1", "127.255.0.3", "0x7f000001", "2130706433", "017700000001", "0", "0.0.0.0", "::1",
    "[::1]", "::", "::ffff:127.0.0.1", "[::ffff:7f00:1]", "0:0:0:0:0:0:0:1", "localhost", "LOCALHOST",
    "localhost.", "a.localhost", "127.0.0.1.",
  ])
  func thisMachineIsKnownInEverySpelling(_ host: String) {
    #expect(NetworkAddress.isLoopback(host: host))
  }

  @Test(arguments: [
    "", "example.org", "localhost.example.org", "notlocalhost", "128.0.0.1", "::2", "10.0.0.1", "1.2.3.4.5",
    "a\u{0}b", "[]", "local\u{301}host",
  ])
  func nothingElseIsThisMachine(_ host: String) {
    #expect(!NetworkAddress.isLoopback(host: host))
  }

  @Test(arguments: [
    "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.168.0.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "255.255.255.255", "0.0.0.0", "::", "::1",
    "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::10.0.0.1",
    "2002:0a00:0001::1", "2001:db8::1", "2001::1", "fec0::1", "3fff::1", "100::1",
  ])
  func whatIsNotOfTheOpenNetworkIsKnown(_ text: String) throws {
    #expect(try !#require(NetworkAddress(text)).isPublic)
  }

  @Test(arguments: [
    "1.1.1.1", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.0.1.1", "223.255.255.255",
    "2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::1.1.1.1", "2002:0101:0101::1", "::ffff:1.1.1.1",
  ])
  func theOpenNetworkIsLetThrough(_ text: String) throws {
    #expect(try #require(NetworkAddress(text)).isPublic)
  }

  @Test func aNameIsNoNumber() {
    #expect(NetworkAddress("localhost") == nil && NetworkAddress("") == nil)
    #expect(NetworkAddress("::ffff:1.2.3.4")?.description == "1.2.3.4")
    #expect(NetworkAddress("2A00:0::1")?.description == "2a00::1")
  }
}
