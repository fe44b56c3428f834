import Testing

@testable import FFmpeg
@testable import Generation

/// Which part of a picture a video starts from.
@Suite struct FirstPictureTests {
  @Test(arguments: [(1, 1), (1, 50_000), (50_000, 1), (400, 300), (300, 400), (720, 1280), (8000, 6000)])
  func itIsInsideInTheMiddleAndOfTheShape(_ width: Int, _ height: Int) {
    for aspect in VideoAspect.allCases {
      let size = aspect.startSize
      let part = FirstPictureOutputs.middle(of: (width, height), as: size)
      #expect(part.width >= 1 && part.height >= 1 && part.x >= 0 && part.y >= 0)
      #expect(part.x + part.width <= width && part.y + part.height <= height)
      #expect(part.width == width || part.height == height)
      #expect(abs(width - part.width - 2 * part.x) <= 1 && abs(height - part.height - 2 * part.y) <= 1)
      if min(width, height) > 100 {
        let wanted = Double(size.width) / Double(size.height)
        let found = Double(part.width) / Double(part.height)
        #expect(abs(wanted / found - 1) < 0.01, "\(aspect)")
      }
    }
  }
}
