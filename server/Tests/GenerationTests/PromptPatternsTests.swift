import Testing

@testable import Generation

@Suite struct PromptPatternsTests {
  private func found(_ patterns: [PromptPattern], in text: String) -> [Bool] {
    patterns.map { $0.matches(PromptPattern.Text(text)) }
  }

  @Test func whatIsTheSameIsCompiledOnce() throws {
    let patterns = PromptPatterns()
    let rules = [(id: "a", pattern: "mayor"), (id: "b", pattern: "dawn")]
    #expect(found(try patterns.all(of: rules), in: "a mayor") == [true, false])
    // NB: no pattern changes under its id; whoever compiled it again would see what is wrong with it.
    #expect(found(try patterns.all(of: [("a", "(a"), ("b", "(b")]), in: "at dawn") == [false, true])
  }

  @Test func anotherOneOneLessAndAnotherOrderAreCompiledAnew() throws {
    let patterns = PromptPatterns()
    _ = try patterns.all(of: [("a", "mayor")])
    #expect(found(try patterns.all(of: [("a", "mayor"), ("b", "dawn")]), in: "dawn") == [false, true])
    #expect(found(try patterns.all(of: [("c", "dusk")]), in: "dusk") == [true])
    #expect(try patterns.all(of: []).isEmpty)
    #expect(throws: PromptPattern.Fault.self) { try patterns.all(of: [("d", "(d")]) }
    #expect(found(try patterns.all(of: [("e", "noon"), ("c", "dusk")]), in: "dusk") == [false, true])
  }
}
