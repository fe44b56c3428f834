import Contract
import Foundation
import Testing

@testable import Platform

/// What is written by hand says what the coder says.
@Suite struct JSONTextTests {
  @Test(arguments: [0, 1, -1, 951_782_400_000, 1_709_251_199_000, 4_102_444_800_000, 253_402_300_799_000])
  func writesDatesAsTheCoderDoes(ms: Int64) throws {
    let seconds = (Double(ms) / 1000).rounded(.down)
    let coded = try WireCoding.encode([Date(timeIntervalSince1970: seconds)])
    var out: [UInt8] = []
    JSONText.write(dateMs: ms, to: &out)
    #expect("[\(String(decoding: out, as: UTF8.self))]" == String(decoding: coded, as: UTF8.self))
  }

  @Test(arguments: [0, 7, 10, -1, 1_000_000_007, Int64.max, Int64.min])
  func writesNumbersAsSwiftSpellsThem(number: Int64) {
    var out: [UInt8] = []
    JSONText.write(number, to: &out)
    #expect(String(decoding: out, as: UTF8.self) == "\(number)")
  }
}
