import Contract
import Exports
import Foundation
import Platform
import Social
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// No feature forgets to say what an account takes along: which columns name people is read from the schema.
@Suite struct ExportedColumnTests {
  @Test func everyColumnOfAPersonIsTakenAlongOrKeptForAReason() async throws {
    let bench = try await TestInstance()
    let columns = try await bench.instance.database.read { try SchemaColumn.all(in: $0) }
    let all = Set(columns.map { "\($0.table).\($0.name)" })
    let persons = Set(columns.filter(\.isOfPerson).map { "\($0.table).\($0.name)" })
    try #require(persons.count > 30, "the schema was read")
    let features = bench.instance.viewerExporting
    let exported = features.flatMap(\.exported).flatMap(\.columns)
    let kept = features.flatMap(\.kept)
    #expect(Set(exported).isSubset(of: all))
    #expect(Set(kept.flatMap(\.columns)).isSubset(of: all))
    #expect(
      persons.subtracting(exported).subtracting(kept.flatMap(\.columns)) == [], "say what becomes of them")
    #expect(Set(exported).isDisjoint(with: kept.flatMap(\.columns)))
    #expect(kept.allSatisfy { $0.reason.count > 10 && !$0.columns.isEmpty })
  }

  @Test func everyListHasANameOfItsOwnAndASentence() async throws {
    let lists = try await TestInstance().instance.viewerExporting.flatMap(\.exported)
    #expect(Set(lists.map(\.name)).count == lists.count)
    for list in lists {
      #expect(
        list.name.utf8.allSatisfy {
          $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        })
      #expect(list.about.hasSuffix(".") && list.about.count < 120, "\(list.name)")
    }
  }
}

/// The SQL of every list, on every database.
@Suite(.everyEngine) struct ExportedRecordsTests {
  @Test func everyListCanBeReadOfSomebodyOfWhomNothingIsKept() async throws {
    let bench = try await TestInstance()
    for list in bench.instance.viewerExporting.flatMap(\.exported) {
      let (count, page) = try await bench.instance.database.read {
        (try list.count(of: "nobody", in: $0), try list.page(of: "nobody", behind: "", in: $0))
      }
      #expect(count == 0 && page.lines == [] && page.next == nil, "\(list.name)")
    }
  }

  @Test func pagesAreOneBehindTheOtherWithoutAGap() async throws {
    let bench = try await TestInstance()
    let social = try await bench.instance.social(.open)
    var liked: Set<String> = []
    for number in 0..<7 {
      let clip = try await bench.publishBare("\(number)")
      _ = try await social.like(clip, by: "mara")
      liked.insert(clip)
    }
    let list = try #require(bench.instance.viewerExporting.flatMap(\.exported).first { $0.name == "likes" })
    var (place, sizes, found): (String?, [Int], [String]) = ("", [], [])
    while let from = place {
      let page = try await bench.instance.database.read {
        try list.page(of: "mara", behind: from, limit: 3, in: $0)
      }
      sizes.append(page.lines.count)
      found += page.lines.map { String(decoding: $0, as: UTF8.self) }
      place = page.next
    }
    #expect(sizes == [3, 3, 1])
    #expect(Set(found).count == 7)
    #expect(
      liked.allSatisfy { clip in found.contains { $0.hasPrefix(#"{"clip_id":"\#(clip)","created_at_ms":"#) } }
    )
  }
}
