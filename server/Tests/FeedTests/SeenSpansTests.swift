import Testing

@testable import Feed
@testable import PlatformTesting

@Suite struct SeenSpansTests {
  @Test func itHoldsExactlyWhatWasPutIn() {
    var random = SplitMix(state: 7)
    for _ in 0..<200 {
      var (spans, model) = (SeenRanges(), Set<Int64>())
      for _ in 0..<30 {
        let low = Int64.random(in: 1...60, using: &random)
        if Bool.random(using: &random) {
          let high = low + Int64.random(in: 0...9, using: &random)
          spans.insert(low...high)
          model.formUnion(low...high)
        } else {
          spans.exclude(low)
          model.remove(low)
        }
        #expect(Set(spans.spans.flatMap { Array($0) }) == model)
        for (higher, lower) in zip(spans.spans, spans.spans.dropFirst()) {
          #expect(higher.lowerBound > lower.upperBound + 1)
        }
        #expect(SeenRanges(text: spans.text, asOfMs: 0) == spans)
      }
    }
  }

  @Test(arguments: ["", "x", "1", "3-1", "-5-2", "1-2-3,x-y", "0-9", "1-9223372036854775807"])
  func whatIsNotUnderstoodIsNothing(_ text: String) { #expect(SeenRanges(text: text, asOfMs: 0).isEmpty) }
}
