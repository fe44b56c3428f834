import CDotProduct
import Testing

@testable import Ranking

@Suite struct DotProductTests {
  private static let paths = (0...3).map { Int32($0) }.filter { dot_path_is_supported($0) == 1 }
  private static let counts = [0, 1, 7, 8, 15, 16, 17, 31, 63, 64, 65, 100, 128, 200, 256]

  @Test func theBestPathIsOneOfThisProcessor() {
    #expect(Self.paths.contains(dot_best_path()))
    #expect(Self.paths.contains(0))
    #expect(dot_path_is_supported(99) == 0)
  }

  @Test func productsOfBytesAreExactOnEveryPath() {
    var generator = SeededGenerator(seed: 1)
    for count in Self.counts {
      let query = (0..<count).map { _ in Int8(truncatingIfNeeded: generator.next()) }
      // Rows of the largest numbers beside random ones: −128 has no opposite.
      var matrix = [Int8](repeating: -128, count: count)
      for _ in 0..<count * 3 { matrix.append(Int8(truncatingIfNeeded: generator.next())) }
      let wanted = (0..<4).map { row in
        (0..<count).reduce(Int32(0)) { $0 + Int32(query[$1]) * Int32(matrix[row * count + $1]) }
      }
      for path in Self.paths {
        var out = [Int32](repeating: 7, count: 4)
        dot_int8_rows(path, query, matrix, 4, Int64(count), &out)
        #expect(out == wanted, "path \(path), \(count) numbers")
      }
    }
  }

  @Test func theNextAboveABoundIsTheSameOnEveryPath() {
    var generator = SeededGenerator(seed: 4)
    for count in Self.counts {
      let products = (0..<count).map { _ in Int32(generator.below(2_000_001)) - 1_000_000 }
      let scales = (0..<count).map { $0 % 9 == 0 ? 0 : Float(generator.uniform()) }
      for bound in [-Float.infinity, -1, 0, 400_000, .infinity, .nan] {
        for from in 0...count {
          let wanted = (from..<count).first { Float(products[$0]) * scales[$0] >= bound } ?? count
          for path in Self.paths {
            let next = dot_int32_next(path, products, scales, Int64(from), Int64(count), bound)
            #expect(next == wanted, "path \(path), from \(from) of \(count), \(bound)")
          }
        }
      }
    }
  }

  @Test func productsOfFloatsHaveTheSameBitsOnEveryPath() {
    var generator = SeededGenerator(seed: 2)
    for count in Self.counts {
      let left = (0..<count).map { _ in Float(generator.normal()) }
      let right = (0..<count).map { _ in Float(generator.normal()) }
      let plain = dot_float32(0, left, right, Int64(count))
      let exact = zip(left, right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
      #expect(abs(Double(plain) - exact) < 1e-4)
      for path in Self.paths {
        #expect(dot_float32(path, left, right, Int64(count)).bitPattern == plain.bitPattern)
        var rows: [Float] = [0, 0]
        dot_float32_rows(path, left, right + right, 2, Int64(count), &rows)
        #expect(rows.map(\.bitPattern) == [plain.bitPattern, plain.bitPattern])
      }
    }
  }

  @Test func updatesHaveTheSameBitsOnEveryPath() {
    var generator = SeededGenerator(seed: 3)
    for count in Self.counts {
      let vector = (0..<count).map { _ in Float(generator.normal()) }
      let start = (0..<count * count).map { _ in Float(generator.normal()) }
      var plain = start
      dot_float32_add_outer(0, vector, 0.7, Int64(count), &plain)
      for row in 0..<count {
        for column in row..<count {
          let wanted = start[row * count + column] + 0.7 * vector[row] * vector[column]
          #expect(abs(plain[row * count + column] - wanted) < 1e-5)
        }
      }
      for path in Self.paths {
        var matrix = start
        dot_float32_add_outer(path, vector, 0.7, Int64(count), &matrix)
        #expect(matrix.map(\.bitPattern) == plain.map(\.bitPattern))
      }
    }
  }
}
