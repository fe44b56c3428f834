import Contract
import Foundation
import Playback
import Testing

@testable import AppModel

/// One's own picture, and pictures of people as they are shown.
@MainActor @Suite struct ProfilePictureTests {
  private func opened() async -> (ProfileBench, ProfileModel, ProfileEditModel) {
    let bench = ProfileBench(ProfileServer { $0.profile.viewer = ProfileViewer(isSelf: true) })
    let model = await bench.opened()
    model.edit()
    return (bench, model, bench.profiles.editing)
  }

  @Test func whatIsChosenIsSentAndShownWhereItWasBegun() async {
    let (bench, model, editing) = await opened()
    editing.form[.bio] = "typed and not saved"
    await editing.putPicture(Data(repeating: 1, count: 7))
    #expect(model.profile?.author.picture?.smallUrl == "/media/7-small.jpg")
    #expect(editing.profile?.author.picture == model.profile?.author.picture && editing.picture == .still)
    #expect(editing.form[.bio] == "typed and not saved")
    #expect(bench.router.top == .profileEditing, "there may be more to change")
    await editing.removePicture()
    #expect(model.profile?.author.picture == nil && editing.profile?.author.picture == nil)
    #expect(bench.feed.notices == ["The picture is saved.", "The picture is removed."])
    await bench.feed.end()
  }

  @Test func whatIsRefusedSaysWhyAndChangesNothing() async {
    let (bench, model, editing) = await opened()
    await editing.putPicture(nil)
    #expect(editing.picture == .failed("This is no picture that this device can read."))
    bench.server.change {
      $0.refusals["PUT /api/v1/account/picture"] = Problem(.pictureTooLarge, field: nil, requestID: "")
    }
    await editing.putPicture(Data([1]))
    guard case .failed(let why) = editing.picture else {
      Issue.record("it was taken")
      return
    }
    #expect(why.key == ErrorCode.pictureTooLarge.message)
    #expect(model.profile?.author.picture == nil && bench.feed.notices.isEmpty)
    await bench.feed.end()
  }

  @Test func aFaceIsItsLetterUntilThereIsAPicture() {
    let base = URL(string: "https://clips.example")
    var author = Author(id: "a", handle: "ada", name: "ämil")
    #expect(Face(author).letter == "Ä" && Face(author).url(side: 36, base: base) == nil)
    author.picture = AuthorPicture(color: "#000000", largeUrl: "/media/l.jpg", smallUrl: "/media/s.jpg")
    let face = Face(author)
    #expect(face.url(side: 44, base: base)?.absoluteString == "https://clips.example/media/s.jpg")
    #expect(face.url(side: 84, base: base)?.absoluteString == "https://clips.example/media/l.jpg")
    #expect(face.url(side: 44, base: nil) == nil)
    #expect(Face(Author(id: "", handle: "", name: "")).letter == "")
  }
}
