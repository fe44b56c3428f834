import Contract
import Foundation
import Testing

@Suite struct MentionTests {
  private struct Case: Decodable, Sendable {
    let text: String
    let handles: [String]
  }

  private static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../fixtures/mentions.json")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
  }()

  @Test func everyTextNamesWhomTheFixtureSays() {
    #expect(Self.cases.count > 20)
    for one in Self.cases {
      #expect(Mention.all(in: one.text).map(\.handle) == one.handles, "\(one.text)")
    }
  }

  @Test func aMentionSaysWhereItStands() {
    let text = "Hi @Mara_! "
    #expect(Mention.all(in: text).map { String(text[$0.range]) } == ["@Mara"])
  }

  @Test func aTextOfNothingButSignsTakesNoLongerThanItIsLong() {
    #expect(Mention.all(in: String(repeating: "@", count: 200_000)).isEmpty)
    #expect(Mention.all(in: String(repeating: "@ab ", count: 50_000)).count == 50_000)
  }
}
