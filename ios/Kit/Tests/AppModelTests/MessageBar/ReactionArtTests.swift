import Contract
import Foundation
import Testing

@testable import AppModel

@Suite struct ReactionArtTests {
  private typealias Point = VectorPath.Point

  private static func webClient(_ name: String) throws -> String {

    var folder = URL(filePath: #filePath)
    for _ in 0..<6 { folder.deleteLastPathComponent() }
    return try String(contentsOf: folder.appending(path: "web/app/messages/\(name)"), encoding: .utf8)
  }

  private func ends(_ path: VectorPath) -> [Point] {
    path.elements.compactMap { element in
      switch element {
      case .move(let end), .line(let end), .curve(_, _, to: let end): end
      case .close: nil
      }
    }
  }

  @Test func picturesAreThoseOfTheWebClient() throws {
    let script = try Self.webClient("reactions.js")
    let bar = try Self.webClient("bar.js")
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let source = try String(
      contentsOf: folder.appending(path: "Sources/AppModel/MessageBar/ReactionArt.swift"), encoding: .utf8)
    let paths = source.matches(of: /"(M[^"]+)"/).map { String($0.1) }
    #expect(paths.count == 15)
    for path in paths {
      #expect(script.contains(path) || bar.contains(path), "\(path)")
    }
  }

  @Test func eachPictureStaysInItsSquare() throws {
    for reaction in ComposerHost.reactions {
      let art = try #require(ReactionArt(reaction))
      for shape in art.shapes {
        #expect(!shape.path.elements.isEmpty && (shape.fill != nil || shape.stroke != nil))
        let radians = (shape.placing?.degrees ?? 0) * .pi / 180
        for point in ends(shape.path) {
          let placed =
            shape.placing?.place(point, sine: sin(radians), cosine: cos(radians)) ?? point
          #expect((-1...33).contains(placed.x) && (-1...33).contains(placed.y), "\(reaction) \(placed)")
        }
      }
    }
    #expect(ReactionArt(.heart) == nil)
  }

  @Test func readsCommandsThatStandForSeveralGroups() {
    let path = VectorPath(path: "M1 2l1-1.5.5.5H9v-2h-1zM0 0 5,5")
    #expect(
      path.elements == [
        .move(Point(1, 2)), .line(Point(2, 0.5)), .line(Point(2.5, 1)), .line(Point(9, 1)),
        .line(Point(9, -1)), .line(Point(8, -1)), .close, .move(Point(0, 0)), .line(Point(5, 5)),
      ])
  }

  @Test func anArcIsWhereItsCircleIs() {
    let circle = VectorPath(path: "M0 5a5 5 0 0 1 10 0 5 5 0 0 1-10 0z")
    for element in circle.elements {
      guard case .curve(let one, let two, to: let end) = element else { continue }
      #expect(abs(hypot(end.x - 5, end.y - 5) - 5) < 1e-9)
      // Control points of a quarter lie 1.1 radii away: 5 × (1 + 0.5523²)^½.
      for control in [one, two] { #expect(abs(hypot(control.x - 5, control.y - 5) - 5.7119) < 1e-3) }
    }
    #expect(circle.elements.count == 6)
    let oval = VectorPath(ellipseAt: Point(3, 4), radiusX: 2, radiusY: 1)
    #expect(ends(oval).map(\.y).min() == 3 && ends(oval).map(\.y).max() == 5)
  }

  @Test func whatItDoesNotKnowEndsThePath() {
    #expect(VectorPath(path: "M1 1 l 2").elements == [.move(Point(1, 1))])
    #expect(VectorPath(path: "T1 1").elements.isEmpty && VectorPath(path: "").elements.isEmpty)
    #expect(VectorPath(path: "M1 1a0 5 0 0 1 2 2").elements.last == .line(Point(3, 3)))
    #expect(VectorPath(path: "M1 1A9 9 0 2 1 3 3").elements.count == 1)
  }

  @Test func theBarFollowsTheKeyboardOfItsOwnFieldToItsEnd() {
    var following = KeyboardFollowing()
    following.update(isWriting: false, keyboard: 300, safeArea: 34)
    #expect(!following.isFollowing)
    following.update(isWriting: true, keyboard: 34, safeArea: 34)
    #expect(following.isFollowing)
    following.update(isWriting: false, keyboard: 200, safeArea: 34)
    #expect(following.isFollowing)
    following.update(isWriting: false, keyboard: 34, safeArea: 34)
    #expect(!following.isFollowing)
  }
}
