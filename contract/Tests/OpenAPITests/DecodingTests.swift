import Contract
import Foundation
import Testing

@testable import OpenAPI

/// A body is taken as it was read, by the rules of the coder that all others use.
@Suite struct DecodingTests {
  /// What comes of it, as the wire writes it; nil: it is refused.
  private func ours<Value: Codable>(_ type: Value.Type, _ json: JSON) -> Data? {
    (try? json.decoded(as: type)).flatMap { try? WireCoding.encode($0) }
  }

  private func theirs<Value: Codable>(_ type: Value.Type, _ json: JSON) -> Data? {
    (try? WireCoding.decode(type, from: Data(json.text.utf8))).flatMap { try? WireCoding.encode($0) }
  }

  /// Each value of each type of the wire, whole, without one of its members, and with each of them another
  /// kind of value.
  @Test func everyTypeIsTakenAndRefusedAsItsCoderDoes() {
    let others: [JSON] = [
      .null, true, 0, -1, .decimal(1.5), .decimal(1e300), 9_223_372_036_854_775_807, "", "text",
      "2026-01-31T12:00:00Z",
      "2026-02-31T12:00:00Z", [], [1, "a", .null], [:], ["a": 1],
    ]
    var taken = 0
    for content in SchemaTests.contents {
      var values = [content.schema.sample(isFull: true), content.schema.sample(isFull: false)] + others
      for (place, member) in values[0].members.enumerated() {
        var members = values[0].members
        members.remove(at: place)
        values.append(.object(members))
        for other in others {
          members = values[0].members
          members[place] = .init(member.name, other)
          values.append(.object(members))
        }
      }
      for value in values {
        let made = ours(content.type, value)
        if made != nil { taken += 1 }
        #expect(made == theirs(content.type, value), "\(content.type): \(value.text)")
      }
    }
    #expect(taken > 1000)
  }

  private struct Everything: Codable, Equatable {
    var plain: String
    var isOn: Bool
    var share: Double
    var small: UInt8
    var half: Float
    var count: Int
    var atMs: Int64
    var madeAt: Date
    var byName: [String: Int]
    var lists: [[Bool]]
    var shares: [Double?]
    var texts: [String]
  }

  private static let whole: JSON = [
    "plain": "é\u{0}", "isOn": true, "share": 1, "small": 255, "half": .decimal(0.5), "count": -3,
    "at_ms": 9_007_199_254_740_993, "made_at": "2026-01-31T12:00:00Z", "by_name": ["forYou": 1, "a_b": 2],
    "lists": [[true], []], "shares": [.decimal(0.25), .null, 2], "texts": ["a"],
  ]

  @Test func everyKindOfValueComesThrough() throws {
    let made = try Self.whole.decoded(as: Everything.self)
    #expect(
      made
        == Everything(
          plain: "é\u{0}", isOn: true, share: 1, small: 255, half: 0.5, count: -3,
          atMs: 9_007_199_254_740_993, madeAt: Date(timeIntervalSince1970: 1_769_860_800),
          byName: ["forYou": 1, "a_b": 2], lists: [[true], []], shares: [0.25, nil, 2], texts: ["a"]))
  }

  @Test(
    arguments: [
      ("small", 256, "small"), ("small", -1, "small"), ("count", .decimal(1e300), "count"),
      ("made_at", "yesterday", "made_at"), ("made_at", 7, "made_at"), ("lists", [[true, 1]], "lists[0][1]"),
      ("by_name", ["a_b": "x"], "by_name.a_b"), ("plain", .null, "plain"), ("texts", ["a": 1], "texts"),
    ] as [(String, JSON, String)])
  func whatCannotBeTakenIsNamed(_ name: String, _ value: JSON, _ path: String) {
    let members = Self.whole.members.map { $0.name == name ? .init(name, value) : $0 }
    let error = #expect(throws: DecodingError.self) {
      try JSON.object(members).decoded(as: Everything.self)
    }
    #expect(error?.field == path)
  }

  @Test func whatIsMissingIsNamed() {
    let error = #expect(throws: DecodingError.self) { try JSON.object([]).decoded(as: Everything.self) }
    #expect(error?.field == "plain")
  }
}
