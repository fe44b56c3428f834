import Contract
import Foundation
import Testing

@testable import AppModel

@Suite struct ListPictureTests {
  private let base = URL(string: "https://clips.test/")!
  private static let hash = "1QcSHQRnh493V4dIh4eXh1h4kJUI"

  @Test func theCoverComesBeforeThePoster() {
    var clip = shownClip("a")
    clip.poster.placeholder = Self.hash
    let poster = ListPicture(of: clip, base: base)
    #expect(poster.url?.absoluteString == "https://clips.test/media/a.jpg")
    #expect(poster.blurred == ThumbHash(base64: Self.hash)?.bitmapFile)
    #expect(poster.blurred != nil)
    clip.cover = Cover(url: "/media/cover.jpg", width: 9, height: 16, placeholder: "")
    let cover = ListPicture(of: clip, base: base)
    #expect(cover.url?.absoluteString == "https://clips.test/media/cover.jpg")
    #expect(cover.blurred == nil)
  }

  @Test func anOwnClipThatIsBeingMadeHasNone() {
    var clip = OwnClip(uploadId: "u", state: .processing, createdAt: Date(timeIntervalSince1970: 0))
    #expect(ListPicture(of: clip, base: base).url == nil)
    clip.picture = Cover(url: "/p.jpg", width: 9, height: 16, placeholder: Self.hash)
    #expect(ListPicture(of: clip, base: base).url?.path() == "/p.jpg")
    #expect(ListPicture(of: clip, base: base).blurred != nil)
  }

  @Test func aSoundHasThatOfItsFirstClip() {
    let sound = FoundSound(
      id: "s", clips: 2, author: Author(id: "a", handle: "ann", name: "Ann"), caption: "At the pier",
      poster: Poster(url: "/p.jpg", width: 9, height: 16, placeholder: Self.hash))
    #expect(ListPicture(of: sound, base: base).url?.absoluteString == "https://clips.test/p.jpg")
    #expect(ListPicture(of: sound, base: base).blurred != nil)
  }
}
