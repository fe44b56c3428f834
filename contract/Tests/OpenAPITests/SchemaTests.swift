import Contract
import Foundation
import Testing

@testable import OpenAPI

/// The schemas are read off the types; here both are held against real JSON, in both directions.
@Suite struct SchemaTests {
  /// Every type that crosses the wire by some operation.
  static let contents = Operation.all.flatMap { operation in
    operation.bodies.compactMap(\.content) + operation.answers.compactMap(\.content)
  }

  private func bytes(_ json: JSON) -> Data { Data(json.text.utf8) }

  private func wired<Value: Codable>(_ type: Value.Type, _ json: JSON) throws -> JSON {
    try JSONReader.read([UInt8](try WireCoding.encode(try WireCoding.decode(type, from: bytes(json)))))
  }

  @Test func aValueWithEverythingComesThroughItsTypeWhole() throws {
    #expect(Self.contents.count > 10)
    for content in Self.contents {
      let full = content.schema.sample(isFull: true)
      #expect(try wired(content.type, full).sorted == full.sorted, "\(content.type)")
      #expect(content.schema.violation(in: full) == nil, "\(content.type)")
    }
  }

  @Test func aValueWithoutWhatMayBeLeftOutIsTakenToo() throws {
    for content in Self.contents {
      let least = content.schema.sample(isFull: false)
      let written = try wired(content.type, least)
      #expect(content.schema.violation(in: written) == nil, "\(content.type)")
      for member in written.members where least[member.name] == nil {
        // Such as next_cursor, which the document says is always there.
        #expect(content.schema.shape?.property(member.name)?.note.isAlwaysThere == true, "\(member.name)")
      }
    }
  }

