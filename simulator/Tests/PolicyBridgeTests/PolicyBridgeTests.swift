import Foundation
import PolicyBridge
import Testing

@Suite struct PolicyBridgeTests {
  private static let opening = [
    #"{"t":"hello","kbps":[750,1200,1850],"chunkMs":1000}"#,
    #"{"t":"begin"}"#,
    video(0), video(1), video(2),
    #"{"t":"step","delay":0,"size":0,"play":0,"q":[[0,0,0,0],[0,0,0,0],[0,0,0,0]]}"#,
  ]

  private static func video(_ id: Int) -> String {
    let sizes = [94_000, 150_000, 231_000].map { size in
      "[" + Array(repeating: "\(size)", count: 8).joined(separator: ",") + "]"
    }
    let shares = [1, 0.8, 0.7, 0.6, 0.5, 0.5, 0.4, 0.4].map { "\($0)" }.joined(separator: ",")
    return #"{"t":"video","id":\#(id),"sizes":[\#(sizes.joined(separator: ","))],"ret":[\#(shares)]}"#
  }

  @Test func asksForTheFirstClipFirst() throws {
    let answers = try answers(to: Self.opening)
    #expect(answers.count == 1)
    #expect(answers[0]["v"] == 0 && answers[0]["s"] == 0)
    #expect((0..<3).contains(answers[0]["b"] ?? -1))
  }

  @Test func goesOnToAClipThatIsNotWholeOrPauses() throws {
    let next = #"{"t":"step","delay":300,"size":94000,"play":0,"q":[[1,900,100,0],[0,0,0,0],[0,0,0,0]]}"#
    let answer = try #require(try answers(to: Self.opening + [next]).last)
    #expect((0..<3).contains(answer["v"] ?? -1))
    #expect((0..<3).contains(answer["b"] ?? -1) && (answer["s"] ?? -1) >= 0)
  }

  @Test func answersTheSameTwice() throws {
    #expect(try answers(to: Self.opening) == answers(to: Self.opening))
    // A second session of the same process forgets the first.
    let twice = try answers(to: Self.opening + Self.opening)
    #expect(twice.first == twice.last)
  }

  @Test(arguments: [
    "", "nonsense", "{}", #"{"t":"sing"}"#, #"{"t":"hello"}"#, #"{"t":"step","delay":1}"#,
    #"{"t":"video","id":1,"sizes":[[1],[2]]}"#,
  ])
  func saysWhyALineCannotBeAnswered(line: String) {
    var bridge = PolicyBridge()
    #expect(throws: PolicyBridge.Failure.self) { try bridge.answer(to: Data(line.utf8)) }
  }

  private func answers(to lines: [String]) throws -> [[String: Int]] {
    var bridge = PolicyBridge()
    return try lines.compactMap { try bridge.answer(to: Data($0.utf8)) }
      .map { try JSONDecoder().decode([String: Int].self, from: $0) }
  }
}
