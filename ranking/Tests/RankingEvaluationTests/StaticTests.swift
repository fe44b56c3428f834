import Foundation
import Ranking
import Testing

@testable import RankingEvaluation

@Suite struct StaticTests {
  private static func matrix() -> Interactions {
    var generator = SeededGenerator(seed: 5)
    var interactions = Interactions(columnCount: 12)
    for row in 0..<30 {
      interactions.append((UInt32(0)..<12).filter { Int($0) % 3 == row % 3 || generator.uniform() < 0.1 })
    }
    return interactions
  }

  @Test func eigenvectorsAreThoseOfTheirMatrix() {
    let eigen = SymmetricEigen([4, 1, 0, 1, 3, 1, 0, 1, 2], size: 3)
    #expect(zip(eigen.values.sorted(), [1.267949, 3, 4.7320508]).allSatisfy { abs($0 - $1) < 1e-4 })
    let first = eigen.vectors(1).values
    let image = [4 * first[0] + first[1], first[0] + 3 * first[1] + first[2], first[1] + 2 * first[2]]
    #expect(zip(image, first).allSatisfy { abs($0 - 4.7320508 * $1) < 1e-4 })
  }

  @Test func orthonormalColumnsAreOrthogonalAndSpanTheSame() {
    var generator = SeededGenerator(seed: 6)
    let columns = Matrix(rows: 50, columns: 6, deviation: 1, by: &generator).orthonormalised()
    for (place, value) in columns.gram().enumerated() {
      #expect(abs(value - (place / 6 == place % 6 ? 1 : 0)) < 1e-4)
    }
  }

  @Test func theWholeLowPassGivesBackWhatWasLiked() {
    // With all singular vectors V Vᵀ is the identity: what was liked has 1, the rest nothing.
    let matrix = Self.matrix()
    let linear = GraphFilter(matrix, rank: 0, lowPass: 0)
    let both = GraphFilter(matrix, rank: 12, lowPass: 1)
    for row in 0..<5 {
      for (column, pair) in zip(linear.scores(of: matrix[row]), both.scores(of: matrix[row])).enumerated() {
        let wanted: Float = matrix[row].contains(UInt32(column)) ? 1 : 0
        #expect(abs(pair.1 - pair.0 - wanted) < 0.02)
      }
    }
  }

  @Test func theFilterIsTheProductOfItsMatrices() {
    let matrix = Self.matrix()
    let columns = matrix.transposed()
    let scores = GraphFilter(matrix, rank: 0, lowPass: 0).scores(of: matrix[4])
    var wanted = 0.0
    for row in 0..<30 where matrix[row].contains(1) {
      for column in matrix[row] where matrix[4].contains(column) {
        let degrees = Double(columns[Int(column)].count * columns[1].count)
        wanted += 1 / (Double(matrix[row].count) * degrees.squareRoot())
      }
    }
    #expect(abs(Double(scores[1]) - wanted) < 1e-4)
  }

  @Test func theBestAreInOrder() {
    #expect(StaticEvaluation.best(3, of: [1, 5, 3, 5, 2]) == [1, 3, 2])
    #expect(StaticEvaluation.best(9, of: [2, 1]) == [0, 1])
  }

  @Test func aSplitThatIsNoneIsRefusedWithItsLine() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("split-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("0 1 2\r\n2 0\r\n".utf8).write(to: folder.appendingPathComponent("train.txt"))
    try Data("0 3\n\n1\n".utf8).write(to: folder.appendingPathComponent("test.txt"))
    let split = try Split(name: "tiktok", folder: folder)
    #expect(split.train.rowCount == 3 && split.train.columnCount == 4)
    #expect(Array(split.test[0]) == [3])
    let rows = StaticEvaluation.rows(split, try #require(SplitSettings.byName["tiktok"]))
    #expect(rows.allSatisfy { $0.recall20 == 1 })
    try Data("0 1\n1 -2\n".utf8).write(to: folder.appendingPathComponent("test.txt"))
    #expect(throws: EvaluationError.self) { try Split(name: "tiktok", folder: folder) }
  }
}
