import Mutants
import Testing

@Suite struct MutantTests {
  private let text = """
    What it is.
    # one
    App/A.swift
    -   let a = 1
    +   let a = 2
    # two lines for none
    App/B.swift
    - first
    - second
    + 
    """

  @Test func readsTheList() throws {
    let list = try Mutant.list(text)
    #expect(list.map(\.name) == ["one", "two lines for none"])
    #expect(list[0] == Mutant(name: "one", file: "App/A.swift", old: "  let a = 1", new: "  let a = 2"))
    #expect(list[1].old == "first\nsecond")
    #expect(list[1].new == "")
  }

  @Test func refusesTwoOfOneName() {
    #expect(throws: Mutant.Problem.sameName("one")) {
      try Mutant.list(text + "\n# one\nApp/C.swift\n- a\n+ b")
    }
  }

  @Test func goesWhereItsTextIs() throws {
    let mutant = Mutant(name: "m", file: "f", old: "b", new: "x")
    #expect(try mutant.applied(to: "abc") == "axc")
  }

  @Test func fitsNoFileWithoutItsText() {
    let mutant = Mutant(name: "m", file: "f", old: "b", new: "x")
    #expect(throws: Mutant.Problem.notThere(name: "m", file: "f")) { try mutant.applied(to: "ac") }
  }

  @Test func fitsNoFileThatHasItsTextTwice() {
    let mutant = Mutant(name: "m", file: "f", old: "b", new: "x")
    #expect(throws: Mutant.Problem.thereMoreThanOnce(name: "m", file: "f")) {
      try mutant.applied(to: "abab")
    }
    #expect(throws: Mutant.Problem.nothingGoes(name: "m")) {
      try Mutant(name: "m", file: "f", old: "", new: "x").applied(to: "a")
    }
  }

  @Test(arguments: [
    ([], [0, 1, 2]), (["2"], [1]), (["2-3"], [1, 2]), (["b", "1"], [0, 1]), (["Kit/"], [2]),
  ])
  func choosesByNumberNameAndFile(words: [String], found: [Int]) throws {
    let list = [("a", "App/A"), ("b", "App/B"), ("c", "Kit/C")].map {
      Mutant(name: $0.0, file: $0.1, old: "o", new: "n")
    }
    #expect(try chosen(words, of: list) == found)
  }

  @Test func aWordThatMeansNoneIsAMistake() {
    #expect(throws: Mutant.Problem.noneOf("9")) {
      try chosen(["9"], of: [Mutant(name: "a", file: "f", old: "o", new: "n")])
    }
  }
}

@Suite struct VerdictTests {
  private let mutants = (0..<60).map { Mutant(name: "m\($0)", file: "f", old: "o", new: "n") }

  private func verdict(missed: Set<Int>, known: Set<String> = []) -> Verdict {
    Verdict(mutants, tried: Array(mutants.indices), missed: missed, known: known)
  }

  @Test func isGoodIfAllAreTold() {
    #expect(verdict(missed: []).isGood)
    #expect(verdict(missed: []).lines == ["60 of 60 mistakes are told (100 %)"])
  }

  @Test func oneThatGetsThroughHasToBeKnown() {
    #expect(!verdict(missed: [1]).isGood)
    #expect(verdict(missed: [1], known: ["m1"]).isGood)
  }

  @Test func oneThatIsToldIsNoLongerKnown() {
    #expect(!verdict(missed: [], known: ["m1"]).isGood)
    #expect(!verdict(missed: [], known: ["gone"]).isGood)
  }

  @Test func sevenOfSixtyAreTooMany() {
    #expect(verdict(missed: Set(0..<6), known: Set((0..<6).map { "m\($0)" })).isGood)
    #expect(!verdict(missed: Set(0..<7), known: Set((0..<7).map { "m\($0)" })).isGood)
  }

  @Test func aPartPromisesNothingOfTheRest() {
    #expect(Verdict(mutants, tried: [3], missed: [], known: ["m1"]).isGood)
    #expect(!Verdict(mutants, tried: [1], missed: [], known: ["m1"]).isGood)
  }

  @Test func readsWhatIsKnown() {
    #expect(Verdict.known("# names\nm1 | because\nm2|b") == ["m1", "m2"])
  }
}
