import Ranking
import Testing

@testable import Recommendations

/// Settings of a page as an operator writes them.
@Suite struct PageSettingTests {
  @Test func wordsChangeWhatTheyNameAndNothingElse() throws {
    let standard = try PageSetting.settings("")
    #expect(standard == Ranker.Settings().page)
    let changed = try PageSetting.settings(" worth-skip=-1.5  per-author=1 new-every=0 ")
    #expect(changed.worth[.skip] == -1.5 && changed.diversity.perAuthor == 1 && changed.newClipEvery == 0)
    #expect(changed.blend == standard.blend && changed.worth[.positive] == standard.worth[.positive])
    #expect(PageSetting.words(changed) == "worth-skip=-1.5 per-author=1 new-every=0")
    #expect(PageSetting.words(standard).isEmpty)
    #expect(try PageSetting.settings(PageSetting.words(changed)) == changed)
  }

  @Test func everySettingIsRealAndTakesItsBounds() throws {
    let standard = Ranker.Settings().page
    for setting in PageSetting.all {
      for value in [setting.range.lowerBound, setting.range.upperBound] {
        let word = "\(setting.name)=\(setting.isWhole ? "\(Int(exactly: value) ?? 0)" : "\(value)")"
        let changed = try PageSetting.settings(word)
        #expect(setting.get(changed) == value, "\(setting.name)")
      }
      #expect(setting.range.contains(setting.get(standard)), "\(setting.name)")
    }
    #expect(Set(PageSetting.all.map(\.name)).count == PageSetting.all.count)
  }

  @Test(arguments: [
    "worth-skip", "worth-skip=", "worth-skip=nan", "worth-skip=inf", "worth-skip=101", "per-author=1.5",
    "per-author=0", "colour=1", "=1", "worth-skip==1", "new-every=-1", "per-author=99999999999999999999",
  ])
  func whatIsNoSettingIsSaid(_ words: String) {
    #expect(throws: WrongPageSetting.self) { try PageSetting.settings(words) }
  }

  @Test func armsFollowFromNameAndViewerAlone() {
    let settings = Ranker.Settings().page
    let first = RankingExperiment(name: "first", share: 0.5, treatment: settings)
    let again = RankingExperiment(name: "first", share: 0.5, treatment: settings)
    let second = RankingExperiment(name: "second", share: 0.5, treatment: settings)
    let small = RankingExperiment(name: "first", share: 0.1, treatment: settings)
    let viewers = (0..<2_000).map { "viewer \($0)" }
    #expect(viewers.allSatisfy { first.arm(of: $0) == again.arm(of: $0) && first.arm(of: $0) != nil })
    let moved = viewers.count { first.arm(of: $0) != second.arm(of: $0) }
    #expect((800...1_200).contains(moved))
    // A larger share takes viewers in, and moves nobody.
    #expect(viewers.allSatisfy { small.arm(of: $0) == nil || small.arm(of: $0) == first.arm(of: $0) })
    #expect((300...500).contains(viewers.count { small.arm(of: $0) != nil }))
  }

  @Test func namesAreWhatCanStandAnywhere() {
    #expect(["a", "more-new_2.1", String(repeating: "x", count: 64)].allSatisfy(RankingExperiment.isName))
    #expect(
      ["", "two words", "é", "a\u{0}", "a/b", String(repeating: "x", count: 65)].allSatisfy {
        !RankingExperiment.isName($0)
      })
  }
}
