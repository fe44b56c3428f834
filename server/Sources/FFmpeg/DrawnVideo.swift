internal import Foundation
internal import Generation
internal import Platform

extension VideoAspect {
  /// As other makers of videos have it too.
  var drawnSize: (width: Int, height: Int) {
    switch self {
    case .portrait: (720, 1280)
    case .square: (720, 720)
    case .landscape: (1280, 720)
    }
  }
}

/// A moving picture that ffmpeg draws from the words of a prompt: for each a shape with a colour, a size and
/// a way of its own, over colours that all of them together have or over the picture to start from, and a
/// chord. The same prompt gives the same picture on the same build of ffmpeg.
///
/// It is no model's work and says so: in the picture, and in the file. Nothing of the prompt but numbers made
/// of it reaches ffmpeg.
struct DrawnVideo {
  /// More words than a picture has room for change its colours alone.
  private static let mostShapes = 6
  private static let rate = 30

  let prompt: String
  let seconds: Int
  let aspect: VideoAspect
  let hasPicture: Bool

  init(_ request: VideoRequest) {
    (prompt, seconds, aspect) = (request.prompt, request.seconds, request.aspect)
    hasPicture = request.picture != nil
  }

  /// Without the program's name. `picture`: a JPEG, where it has one.
  func arguments(to file: URL, from picture: URL? = nil) -> [String] {
    var first = ["-hide_banner", "-nostdin", "-v", "error", "-y"]
    first += ["-progress", "pipe:1", "-stats_period", "0.5"]
    if let picture {
      first += ["-protocol_whitelist", "file", "-framerate", "\(Self.rate)", "-f", "jpeg_pipe"]
      first += ["-c:v", "mjpeg", "-i", "file:" + picture.path]
    }
    let rest: [String] = [
      "-filter_complex", graph, "-map", "[picture]", "-map", "[sound]",
      // A source that is converted anyway: speed counts, size hardly.
      "-c:v", "libx264", "-preset", "ultrafast", "-crf", "23", "-maxrate", "6M", "-bufsize", "9M",
      "-r", "\(Self.rate)", "-g", "\(Self.rate * 2)", "-c:a", "aac", "-b:a", "128k",
      "-t", "\(seconds)", "-fflags", "+bitexact", "-flags", "+bitexact", "-movflags", "+faststart",
      "-metadata", "title=Demonstration",
      "-metadata", "comment=Drawn by ffmpeg from the words of a prompt. No model made it.",
      "-f", "mp4", "file:" + file.path,
    ]
    return first + rest
  }

  /// A line of `-progress`.
  func permille(in line: Substring) -> Int? {
    guard let rest = line.rest(behind: "out_time_us="), let done = Double(String(rest)), done.isFinite else {
      return nil
    }
    return Int(clamping: done / Double(seconds) / 1000, to: 0...1000)
  }

  // MARK: The graph

  var graph: String {
    let words = Self.words(of: prompt)
    let all = FNV1a.hash(words.joined(separator: " "))
    var parts = [hasPicture ? picture : background(all)]
    for (number, word) in words.prefix(Self.mostShapes).enumerated() {
      let hash = FNV1a.hash(word)
      parts += [shape(hash, number), "[b\(number)][s\(number)]\(way(hash))[b\(number + 1)]"]
    }
    let last = "[b\(min(words.count, Self.mostShapes))]"
    let corner = "overlay=x=\(unit * 2):y=H-h-\(unit * 2):shortest=1"
    parts += [label, "\(last)[label]\(corner),format=yuv420p,setsar=1[picture]", sound(words)]
    return parts.joined(separator: ";")
  }

  private var size: (width: Int, height: Int) { aspect.drawnSize }
  private var unit: Int { min(size.width, size.height) / 60 }

  /// Computed small, since every pixel of every frame is.
  private func background(_ hash: UInt64) -> String {
    let (width, height) = (size.width / 4, size.height / 4)
    let hue = Self.part(hash, 0, 360)
    let colours = [0, 40, 200].enumerated().map { number, turn in
      "c\(number)=\(Self.colour(hue: (hue + turn) % 360, light: 45 - number * 12))"
    }
    let source = "gradients=s=\(width)x\(height):r=\(Self.rate):d=\(seconds)"
    return "\(source):\(colours.joined(separator: ":")):nb_colors=3"
      + ":x0=0:y0=0:x1=\(width):y1=\(height):seed=\(Self.part(hash, 9, 1000)):speed=0.01"
      + ",scale=\(size.width):\(size.height):flags=bicubic,format=yuv420p[b0]"
  }

  /// The first picture in the place of the colours: once, and then the same for as long as it lasts.
  private var picture: String {
    let (width, height) = size
    return "[0:v:0]trim=end_frame=1,scale=\(width):\(height):flags=bicubic"
      + ":force_original_aspect_ratio=increase:out_range=tv,crop=\(width):\(height),format=yuv420p,setsar=1,loop=loop=-1:size=1"
      + ",trim=duration=\(seconds)[b0]"
  }

