import Contract
import Foundation
import Testing

@testable import OpenAPI

@Suite struct DocumentTests {
  private static let document = Result { try JSONReader.read(Array(Document.text.utf8)) }

  @Test func everyRouteOfTheAPIIsDescribedAndNothingElse() throws {
    let paths = try #require(try Self.document.get()["paths"])
    let described = paths.members.flatMap { path in
      path.value.members.map { "\($0.name.uppercased()) \(path.name)" }
    }
    let routes = Route.all.filter { $0.template.hasPrefix("/api/") }
    let there = routes.flatMap { route in route.methods.map { "\($0) \(route.template)" } }
    #expect(described.sorted() == there.sorted())
  }

  @Test func everyOperationHasAnIdOfItsOwnASummaryAndWhatItAnswers() throws {
    #expect(Set(Operation.all.map(\.id)).count == Operation.all.count)
    for operation in Operation.all {
      #expect(operation.summary.hasSuffix("."), "\(operation.id)")
      #expect(!operation.answers.isEmpty, "\(operation.id)")
      let statuses = operation.answers.map(\.status) + operation.problems.map(\.status)
      #expect(Set(statuses).count == statuses.count, "\(operation.id)")
    }
  }

  /// A code that no operation may answer with would be refused by clients that were made from the document.
  @Test func everyCodeThatARequestCanMeetIsDescribed() {
    let described = Set(Operation.all.flatMap { $0.problems.flatMap(\.codes) })
    let elsewhere: Set<ErrorCode> = [
      // What no operation of the API answers with: other addresses, other methods, and the command line.
      .routeNotFound, .methodNotAllowed, .mediaNotFound, .mediaAddressExpired, .rangeNotSatisfiable,
      .notAFile,
      .fileUnreadable, .jobNotFound, .embedFormatUnsupported,
      // What the dialect of others is refused with, which has a description of its own.
      .apiKeyInvalid, .apiKeyNotAllowed,
      // What is said in the problem of an upload or a job.
      .transcodingFailed, .captioningFailed, .exportFailed,
    ]
    #expect(Set(ErrorCode.allCases).subtracting(described).symmetricDifference(elsewhere).isEmpty)
    #expect(described.isDisjoint(with: elsewhere))
  }

  @Test func aLinkLeadsToAParameterOfAnOperation() {
    for link in Operation.all.flatMap(\.answers).flatMap(\.links) {
      let operation = Operation.all.first { $0.id == link.operation }
      let isThere =
        operation?.route.template.contains("{\(link.parameter)}") == true
        || operation?.parameters.contains { $0.name == link.parameter } == true
      #expect(isThere, "\(link.operation)")
    }
  }

  /// Else a client that knows nothing but the document, such as one that tries everything, reaches it by
  /// guessing alone.
  @Test func everyOperationOnOneThingIsLinkedFromAnAnswerThatNamesIt() {
    let linked = Set(Operation.all.flatMap(\.answers).flatMap(\.links).map(\.operation))
    // Their token comes by mail, and in no answer; the name of a provider is the operator's.
    let elsewhere: Set = ["resetPassword", "confirmEmail", "hearOfVideo"]
    let unlinked = Operation.all.filter { $0.route.template.contains("{") && !linked.contains($0.id) }.map(
      \.id)
    #expect(Set(unlinked) == elsewhere)
  }

  @Test func everyReferenceLeadsSomewhere() throws {
    let document = try Self.document.get()
    var references: Set<String> = []
    func collect(_ json: JSON) {
      switch json {
      case .object(let members):
        for member in members {
          if member.name == "$ref", case .string(let text) = member.value { references.insert(text) }
          collect(member.value)
        }
      case .array(let items): items.forEach(collect)
      default: break
      }
    }
    collect(document)
    #expect(references.count > 10)
    for reference in references {
      let found = reference.split(separator: "/").dropFirst().reduce(Optional(document)) { $0?[String($1)] }
      #expect(found != nil, "\(reference)")
    }
  }

  @Test func aPathNamesItsPlaceholders() throws {
    let paths = try #require(try Self.document.get()["paths"])
    for path in paths.members {
      let names = path.name.split(separator: "/").filter { $0.hasPrefix("{") }.map {
        $0.dropFirst().dropLast()
      }
      for method in path.value.members {
        guard case .array(let parameters) = method.value["parameters"] ?? [] else { continue }
        let described = parameters.filter { $0["in"] == "path" }.compactMap { $0["name"] }
        #expect(described == names.map { .string(String($0)) }, "\(path.name)")
      }
    }
  }

  @Test(arguments: [
    ("limit", "0"), ("limit", "51"), ("limit", ""), ("limit", "x"), ("limit", "+1"), ("limit", "1.0"),
    ("cursor", "ü"), ("cursor", "a b"),
  ])
  func aParameterIsHeldAgainstItsLimits(_ name: String, _ text: String) throws {
    let parameter = try #require(Operation.of(.feed, "GET")?.parameters.first { $0.name == name })
    let wrong = try #require(parameter.violation(in: text))
    #expect(wrong.field == name)
    #expect(wrong.code == (name == "limit" ? .invalidParameter : .invalidCursor))
  }

  @Test(arguments: ["", "x", "-0.1", "1.01", "nan", "inf", "0x1p-2", "1e999", " 0", "0,5"])
  func aPartIsANumberFrom0To1(_ text: String) throws {
    let parameter = try #require(
      Operation.of(.accountPicture, "PUT")?.parameters.first { $0.name == "crop_x" })
    let wrong = try #require(parameter.violation(in: text))
    #expect(wrong.field == "crop_x")
    #expect(wrong.code == .invalidParameter)
    for taken in ["0", "1", "0.25", "1e-5"] { #expect(parameter.violation(in: taken) == nil, "\(taken)") }
  }
}
