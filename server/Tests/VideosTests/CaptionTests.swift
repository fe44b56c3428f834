import Testing

@testable import Videos

@Suite struct CaptionTests {
  @Test(arguments: [
    ("IMG_2041-at the pier.mp4", "IMG 2041 at the pier"), ("a\u{202E}gpj.mp4", "agpj"), ("x\r\ny.mp4", "x y"),
    (".mp4", ".mp4"), ("noextension", "noextension"), ("👩‍👩‍👧 family.mov", "👩‍👩‍👧 family"), ("%00.mp4", "%00"),
  ])
  func captionsFromFileNamesAreCleanText(_ name: String, _ caption: String) {
    #expect(Caption.derived(from: name) == caption)
  }
}
