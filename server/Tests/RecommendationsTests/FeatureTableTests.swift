import Foundation
import Testing

@testable import PlatformTesting
@testable import Ranking
@testable import Recommendations

@Suite struct FeatureTableTests {
  /// A model is trained on it.
  @Test func theTableOfTheDocumentationEqualsTheCode() throws {
    let page = try String(contentsOf: Repository.file("docs/design/recommendations.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter {
      $0.hasPrefix("| ") && $0.dropFirst(2).first?.isNumber == true
    }
    let expected = CandidateTable.columns.enumerated().map { "| \($0) | `\($1.name)` | \($1.meaning) |" }
    #expect(rows.map(String.init) == expected)
    #expect(page.contains("version \(CandidateFeatures.version)"))
  }

  @Test func theExampleUsesTheColumnThatItNames() throws {
    let example = try String(
      contentsOf: Repository.file("deploy/mlserver/short-clips/short_clips.py"), encoding: .utf8)
    let place = try #require(CandidateFeatures.columns.firstIndex(of: "duration_seconds"))
    #expect(example.contains("DURATION = \(place) "))
  }
}
