import Foundation
import Testing

@testable import phone

@Suite struct FiguresTests {
  private func figures(_ waits: [Int64], unseen: Int = 0) -> Figures {
    var all = Inspector.Waits()
    all.player = waits
    return Figures(
      phone: "core", link: "3g", swipes: 40, waits: all, left: 1, stalls: 2, lateDecoders: 3, requests: 4,
      bytes: 12_345_678, unseen: unseen)
  }

  @Test func theSameSeedIsTheSamePerson() {
    var one = Person(seed: 7, pace: 1)
    var other = Person(seed: 7, pace: 0.5)
    for _ in 0..<200 {
      let (long, short) = (one.dwell(), other.dwell())
      #expect(long >= .milliseconds(250) && long < .milliseconds(6_000))
      #expect(abs((long / 2 - short) / .milliseconds(1)) < 1)
      #expect(one.flicksUp() == other.flicksUp())
    }
  }

  @Test func writesARowOfTheTable() {
    let row = figures((1...100).reversed()).row
    #expect(row == "| 3g | core | 40 | 51 | 96 | 100 | 1 | 2 | 3 | 4 | 12.3 | 0.0 |")
    #expect(figures([]).row.contains("| – | – | – |"))
    let columns = Figures.tableHead.split(separator: "\n").map { $0.split(separator: "|").count }
    #expect(Set(columns + [row.split(separator: "|").count]).count == 1)
  }

  @Test @MainActor func saysWhichGoalWasMissed() {
    let plain = figures([3_000], unseen: 100)
    #expect(Comparison.missed(figures([1_000], unseen: 100), plain).isEmpty)
    #expect(Comparison.missed(figures([1_001], unseen: 101), plain).count == 2)
  }
}
