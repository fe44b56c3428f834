// The words in which the clips' pictures are written: filter-graph fragments for ffmpeg. `geq`
// costs a formula per pixel and frame, so moving fields are computed small and scaled up, and
// anything large is computed once and then moved.

/// Fragments of ffmpeg filter graphs for pictures.
enum Picture {
  /// Repeats a source's first frame for ever; whatever stands before it is computed for that frame
  /// only.
  static let hold = "trim=end_frame=1,loop=loop=-1:size=1"

  /// A moving grey field, the formula evaluated for each pixel and frame: `X`, `Y`, `W`, `H`, and
  /// `T` in seconds.
  static func field(_ width: Int, _ height: Int, rate: Int = 30, _ formula: String) -> String {
    "color=black:s=\(width)x\(height):r=\(rate),format=gray,geq=lum='\(formula)'"
  }

  /// The part of a field's formula that is the same along a row. Registers keep their values from
  /// pixel to pixel and each thread begins its share at a row's first pixel, so what `st()` stores
  /// here is right for the whole row.
  static func row(_ assignments: String) -> String { "if(X,0,\(assignments));" }

  /// A grey picture whose formula is evaluated once and which then stands still for ever.
  static func still(_ width: Int, _ height: Int, rate: Int = 30, _ formula: String) -> String {
    "\(field(width, height, rate: rate, formula)),\(hold)"
  }

  /// A picture in colour, computed once.
  static func still(_ width: Int, _ height: Int, red: String, green: String, blue: String) -> String {
    "color=black:s=\(width)x\(height):r=30,format=gbrp,trim=end_frame=1,geq=r='\(red)':g='\(green)':b='\(blue)',"
      + "loop=loop=-1:size=1"
  }

  /// A still whose colour depends on the row alone, by stops of (0...1 from the top, 0xRRGGBB).
  static func gradient(_ width: Int, _ height: Int, rate: Int = 30, stops: [(Double, Int)])
    -> String
  {
    func channel(_ shift: Int) -> String {
      ramp(of: "Y", stops.map { ($0.0 * Double(height), Double(($0.1 >> shift) & 0xFF)) })
    }
    return "color=black:s=2x\(height):r=\(rate),format=gbrp,trim=end_frame=1,"
      + "geq=r='\(channel(16))':g='\(channel(8))':b='\(channel(0))',"
      + "scale=\(width):\(height):flags=neighbor,loop=loop=-1:size=1"
  }

  /// A gradient cut to a shape, to lay over another picture. `opacity` is 0...255; `name` is unique
  /// in its graph.
  static func cutout(
    _ name: String, _ width: Int, _ height: Int, rate: Int = 30, stops: [(Double, Int)],
    opacity: String
  ) -> String {
    "\(gradient(width, height, rate: rate, stops: stops))[\(name)Colour];"
      + "\(still(width, height, rate: rate, opacity))[\(name)Shape];"
      + "[\(name)Colour][\(name)Shape]alphamerge,\(hold)"
  }

  /// Scattered single-pixel stars, `rarity` of 1 being none at all.
  static func stars(_ width: Int, _ height: Int, rate: Int = 30, rarity: Double, _ salt: Double)
    -> String
  {
    still(
      width, height, rate: rate,
      "st(0,\(hash("X", "Y", salt)));gt(ld(0),\(rarity))*(60+180*(ld(0)-\(rarity))/\(1 - rarity))*(1-0.6*Y/H)"
    )
      + ",format=gbrp"
  }

  /// An angle that makes `count` whole turns in `seconds`, so that the clip ends where it began.
  static func turns(_ count: Int, in seconds: Int) -> String { "(2*PI*\(count)*T/\(seconds))" }

  /// Pseudo-random 0..<1 from two expressions. `random()` would depend on how many threads share
  /// the frame.
  static func hash(_ a: String, _ b: String, _ salt: Double) -> String {
    "mod(abs(sin((\(a))*12.9898+(\(b))*78.233+\(salt))*43758.5453),1)"
  }

  /// Grey to colour, the stops evenly spread from black to white, blended linearly.
  static func palette(_ colours: Int...) -> String {
    let last = Double(colours.count - 1)
    return palette(stops: colours.enumerated().map { (Double($0.offset) / last, $0.element) })
  }

  /// Grey to colour by stops of (grey 0...1, 0xRRGGBB) in ascending order, the first at 0 and the
  /// last at 1.
  static func palette(stops: [(Double, Int)]) -> String {
    func channel(_ shift: Int) -> String {
      ramp(of: "val", stops.map { ($0.0 * 255, Double(($0.1 >> shift) & 0xFF)) })
    }
    return "format=gbrp,lutrgb=r='\(channel(16))':g='\(channel(8))':b='\(channel(0))'"
  }

  /// Piecewise linear interpolation, flat beyond the last stop.
  private static func ramp(of variable: String, _ stops: [(Double, Double)]) -> String {
    var expression = "\(stops[stops.count - 1].1)"
    for (from, to) in zip(stops, stops.dropFirst()).reversed() {
      let slope = (to.1 - from.1) / (to.0 - from.0)
      expression =
        "if(lt(\(variable),\(to.0)),\(from.1)+(\(variable)-\(from.0))*(\(slope)),\(expression))"
    }
    return expression
  }
}
