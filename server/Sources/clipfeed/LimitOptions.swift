internal import ArgumentParser

/// How much a list shows.
struct LimitOptions: ParsableArguments {
  @Option(help: "How many.")
  var limit = 50

  func validate() throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be 1 to 10000.") }
  }
}
