import Foundation
import Platform
import Testing

@testable import Dialing
@testable import PlatformTesting

/// Lookups at name servers that say nothing.
@Suite(.timeLimit(.minutes(5))) struct NameLookupTests {
  private let hanging = "hangs.invalid"

  @Test func whoIsCancelledDoesNotWaitForALookup() async throws {
    let (begun, end) = (Latch(), Latch())
    let lookups = NameLookups(most: 1) { _ in
      begun.open()
      end.wait()
      return []
    }
    let asker = Task { [hanging] in await lookups.addresses(of: hanging) }
    await begun.opened()
    asker.cancel()
    #expect(await asker.value.isEmpty)
    #expect(lookups.askers == 0)
    end.open()
  }

  @Test func aHostThatHangsHoldsOneThreadHoweverManyAskForIt() async throws {
    let address = try #require(NetworkAddress("192.0.2.1"))
    let (end, begun) = (Latch(), Shared(0))
    let lookups = NameLookups(most: 2) { [hanging] host in
      if host == hanging {
        begun.with { $0 += 1 }
        end.wait()
      }
      return [address]
    }
    let askers = (0..<300).map { _ in Task { [hanging] in await lookups.addresses(of: hanging) } }
    try await eventually("they do not ask") { lookups.askers == askers.count }
    for number in 0..<100 {
      #expect(await lookups.addresses(of: "\(number).invalid") == [address])
    }
    end.open()
    for asker in askers { #expect(await asker.value == [address]) }
    #expect(begun.with({ $0 }) == 1)
  }

  @Test func whatNobodyWaitsForAnyMoreIsNotLookedUp() async throws {
    let (begun, end, asked) = (Latch(), Latch(), Shared<[String]>([]))
    let lookups = NameLookups(most: 1) { [hanging] host in
      asked.with { $0.append(host) }
      if host == hanging {
        begun.open()
        end.wait()
      }
      return []
    }
    let first = Task { [hanging] in await lookups.addresses(of: hanging) }
    await begun.opened()
    let others = (0..<200).map { number in Task { await lookups.addresses(of: "\(number).invalid") } }
    try await eventually("they do not ask") { lookups.askers == others.count + 1 }
    for other in others { other.cancel() }
    for other in others { #expect(await other.value.isEmpty) }
    end.open()
    _ = await first.value
    _ = await lookups.addresses(of: "last.invalid")
    #expect(asked.with({ $0 }) == [hanging, "last.invalid"])
  }

  @Test func whoIsCancelledHearsThatAndNotThatTheNameIsUnknown() async throws {
    let network = OpenNetwork(allowing: []) { _ in [] }
    let place = try #require(WebAddress("https://hangs.invalid/"))
    await #expect(throws: OpenNetwork.Failure.unknown) { try await network.addresses(of: place) }
    let asker = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await network.addresses(of: place)
    }
    asker.cancel()
    await #expect(throws: CancellationError.self) { try await asker.value }
  }
}
