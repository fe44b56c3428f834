import Testing
import XcodeProject

@Suite struct ProjectTests {
  @Test func namesNothingThatIsNotThere() {
    #expect(Project(.clipfeed).loose == [])
  }

  @Test func writesTheSameTwice() {
    #expect(Project(.clipfeed).text == Project(.clipfeed).text)
  }

  @Test func givesEachNameAnIdOfItsOwn() {
    let ids = (0..<10_000).map { Project.id(of: "object \($0)") }
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.count == 24 })
  }

  @Test func quotesWhatIsMoreThanAWord() {
    let list: PropertyList = ["name": "a \"b\"\n", "path": "App/Info.plist", "none": ""]
    #expect(list.written() == "{\n\tname = \"a \\\"b\\\"\\n\";\n\tpath = App/Info.plist;\n\tnone = \"\";\n}")
  }

  @Test func aMoreOrLessDoesNotMoveOtherIds() {
    var app = App.clipfeed
    app.products.append("Second")
    let before = Set(Project(.clipfeed).objects.map(\.id))
    #expect(before.isSubset(of: Project(app).objects.map(\.id)))
  }
}
