import Testing

@testable import Options

/// The command of a captioner, as an operator writes it.
@Suite struct CaptionerTests {
  @Test(arguments: [
    ("a b", ["a", "b"]), ("  a  'b c'  ", ["a", "b c"]), (#"a\ b "c\"d" 'e\f'"#, ["a b", "c\"d", "e\\f"]),
    ("a '' \"\"", ["a", "", ""]), ("", []), ("$HOME `x` ;", ["$HOME", "`x`", ";"]),
    ("x{file}y", ["x{file}y"]),
  ])
  func aCommandIsItsWordsAndNoShells(_ text: String, _ words: [String]) {
    #expect(CommandLineWords.split(text) == words)
  }

  @Test(arguments: ["'a", "\"a", "a\\"])
  func aCommandThatDoesNotEndIsNone(_ text: String) { #expect(CommandLineWords.split(text) == nil) }
}
