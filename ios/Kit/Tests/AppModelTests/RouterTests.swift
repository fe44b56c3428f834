import AppModel
import Testing

@MainActor @Suite struct RouterTests {
  @Test func comesBackToAScreenThatLiesBelow() {
    let router = Router()
    router.open(.account)
    router.open(.settings)
    router.open(.account)
    #expect(router.path == [.account])
  }

  @Test func goingBackLeavesOneScreen() {
    let router = Router()
    router.open(.conversations)
    router.open(.conversation(with: "author"))
    router.back()
    #expect(router.top == .conversations)
    router.back()
    router.back()
    #expect(router.top == nil)
  }

  @Test func saysTheSameOnce() {
    let announcements = Announcements()
    announcements.post("Link copied")
    announcements.post("Link copied")
    #expect(announcements.waiting.count == 1)
    announcements.remove(announcements.waiting[0].id)
    #expect(announcements.waiting.isEmpty)
  }
}
