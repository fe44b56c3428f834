import ArgumentParser
import Testing

@testable import Options

/// How long sessions live.
@Suite struct SessionOptionsTests {
  @Test func theOperatorSaysHowLongAndAYearIsTheStandard() throws {
    #expect(try SessionOptions.parse(["--session-days", "30"]).days == 30)
    #expect(try SessionOptions.parse(["--session-days", "0"]).days == 0)
    #expect(try SessionOptions.parse([]).days == 365)
    #expect(throws: (any Error).self) { try SessionOptions.parse(["--session-days", "-1"]) }
    #expect(throws: (any Error).self) { try SessionOptions.parse(["--session-days", "9223372036854775807"]) }
  }
}
