import Foundation
import Testing

@testable import ModelServer
@testable import PlatformTesting
@testable import Recommendations

/// What a model server may do wrong.
@Suite struct BadAnswerTests {
  enum Kind: Sendable { case unreachable, refused, malformed }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let spoken: Spoken
    let answer: FakeModelServer.Answer
    let kind: Kind
  }

  private static func tensor(_ data: String, shape: String = "[2]", type: String = "FP32") -> String {
    #"{"outputs":[{"name":"y","shape":\#(shape),"datatype":"\#(type)","data":\#(data)}]}"#
  }

  private static func rows(_ predictions: String) -> String { #"{"predictions":\#(predictions)}"# }

  static let bodies: [(String, Spoken, String)] = [
    ("NaN", .openInference, tensor("[1,NaN]")), ("NaN", .tensorFlow, rows("[1,NaN]")),
    ("null for NaN", .openInference, tensor("[1,null]")), ("null for NaN", .tensorFlow, rows("[1,null]")),
    ("too large for a double", .openInference, tensor("[1,1e999]")),
    ("too large for a double", .tensorFlow, rows("[1,1e999]")),
    ("too large for a float", .openInference, tensor("[1,1e300]")),
    ("too large for a float", .tensorFlow, rows("[1,1e300]")),
    ("too few", .openInference, tensor("[1]")), ("too few", .tensorFlow, rows("[1]")),
    ("too few by shape", .openInference, tensor("[1]", shape: "[1]")),
    ("too many", .openInference, tensor("[1,2,3]")), ("too many", .tensorFlow, rows("[1,2,3]")),
    ("none", .openInference, tensor("[]", shape: "[0]")), ("none", .tensorFlow, rows("[]")),
    ("another shape", .openInference, tensor("[1,2]", shape: "[1,2]")),
    ("a negative shape", .openInference, tensor("[1,2]", shape: "[-1]")),
    ("a shape beyond all numbers", .openInference, tensor("[1,2]", shape: "[1e30]")),
    ("no shape", .openInference, #"{"outputs":[{"name":"y","datatype":"FP32","data":[1,2]}]}"#),
    ("rows of two", .openInference, tensor("[[1,2],[3,4]]", shape: "[2,1]")),
    ("rows of two", .tensorFlow, rows("[[1,2],[3,4]]")),
    ("texts", .openInference, tensor(#"["1","2"]"#)), ("texts", .tensorFlow, rows(#"["1","2"]"#)),
    ("another type", .openInference, tensor("[1,2]", type: "BYTES")),
    ("booleans", .openInference, tensor("[true,false]")), ("booleans", .tensorFlow, rows("[true,false]")),
    ("no outputs", .openInference, #"{"outputs":[]}"#), ("an empty object", .openInference, "{}"),
    ("an empty object", .tensorFlow, "{}"), ("an array", .openInference, "[]"),
    ("an array", .tensorFlow, "[]"),
    (
      "two outputs", .openInference,
      #"{"outputs":[{"name":"a","shape":[2],"datatype":"FP32","data":[1,2]},{"name":"b","shape":[2],"datatype":"FP32","data":[1,2]}]}"#
    ),
    ("an error", .openInference, #"{"error":"no"}"#), ("an error", .tensorFlow, #"{"error":"no"}"#),
    ("a page", .openInference, "<html>"), ("a page", .tensorFlow, "<html>"),
    ("nothing", .openInference, ""), ("nothing", .tensorFlow, ""),
    ("lists in lists", .openInference, tensor(String(repeating: "[", count: 100_000))),
    ("lists in lists", .tensorFlow, rows(String(repeating: "[", count: 100_000))),
    ("more than there can be", .openInference, tensor("[1,2]" + String(repeating: " ", count: 300 << 10))),
    ("more than there can be", .tensorFlow, rows("[1,2]" + String(repeating: " ", count: 300 << 10))),
  ]

  static let cases: [Case] =
    bodies.map { Case(testDescription: "\($0), \($1)", spoken: $1, answer: .body($2), kind: .malformed) }
    + Spoken.allCases.flatMap { spoken in
      let good = ModelServerTests.good(spoken, [1, 2])
      let others: [(String, FakeModelServer.Answer, Kind)] = [
        ("500", .body(good, status: 500), .refused), ("404", .body("", status: 404), .refused),
        ("204", .body("", status: 204), .refused), ("401", .body(good, status: 401), .refused),
        ("a hang-up", .hangUp, .unreachable), ("half of an answer", .cutOff(good), .unreachable),
      ]
      return others.map {
        Case(testDescription: "\($0), \(spoken)", spoken: spoken, answer: $1, kind: $2)
      }
    }

  @Test(arguments: cases)
  func noBadAnswerIsTakenForScores(_ one: Case) async throws {
    let fake = try await FakeModelServer { _, _ in one.answer }
    let model = try ModelServerTests.model(fake, one.spoken)
    let failure = await #expect(throws: ScoringFailure.self) {
      _ = try await model.scores(of: ModelServerTests.candidates(2))
    }
    #expect(fake.refusals == [])
    let kind: Kind? =
      switch failure {
      case .unreachable: .unreachable
      case .refused: .refused
      case .malformed: .malformed
      case nil: nil
      }
    #expect(kind == one.kind, "\(failure?.description ?? "")")
  }

  /// Where the token would go too.
  @Test(arguments: Spoken.allCases)
  func noRedirectIsFollowed(_ spoken: Spoken) async throws {
    let elsewhere = try await FakeModelServer { _, _ in .body(ModelServerTests.good(spoken, [1, 2])) }
    let to = elsewhere.address
    for status in [301, 302, 307, 308] {
      let fake = try await FakeModelServer { question, _ in
        .body("", status: status, headers: ["location": to + question.path])
      }
      let model = try ModelServerTests.model(fake, spoken, token: "s3cret")
      await #expect(throws: ScoringFailure.refused("status \(status)")) {
        try await model.scores(of: ModelServerTests.candidates(2))
      }
    }
    #expect(elsewhere.connections == 0)
  }

  @Test(arguments: Spoken.allCases)
  func nobodyThereIsSaidAtOnce(_ spoken: Spoken) async throws {
    let taken = try TakenPort()
    for address in ["http://127.0.0.1:\(taken.port)", "http://no-such-host.invalid"] {
      let settings = try #require(ModelServerSettings(address: address, dialect: spoken, model: "m"))
      let failure = await #expect(throws: ScoringFailure.self) {
        _ = try await ModelServer(settings).scores(of: ModelServerTests.candidates(2))
      }
      guard case .unreachable? = failure else {
        Issue.record("\(String(describing: failure))")
        continue
      }
    }
  }

  /// A port that is taken, and where nobody listens.
  private final class TakenPort {
    private let socket: Int32
    let port: UInt16

    init() throws {
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_addr.s_addr = inet_addr("127.0.0.1")
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let opened = socket
      let isBound = withUnsafeMutablePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          bind(opened, address, length) == 0 && getsockname(opened, address, &length) == 0
        }
      }
      port = UInt16(bigEndian: place.sin_port)
      try #require(isBound)
    }

    deinit { close(socket) }
  }

  /// Silent, or a byte at a time: whoever asked is told to end, and so do we.
  @Test(arguments: Spoken.allCases)
  func whoNeverEndsIsLeftWhenTheTimeIsOver(_ spoken: Spoken) async throws {
    for answer in [FakeModelServer.Answer.silence, .trickle] {
      let fake = try await FakeModelServer { _, _ in answer }
      let model = try ModelServerTests.model(fake, spoken)
      let asking = Task { try await model.scores(of: ModelServerTests.candidates(2)) }
      try await eventually("it is asked") { fake.questions.count == 1 }
      asking.cancel()
      await #expect(throws: (any Error).self) { try await asking.value }
    }
  }
}