  /// Computed once, and then moved.
  private func shape(_ hash: UInt64, _ number: Int) -> String {
    let side = unit * (8 + Self.part(hash, 8, 10))
    let rgb = Self.rgb(hue: Self.part(hash, 16, 360), light: 62)
    let (x, y, half) = ("abs(X-W/2)", "abs(Y-H/2)", "(W/2-2)")
    let inside = [
      "lt(hypot(\(x),\(y)),\(half))", "lt(\(x)+\(y),\(half))", "lt(max(\(x),\(y)),\(half)*0.8)",
      "between(hypot(\(x),\(y)),\(half)*0.6,\(half))",
    ][Self.part(hash, 24, 4)]
    return "color=c=black:s=\(side)x\(side):r=\(Self.rate),trim=end_frame=1,format=gbrap"
      + ",geq=r='\(rgb.red)':g='\(rgb.green)':b='\(rgb.blue)':a='220*\(inside)'"
      + ",format=yuva420p,loop=loop=-1:size=1[s\(number)]"
  }

  /// Whole turns, so that it ends where it began and loops.
  private func way(_ hash: UInt64) -> String {
    func swing(_ turns: Int, _ phase: Int) -> String {
      "(0.5+0.5*sin(2*PI*(\(turns)*t/\(seconds)+\(phase)/100)))"
    }
    let x = swing(1 + Self.part(hash, 32, 2), Self.part(hash, 36, 100))
    let y = swing(1 + Self.part(hash, 44, 3), Self.part(hash, 48, 100))
    return "overlay=x='(W-w)*\(x)':y='(H-h)*\(y)':shortest=1"
  }

  /// "DEMO", of boxes: no font is needed for it.
  private var label: String {
    let rows = [
      "#### ##### #   #  ### ", "#  # #     ## ## #   #", "#  # ####  # # # #   #", "#  # #     #   # #   #",
      "###  ##### #   #  ### ",
    ]
    let cell = max(2, unit / 3)
    var boxes: [String] = []
    for (y, row) in rows.enumerated() {
      for (x, mark) in row.utf8.enumerated() where mark == UInt8(ascii: "#") {
        boxes.append("drawbox=x=\((x + 2) * cell):y=\((y + 2) * cell):w=\(cell):h=\(cell):color=white:t=fill")
      }
    }
    let (width, height) = ((rows[0].utf8.count + 4) * cell, (rows.count + 4) * cell)
    return "color=c=0x101010:s=\(width)x\(height):r=\(Self.rate),trim=end_frame=1,format=rgb24,"
      + boxes.joined(separator: ",") + ",format=yuv420p,loop=loop=-1:size=1[label]"
  }

  /// Three voices that swell, of whole periods.
  private func sound(_ words: [String]) -> String {
    let steps = [1, 1.125, 1.25, 1.5, 5.0 / 3]
    let voices = (0..<3).map { number -> String in
      let hash = FNV1a.hash(words[number % words.count])
      let hertz = 110 * Double(1 << number) * steps[Self.part(hash, 52, 5)]
      let whole = (hertz * Double(seconds)).rounded() / Double(seconds)
      return "(0.6+0.4*sin(2*PI*\(number + 1)*t/\(seconds)))*sin(2*PI*\(whole)*t)"
    }
    let sum = "0.12*(\(voices.joined(separator: "+")))"
    return "aevalsrc='\(sum)|\(sum)':c=stereo:s=48000:d=\(seconds)[sound]"
  }

  // MARK: Numbers of words

  /// Letters and digits of any script; where there are none, each scalar is a word. At least one.
  static func words(of prompt: String) -> [String] {
    let scalars = prompt.lowercased().unicodeScalars
    let words = scalars.split { !($0.properties.isAlphabetic || $0.properties.numericType != nil) }
      .map { String(String.UnicodeScalarView($0)) }
    if !words.isEmpty { return words }
    let single = scalars.filter { !$0.properties.isWhitespace }.map { String($0) }
    return single.isEmpty ? ["nothing"] : single
  }

  /// A number below `count`, from the bits behind `shift`.
  private static func part(_ hash: UInt64, _ shift: UInt64, _ count: UInt64) -> Int {
    Int(truncatingIfNeeded: (hash >> shift) % count)
  }

  private static func rgb(hue: Int, light: Int) -> (red: Int, green: Int, blue: Int) {
    // HSL with a saturation of 70 per cent.
    let chroma = (100 - abs(2 * light - 100)) * 70 / 100
    func channel(_ turn: Int) -> Int {
      let distance = abs((hue + turn) % 360 - 180)
      let level = max(0, min(60, distance - 60)) * chroma / 60
      return (light * 2 - chroma + level * 2) * 255 / 200
    }
    return (channel(0), channel(240), channel(120))
  }

  private static func colour(hue: Int, light: Int) -> String {
    let rgb = rgb(hue: hue, light: light)
    return "0x" + ContentHash.hex([rgb.red, rgb.green, rgb.blue].map { UInt8(clamping: $0) })
  }
}
