import Testing

@testable import Videos

@Suite struct ClipAccessTests {
  @Test func onlyWholeStringsThatNameABlobAreAddresses() {
    let name = String(repeating: "a", count: 64)
    let json =
      #"{"a":"/media/N.jpg","b":["/media/N.mp4","/media/x.mp4"],"c":"\"/media/N.jpg\"","d":"see /media/N.jpg"}"#
      .replacing("N", with: name)
    let sealed = ClipAccess.sealing(json, at: "/sealed/c/s/")
    #expect(
      sealed
        == #"{"a":"/sealed/c/s/N.jpg","b":["/sealed/c/s/N.mp4","/media/x.mp4"],"c":"\"/media/N.jpg\"","d":"see /media/N.jpg"}"#
        .replacing("N", with: name))
  }
}
