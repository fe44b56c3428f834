extension DemoClip {
  /// In the order of publishing. The first is the quickest to make and is alone in the feed while
  /// the others are made; the last ends up on top.
  public static let all: [DemoClip] = [
    hills, silk, sunrise, nightDrive, pond, kaleidoscope, aurora, rain, lavaLamp, mandelbrot, snow,
    spiral, life, starTrails,
  ]
}
