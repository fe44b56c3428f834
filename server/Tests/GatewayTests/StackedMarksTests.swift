import Contract
import Foundation
import NIOCore
import NIOHTTP1
import OpenAPI
import Platform
import Testing

@testable import Gateway
@testable import HTTPServer

/// Text whose comparison takes time quadratic in its length gets no further than where it enters, by
/// whichever way it comes.
@Suite struct StackedMarksTests {
  /// So many that every comparison with it would take a second.
  private static let heap = "a" + String(repeating: "\u{316}\u{301}", count: 15_000)
  /// As JSON may also write it.
  private static let escaped = "a" + String(repeating: #"\u0316\u0301"#, count: 2000)
  private static let nothing = "\u{FFFD}"

  @Test func onlyMoreMarksThanAnyTextHasAreTooMany() {
    for text in ["", "plain", "Viê\u{323}t 日本 👩‍👩‍👧", String(repeating: "e\u{301}", count: 5000)] {
      #expect(!StackedMarks.areTooMany(in: text))
    }
    for mark in ["\u{300}", "\u{316}", "\u{5B0}", "\u{20D0}", "\u{1D165}", "\u{1E8D0}"] {
      let most = String(repeating: mark, count: StackedMarks.most)
      #expect(!StackedMarks.areTooMany(in: "a" + most + "b" + most))
      #expect(StackedMarks.areTooMany(in: most + mark), "\(mark.debugDescription)")
    }
    // They become two marks each.
    for mark in ["\u{F73}", "\u{F75}", "\u{F81}", "\u{344}"] {
      #expect(StackedMarks.areTooMany(in: String(repeating: mark, count: StackedMarks.most / 2 + 1)))
      #expect(BoundedText.normalized("a" + String(repeating: mark, count: 1000)).unicodeScalars.count <= 31)
    }
  }

  @Test func noTextOfAHeadIsOneThatTakesLongToCompare() throws {
    let address = Route.feed.path() + "?cursor="
    let plain = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: address + Route.encoded("Viê\u{323}t"),
      headers: ["Host": "127.0.0.1", "User-Agent": "Viê\u{323}t/1.0", "Cookie": "a=b"])
    #expect(ComparableHead.made(of: plain) == nil, "what people send stays as it is")
    var heaped = plain
    heaped.headers.replaceOrAdd(name: "User-Agent", value: Self.heap)
    let made = try #require(ComparableHead.made(of: heaped))
    #expect(made.headers["user-agent"] == [Self.nothing] && made.headers["cookie"] == ["a=b"])
    #expect(made.uri == plain.uri && made.method == plain.method)
    let (encoded, nothing) = (Route.encoded(Self.heap), "%EF%BF%BD")
    for (wrong, right) in [
      ("/" + Self.heap, "/" + nothing), (address + encoded, address + nothing),
      ("/%zz/\(encoded)/?x=\(encoded)&y=%20", "/%zz/\(nothing)/?x=\(nothing)&y=%20"),
    ] {
      var head = plain
      head.uri = wrong
      #expect(try #require(ComparableHead.made(of: head)).uri == right)
    }
  }

  @Test func whatMakesAHeadALargeOneStandsForNothing() throws {
    let long = String(repeating: "a", count: ComparableHead.sparedBytes + 1)
    var head = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "/",
      headers: ["Host": "127.0.0.1", "Cookie": long, "X-Empty": ""])
    #expect(ComparableHead.made(of: head) == nil, "long fields are nothing unusual")
    head.headers.add(name: "User-Agent", value: String(repeating: "a", count: ComparableHead.fieldBytes))
    head.headers.add(name: long, value: "a")
    let made = try #require(ComparableHead.made(of: head))
    #expect(made.headers["host"] == ["127.0.0.1"] && made.headers["x-empty"] == [""])
    #expect(made.headers["cookie"] == [Self.nothing] && made.headers["user-agent"] == [Self.nothing])
    #expect(made.headers.count == 4, "the field with the long name is none")
  }

  @Test func noTextOfABodyIsOne() throws {
    for text in [Self.heap, Self.escaped] {
      for body in [#"{"handle":"\#(text)"}"#, #"{"\#(text)":1}"#, #"["\#(text)"]"#] {
        #expect(throws: JSONReader.Fault.self) { try JSONReader.read(Array(body.utf8)) }
      }
    }
    #expect(FormFields("a=1&\(Self.heap)=2&b=\(Self.heap)&c=\(Route.encoded(Self.heap))").text == "a=1")
    let value = Data(Self.heap.utf8).base64EncodedString()
    #expect(throws: AppError.self) { try UploadProtocol.metadata("filename \(value)") }
  }

  @Test func namesOfJSONAreTakenForOneHoweverTheyAreWritten() throws {
    #expect(WireName.snake("sizeBytes") == "size_bytes" && WireName.snake("size_Bytes") == "size_bytes")
    #expect(WireName.snake("ÄpfelUndBirnen") == "Äpfel_und_birnen")
    #expect(throws: JSONReader.Fault.self) {
      try JSONReader.read(Array(#"{"sizeBytes":1,"size_bytes":1}"#.utf8))
    }
  }

  @Test func aBodyHasNoMoreNamesAndItemsThanAnythingHereHas() throws {
    func names(_ count: Int) -> [UInt8] {
      Array(("{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}").utf8)
    }
    func items(_ count: Int) -> [UInt8] {
      Array(("[" + (0..<count).map(String.init).joined(separator: ",") + "]").utf8)
    }
    for (make, most) in [(names, Limits.jsonMembers), (items, Limits.jsonItems)] {
      _ = try JSONReader.read(make(most))
      #expect(throws: JSONReader.Fault.self) { try JSONReader.read(make(most + 1)) }
    }
  }

  @Test func whatABrowserTakesIsReadByBytesAndNoLongListOfIt() {
    for taken in ["gzip", "br, gzip", "deflate;q=0.5, GZIP ; q=0.1", "*", "gzip;q=1.0"] {
      #expect(Gzip.isAccepted(taken), "\(taken)")
    }
    for refused in [
      "", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "gzip\u{301}", String(repeating: "gzip,", count: 1000),
    ] {
      #expect(!Gzip.isAccepted(refused), "\(refused.prefix(20))")
    }
  }

  @Test func whatTakesLongIsDoneBehindWhoAnswers() async throws {
    struct Broken: Error {}
    let niceness = try await Offload.run { getpriority(Int32(bitPattern: PRIO_PROCESS.rawValue), 0) }
    #expect(niceness == ThreadPriority.patient)
    await #expect(throws: Broken.self) { try await Offload.run { throw Broken() } }
    let sums = try await withThrowingTaskGroup { group in
      for number in 0..<100 { group.addTask { try await Offload.run { number } } }
      return try await group.reduce(0, +)
    }
    #expect(sums == 4950)
  }
}
