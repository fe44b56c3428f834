import Contract
import Foundation
import Testing

@testable import AppModel

@Suite struct SoundPageTests {
  @Test func aSoundIsNamedByWhoMadeItsFirstClip() {
    let ann = Author(id: "a", handle: "ann", name: "Ann")
    #expect(SoundPage.title(by: ann) == Sentence("Sound by %@", "@ann"))
    #expect(SoundPage.title(by: Author(id: "a", handle: "", name: "Ann")) == Sentence("Sound by %@", "Ann"))
    #expect(SoundPage.title(by: nil) == "Sound")
  }

  @Test func itsPageIsOneOfTheInstanceWhateverTheIDHolds() throws {
    let base = try #require(URL(string: "https://clips.test/"))
    #expect(SoundPage.address(of: "s1", at: base)?.absoluteString == "https://clips.test/s/s1")
    #expect(
      SoundPage.address(of: "//evil.test/?#é", at: base)?.absoluteString
        == "https://clips.test/s/%2F%2Fevil.test%2F%3F%23%C3%A9")
  }
}
