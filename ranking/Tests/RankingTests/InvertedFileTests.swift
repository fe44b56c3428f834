import Testing

@testable import Ranking

@Suite struct InvertedFileTests {
  /// Vectors round some centres, as those of clips are.
  private static func vectors(_ count: Int, columns: Int) -> Matrix {
    var generator = SeededGenerator(seed: 21)
    let centres = Matrix(rows: 24, columns: columns, deviation: 1, by: &generator)
    var vectors = Matrix(rows: count, columns: columns, deviation: 0.6, by: &generator)
    for row in 0..<count {
      let centre = centres[generator.below(24)]
      vectors.set(row, to: zip(vectors[row], centre).map { $0 + $1 })
    }
    return vectors
  }

  private static func file(_ vectors: Matrix, _ settings: InvertedFile.Settings) -> InvertedFile {
    var generator = SeededGenerator(seed: 22)
    var build = InvertedFileBuild(
      (0..<UInt32(vectors.rows)).map { $0 }, of: vectors, settings: settings, by: &generator)
    while true { if let file = build.step(vectors) { return file } }
  }

  private static func recall(_ vectors: Matrix, _ file: InvertedFile) -> Double {
    var generator = SeededGenerator(seed: 23)
    var scratch: [Int32] = []
    var found = 0
    for _ in 0..<20 {
      let query = Array(vectors[generator.below(vectors.rows)])
      let exact = TopK.of((0..<UInt32(vectors.rows)), 50) { DotProduct.of(query, Array(vectors[Int($0)])) }
      let best = file.search(query, 50, exact: vectors, scratch: &scratch)
      #expect(best.map(\.score) == best.map(\.score).sorted(by: >))
      found += Set(exact).intersection(best.map(\.clip)).count
    }
    return Double(found) / 1_000
  }

  @Test func findsNearlyAllOfTheBestInAFractionOfTheClips() {
    let vectors = Self.vectors(4_000, columns: 32)
    var settings = InvertedFile.Settings()
    settings.exactBelow = 0
    settings.clipsPerList = 100
    settings.probedShare = 0.2
    let file = Self.file(vectors, settings)
    #expect(file.centres.rows == 40)
    #expect(Self.recall(vectors, file) >= 0.95)
  }

  @Test func bytesAloneLoseNothing() {
    let vectors = Self.vectors(2_000, columns: 32)
    #expect(Self.recall(vectors, Self.file(vectors, .init())) >= 0.999)
  }

  @Test func nothingIsFoundOfNothing() {
    var scratch: [Int32] = []
    let empty = Self.file(Matrix(rows: 0, columns: 8), .init())
    let query: [Float] = [1, 0, 0, 0, 0, 0, 0, 0]
    #expect(empty.search(query, 10, exact: Matrix(rows: 0, columns: 8), scratch: &scratch).isEmpty)
    let vectors = Self.vectors(10, columns: 8)
    let file = Self.file(vectors, .init())
    #expect(file.search([Float](repeating: 0, count: 8), 10, exact: vectors, scratch: &scratch).isEmpty)
    #expect(file.search([Float](repeating: .nan, count: 8), 10, exact: vectors, scratch: &scratch).isEmpty)
    #expect(file.search([1], 10, exact: vectors, scratch: &scratch).isEmpty)
    #expect(file.search(query, 100, exact: vectors, scratch: &scratch).count == 10)
  }

  @Test func aVectorOfNoNumbersIsNobodysNeighbour() {
    var rows = QuantisedVectors(rows: 3, columns: 2)
    for (row, vector) in [[Float.nan, 1], [.infinity, 1], [0.5, -1]].enumerated() {
      rows.set(row, to: vector)
    }
    #expect(rows.scales[1] == 0 && rows.values[2...3] == [0, 0])
    #expect(rows.values[4...5] == [64, -127])
  }

  @Test func theBestOfManyAreThoseOfASort() {
    var generator = SeededGenerator(seed: 24)
    let scores = (0..<500).map { _ in Float(generator.below(50)) }
    let sorted = (0..<500).sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
    for limit in [0, 1, 7, 100, 600] {
      #expect(
        TopK.of((0..<UInt32(500)), limit) { scores[Int($0)] } == sorted.prefix(limit).map { UInt32($0) })
    }
  }

  @Test func theBestAreFoundInWhateverOrderTheyCome() {
    var generator = SeededGenerator(seed: 25)
    let some: [Float] = [.infinity, 1e30, 2, 1, 0, -0.0, -1, -2, -1e30, -.infinity]
    for round in 0..<300 {
      let count = generator.below(200)
      let scores: [Float] = (0..<count).map { place in
        switch round % 3 {
        case 0: some[generator.below(some.count)]
        case 1: Float(place)
        default: Float(generator.normal())
        }
      }
      let offered = generator.below(2) == 0 ? Array(0..<count) : (0..<count).reversed()
      let sorted = (0..<count).sorted { scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1 }
      let limit = generator.below(40)
      var top = TopK(limit)
      for place in offered {
        top.offer(UInt32(place), scores[place])
        top.offer(UInt32(place), .nan)
      }
      let best = top.sorted()
      #expect(best.map(\.clip) == sorted.prefix(limit).map { UInt32($0) })
      #expect(best.map(\.score) == sorted.prefix(limit).map { scores[$0] })
    }
  }
}
