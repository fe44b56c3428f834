import Platform
import Testing

@testable import Composition

@Suite struct MigrationTests {
  /// Steps that were released under one number. Nothing is added here: the next step takes the next number.
  private static let shared = ["0012": 2, "0014": 3, "0015": 2, "0016": 3, "0021": 4]

  @Test func numbersOfStepsAreUniqueAndGoUp() {
    let names = Instance.migrations.map(\.name)
    #expect(names == names.sorted() && Set(names).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[0-9]{4}_[a-z_]+/) != nil })
    let counts = Dictionary(names.map { (String($0.prefix(4)), 1) }, uniquingKeysWith: +)
    #expect(counts.filter { $0.value > 1 } == Self.shared)
    let numbers = Set(counts.keys.compactMap { Int($0) })
    #expect(numbers == Set(1...(numbers.max() ?? 0)))
  }
}