  @Test func whatIsRequiredIsDemandedByTheTypeOrByTheRequest() throws {
    for content in Self.contents {
      let full = content.schema.sample(isFull: true)
      for property in content.schema.shape?.properties ?? [] {
        let without = JSON.object(full.members.filter { $0.name != property.name })
        let isRefused = (try? wired(content.type, without)) == nil
        #expect(
          isRefused == (property.isRequired && !property.note.isDemanded), "\(content.type).\(property.name)")
        #expect((content.schema.violation(in: without) != nil) == property.isRequired)
      }
    }
  }

  @Test func aTypeIsReadAsItIs() {
    #expect(
      SchemaReader.read(NewReaction.self)
        == .object(
          .init(
            name: "NewReaction",
            properties: [
              .init(
                name: "reaction",
                schema: .choice(name: "Reaction", of: ["heart", "laugh", "wow", "clap", "fire", "cry"]),
                isRequired: true, note: Note())
            ])))
    let upload = SchemaReader.read(UploadStatus.self).shape
    #expect(upload?.property("expires_at")?.schema == .instant)
    #expect(upload?.property("expires_at")?.isRequired == false)
    #expect(SchemaReader.read(Rendition.self).shape?.property("init")?.schema.shape?.name == "ByteRange")
    #expect(SchemaReader.read(FeedPage.self).shape?.name == "ClipPage")
  }

  /// A note about a property that was renamed would limit nothing any more.
  @Test func everyNoteIsAboutAPropertyThatIsThere() {
    var known: Set<String> = []
    func collect(_ schema: Schema) {
      switch schema {
      case .object(let shape):
        for property in shape.properties {
          known.formUnion(["\(shape.name).\(property.name)", "*.\(property.name)"])
          if case .list = property.schema { known.insert("\(shape.name).\(property.name).*") }
          collect(property.schema)
        }
      case .list(let item, _), .map(let item): collect(item)
      default: break
      }
    }
    for content in Self.contents { collect(content.schema) }
    collect(SchemaReader.read(Problem.self))
    #expect(Set(Note.table.keys).subtracting(known).isEmpty)
  }

  @Test(
    arguments: [
      (#"{"caption":1}"#, "caption"), (#"{"tags":"x"}"#, "tags"), (#"{"tags":["a",2]}"#, "tags[1]"),
      (#"{"cover_ms":-1}"#, "cover_ms"), (#"{"coverMs":-1}"#, "cover_ms"),
      (#"{"visibility":"all"}"#, "visibility"),
      (#"{"cover_ms":1.5}"#, "cover_ms"), (#"{"language":"d"}"#, "language"),
      (#"{"language":"de_DE"}"#, "language"), (#"{"language":"dé"}"#, "language"), ("[]", nil), ("null", nil),
    ] as [(String, String?)])
  func whatIsWrongIsNamed(_ json: String, _ field: String?) throws {
    let value = try JSONReader.read(Array(json.utf8))
    let wrong = try #require(SchemaReader.read(ClipDetails.self).violation(in: value))
    #expect(wrong.field == field)
    #expect(wrong.message.hasPrefix(field ?? "The body"))
  }

  @Test func whatIsLeftOutOrNullIsNotWrong() throws {
    for json in ["{}", #"{"caption":null,"tags":[]}"#, #"{"cover_ms":1e3,"unknown":{}}"#] {
      let value = try JSONReader.read(Array(json.utf8))
      #expect(SchemaReader.read(ClipDetails.self).violation(in: value) == nil)
    }
  }

  @Test func whatOneValueAsksOfAnotherIsDemanded() throws {
    func field(_ kind: String, _ more: String = "") throws -> String? {
      let json = #"{"events":[{"id":"event-01","clip_id":"x","at_ms":1,"kind":"\#(kind)"\#(more)}]}"#
      return SchemaReader.read(WatchEvents.self).violation(in: try JSONReader.read(Array(json.utf8)))?.field
    }
    #expect(try field("impression") == nil)
    #expect(try field("stall") == "events[0].took_ms")
    #expect(try field("stall", #","took_ms":null"#) == "events[0].took_ms")
    #expect(try field("stall", #","took_ms":7"#) == nil)
  }

  @Test func aSourceTypeOfAnUploadIsOneOfTwoOrLeftOut() throws {
    func field(_ more: String) throws -> String? {
      let hash = String(repeating: "a", count: 64)
      let json = #"{"size_bytes":9,"sha256":"\#(hash)","type":"","details":{}\#(more)}"#
      return SchemaReader.read(NewUpload.self).violation(in: try JSONReader.read(Array(json.utf8)))?.field
    }
    #expect(try field("") == nil)
    for type in DigitalSourceType.allCases {
      #expect(try field(#","digital_source_type":"\#(type.rawValue)""#) == nil)
    }
    #expect(try field(#","digital_source_type":"digitalCapture""#) == "digital_source_type")
  }

  @Test func aLimitAnswersWithTheCodeThatIsMadeForIt() throws {
    func code(_ size: String) throws -> ErrorCode? {
      let hash = String(repeating: "a", count: 64)
      let json = #"{"size_bytes":\#(size),"sha256":"\#(hash)","type":"","details":{}}"#
      return SchemaReader.read(NewUpload.self).violation(in: try JSONReader.read(Array(json.utf8)))?.code
    }
    #expect(try code("0") == .emptyFile)
    #expect(try code("52428801") == .fileTooLarge)
    #expect(try code("52428800") == nil)
  }
}

@Suite struct JSONReaderTests {
  @Test(arguments: [
    #"{"a":[1,-2.5,1e3,true,null,"x\n\u00e9😀"]}"#, "[]", "{}", " 0 ", #""\ud83d\ude00""#, "-0", "1E+2",
  ])
  func whatIsJSONIsRead(_ text: String) throws {
    let read = try JSONReader.read(Array(text.utf8))
    #expect(try JSONReader.read(Array(read.text.utf8)) == read)
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "1e", "tru", "\"\\x\"", "\"\\ud83d\"",
    "\"\\ude00\"", "\"\t\"", "{} {}", "[1 2]", "'x'", "NaN", "{\"a\" 1}", "\"", "--1", "{,}",
  ])
  func whatIsNoneIsRefused(_ text: String) {
    #expect(throws: JSONReader.Fault.self) { try JSONReader.read(Array(text.utf8)) }
  }

  @Test func aNumberThatNothingHoldsIsRefused() throws {
    let fault = #expect(throws: JSONReader.Fault.self) { try JSONReader.read(Array(#"{"a":[1e999]}"#.utf8)) }
    #expect(fault?.field == "a[0]")
    #expect(try JSONReader.read(Array("1e300".utf8)) == .decimal(1e300))
  }

  @Test func textThatIsNoUTF8IsRefused() {
    #expect(throws: JSONReader.Fault.self) {
      try JSONReader.read(Array("\"".utf8) + [0xFF] + Array("\"".utf8))
    }
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, "a"), (#"{"x":[{"b":1,"\u0062":1}]}"#, "x[0].b"),
    (#"{"size_bytes":1,"sizeBytes":2}"#, "sizeBytes"),
  ])
  func aNameThatIsThereTwiceIsNamed(_ text: String, _ field: String) {
    let fault = #expect(throws: JSONReader.Fault.self) { try JSONReader.read(Array(text.utf8)) }
    #expect(fault?.field == field)
  }

  @Test func nestingIsBounded() throws {
    let most = Limits.jsonDepth
    let deepest = String(repeating: "[", count: most) + String(repeating: "]", count: most)
    _ = try JSONReader.read(Array(deepest.utf8))
    for text in [String(repeating: "[", count: 60_000), String(repeating: #"{"a":"#, count: 10_000)] {
      #expect(throws: JSONReader.Fault.self) { try JSONReader.read(Array(text.utf8)) }
    }
  }
}

extension JSON {
  var members: [Member] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  var sorted: JSON {
    switch self {
    case .object(let members):
      .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
    case .array(let items): .array(items.map(\.sorted))
    default: self
    }
  }
}

extension Schema {
  var shape: Shape? {
    guard case .object(let shape) = self else { return nil }
    return shape
  }

  /// A value of this schema: with everything that it may have, or with no more than it must.
  func sample(isFull: Bool, _ note: Note = Note()) -> JSON {
    switch self {
    case .string:
      guard let spelling = note.spelling else {
        return .string(String(repeating: "x", count: max(1, note.range?.lowerBound ?? 1)))
      }
      return .string(
        String(repeating: String(spelling.characters.prefix(1)), count: max(1, spelling.length.lowerBound)))
    case .instant: return "2026-01-31T12:00:00Z"
    case .integer: return .integer(Int64(note.range?.lowerBound ?? 7))
    case .number: return .decimal(29.97)
    case .boolean: return true
    case .choice(_, let names): return .string(names[isFull ? names.count - 1 : 0])
    case .list(let item, let itemNote):
      return isFull || (note.range?.lowerBound ?? 0) > 0 ? [item.sample(isFull: isFull, itemNote)] : []
    case .map(let item): return isFull ? ["name": item.sample(isFull: true)] : [:]
    case .object(let shape):
      return .object(
        shape.properties.filter { isFull || $0.isRequired }.map {
          .init($0.name, $0.schema.sample(isFull: isFull, $0.note))
        })
    }
  }
}

extension Schema.Shape {
  func property(_ name: String) -> Schema.Property? { properties.first { $0.name == name } }
}
