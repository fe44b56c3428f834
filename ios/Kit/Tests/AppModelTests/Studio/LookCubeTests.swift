import Foundation
import Looks
import Testing

@testable import AppModel

@Suite struct LookCubeTests {
  private func floats(_ cube: LookCube) -> [Float] {
    cube.floats.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(arguments: 1..<18) func holdsTheCoresColoursRedFastest(look: Int) throws {
    let cube = try #require(LookCube(LookChoice(look: look, strength: 100)))
    let numbers = floats(cube)
    let edge = LookCube.edge
    #expect(numbers.count == edge * edge * edge * 4)
    let ours = try #require(Look(rawValue: Int32(look)))
    for (red, green, blue) in [
      (0, 0, 0), (32, 0, 0), (0, 32, 0), (0, 0, 32), (32, 32, 32), (16, 16, 16), (3, 17, 29), (27, 20, 16),
    ] {
      let step = Colour.white / 32
      let colour = ours.apply(
        to: Colour(red: Int32(red) * step, green: Int32(green) * step, blue: Int32(blue) * step))
      // As Core Image reads it: red is the column, green the row, blue the plane.
      let at = 4 * (red + edge * green + edge * edge * blue)
      let wanted = [colour.red, colour.green, colour.blue].map { Float($0) / Float(Colour.white) }
      #expect(Array(numbers[at..<at + 3]) == wanted, "\(red) \(green) \(blue)")
    }
  }

  @Test func isOpaqueAndWithinItsRangeSoThatMultiplyingByOpacityChangesNothing() throws {
    for look in 1..<18 {
      let numbers = floats(try #require(LookCube(LookChoice(look: look, strength: 70))))
      #expect(numbers.allSatisfy { (0...1).contains($0) })
      #expect(stride(from: 3, to: numbers.count, by: 4).allSatisfy { numbers[$0] == 1 })
    }
  }

  @Test func greysNeverGetDarker() throws {
    let numbers = floats(try #require(LookCube(LookChoice(look: 11, strength: 100))))
    let edge = LookCube.edge
    let greys = (0..<edge).map { numbers[4 * ($0 + edge * $0 + edge * edge * $0)] }
    #expect(greys == greys.sorted())
  }

  @Test func whatChangesNothingHasNoTable() {
    #expect(LookCube(.plain) == nil)
    #expect(LookCube(LookChoice(look: 9, strength: 0)) == nil)
    #expect(LookChoice(look: 99, strength: 1_000) == LookChoice(look: 0, strength: 100))
    #expect(LookChoice.names.count == Look.allCases.count)
  }
}
