import Contract
import Foundation
import OpenAPI
import Platform
import Testing

@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

@Suite struct NetworkLimitTests {
  @Test func whoChoosesAddressesFromANetworkGetsNoMoreThanTheNetwork() async throws {
    let bench = try await TestInstance()
    try await bench.servingAccounts(TestTime(ms: 1_800_000_000_000), proxies: 1) { socket async throws in
      func ask(from address: String) async throws -> Int {
        try await socket.answer(
          "POST", Route.passwordResets.path(), #"{"handle":"nobody"}"#, ["x-forwarded-for": address]
        ).status
      }
      let burst = Int(Operation.RateClass.resets.burst)
      for number in 0..<burst * 8 {
        #expect(try await ask(from: "2001:db8:0:\(String(number, radix: 16))::1") == 202)
      }
      #expect(try await ask(from: "2001:db8:0:ff::1") == 429)
      // Whoever is beside it is not held up.
      #expect(try await ask(from: "2001:db8:0:1ff::1") == 202)
      #expect(try await ask(from: "2001:db8:1:ff::1") == 202)
      #expect(try await ask(from: "192.0.2.1") == 202)
    }
  }
}
