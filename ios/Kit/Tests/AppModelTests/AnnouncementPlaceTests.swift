import AppModel
import Testing

@Suite struct AnnouncementPlaceTests {
  @Test func standsAboveTheMessageBar() {
    #expect(AnnouncementPlace.top(of: 44, in: 844) == 680)
  }

  @Test func standsAboveTheKeyboard() {
    #expect(AnnouncementPlace.top(of: 44, in: 844, keyboard: (508, 844)) == 448)
    // A low one, of a hardware keyboard, lies below the message bar's place.
    #expect(AnnouncementPlace.top(of: 44, in: 844, keyboard: (789, 844)) == 680)
  }

  @Test func aKeyboardThatFloatsOrIsGoneIsInNobodysWay() {
    #expect(AnnouncementPlace.top(of: 44, in: 1_180, keyboard: (500, 800)) == 1_016)
    #expect(AnnouncementPlace.top(of: 44, in: 844, keyboard: (844, 1_180)) == 680)
  }

  @Test func neverLeavesTheWindow() {
    #expect(AnnouncementPlace.top(of: 400, in: 390, keyboard: (120, 390)) == 0)
    #expect(AnnouncementPlace.top(of: 44, in: 0) == 0)
  }
}
