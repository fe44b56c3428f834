import Testing

@testable import FFmpeg

@Suite struct ShownFramesTests {
  @Test func bytesThatAreNoPictureWereMeantToBeOne() {
    for codec in ShownFrames.codecs {
      for count in [0, 1, 2, 3, 64] {
        #expect(!ShownFrames.isHidden([UInt8](repeating: 0, count: count), codec: codec))
        #expect(!ShownFrames.isHidden([UInt8](repeating: 0xFF, count: count), codec: codec))
      }
    }
  }
}
