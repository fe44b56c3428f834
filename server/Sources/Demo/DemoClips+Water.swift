extension DemoClip {
  static let pond = DemoClip(
    slug: "pond", by: .lowtide,
    caption:
      "recorded every drip in the courtyard, then tuned them. you can hear which one is flat 💧 #fieldrecording "
      + "#water #ambient",
    seconds: 10,
    picture: """
      \(Picture.field(54, 96, """
      \(Picture.row("""
      st(1,Y/W);st(2,\(Picture.turns(1, in: 10)));st(3,mod(T,2.5));st(4,floor(T/2.5));\
      st(6,ld(1)-\(byDrop(0.55, 1.10, 1.42, 0.30)));st(6,ld(6)*ld(6));\
      st(7,ld(1)-\(byDrop(0.30, 0.55, 1.10, 1.42)));st(7,ld(7)*ld(7));\
      st(8,3*ld(1)+ld(2)+sin(5*ld(1)-ld(2)));\
      st(1,\(byDrop(0.32, 0.72, 0.40, 0.66)));st(5,\(byDrop(0.66, 0.32, 0.72, 0.40)));\
      st(4,95*exp(-0.4*ld(3))*min(1,5*ld(3)));st(9,95*exp(-0.4*ld(3)-1)*min(1,2.5-ld(3)))
      """))\
      st(0,X/W);clip(150-62*Y/W+12*(sin(6*ld(0)+ld(8))+sin(2*ld(8)-4*ld(0)))\
      +ld(4)*\(ring(x: 1, row: 6, age: "ld(3)"))+ld(9)*\(ring(x: 5, row: 7, age: "(ld(3)+2.5)")),0,255)
      """)),scale=720:1280:flags=bicubic,\(Picture.palette(stops: [
        (0, 0x06323F), (0.3, 0x0F6070), (0.5, 0x2E9C99), (0.68, 0x8FD6BF), (0.85, 0xE6F7DC), (1, 0xFFFFFF),
      ]))
      """,
    sound: Sound.mix(
      Sound.notes([587.33, 880, 739.99, 1174.66], step: 2.5, decay: 2.0, bell: 0.7, level: 0.3),
      Sound.notes(
        [0, 293.66, 0, 369.99, 0, 440, 0, 329.63], step: 1.25, decay: 1.2, bell: 0.2, level: 0.12),
      Sound.noise(
        "pink", filters: "bandpass=f=700:width_type=o:w=2", seconds: 10, level: 0.08, seed: 41),
      gain: 3))

  /// A drop falls every 2.5 seconds; the value that belongs to the one now falling, of the four.
  private static func byDrop(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> String {
    "if(lt(ld(4),1),\(a),if(lt(ld(4),2),\(b),if(lt(ld(4),3),\(c),\(d))))"
  }

  /// The waves of one drop, in a ring that widens and dies within five seconds: two drops are alive
  /// at a time. Registers: where it fell in `x`, the squared distance along y in `row`.
  private static func ring(x: Int, row: Int, age: String) -> String {
    "(st(2,ld(0)-ld(\(x)));st(2,sqrt(ld(2)*ld(2)+ld(\(row)))-0.21*\(age));"
      + "if(lt(abs(ld(2)),0.3),sin(46*ld(2))*exp(-90*ld(2)*ld(2)),0))"
  }

  static let rain = DemoClip(
    slug: "rain-on-glass", by: .noor,
    caption:
      "last tram home. missed my stop on purpose to stay in the warm a little longer #rain #citylights #cosy",
    seconds: 12,
    picture: """
      \(Picture.still(180, 320, red: lights(255, 120, 70, 40), green: lights(165, 90, 150, 38),
        blue: lights(80, 170, 200, 76))),gblur=sigma=2.5,\(Picture.hold),scale=360:640:flags=bicubic,\
      hue=h='10*sin(2*PI*t/12)':b='0.2+0.3*sin(4*PI*t/12)',format=gbrp[city];
      \(Picture.still(360, 640, droplet("X", centre: "ld(2)", scale: 9)))[beadsX];
      \(Picture.still(360, 640, droplet("Y", centre: "ld(3)", scale: 9)))[beadsY];
      \(Picture.still(360, 720, runner("(X-ld(2))*7"))),scroll=v=-0.0027778[runX];
      \(Picture.still(360, 720, runner("(Y-ld(3))*3.2"))),scroll=v=-0.0027778[runY];
      [runX]crop=360:640:0:40[slideX];[runY]crop=360:640:0:40[slideY];
      [beadsX][slideX]blend=all_mode=grainmerge,format=gbrp[mapX];
      [beadsY][slideY]blend=all_mode=grainmerge,format=gbrp,split[mapY][shade];
      [city][mapX][mapY]displace=edge=mirror[glass];
      [glass][shade]blend=all_mode=softlight:all_opacity=0.6
      """,
    sound: Sound.mix(
      Sound.noise(
        "white", filters: "highpass=f=900,lowpass=f=5200", seconds: 12, level: 0.07, seed: 51),
      Sound.noise("brown", filters: "lowpass=f=500", seconds: 12, swells: 1, level: 0.35, seed: 61),
      Sound.notes(
        [329.63, 0, 493.88, 587.33, 0, 739.99, 0, 493.88], step: 0.75, decay: 1.5, bell: 0.8,
        level: 0.16),
      Sound.notes([82.41, 110, 123.47, 110], step: 3, decay: 0.7, bell: 0.3, level: 0.2),
      gain: 1.5))

  /// Out-of-focus lamps on two grids: warm ones and cool ones, on a dark street that is a little
  /// `base`.
  private static func lights(_ warm: Int, _ cool: Int, _ far: Int, _ base: Int) -> String {
    func lamps(_ cell: Int, _ radius: Double, _ salt: Double) -> String {
      "(st(0,floor(X/\(cell)));st(1,floor(Y/\(cell)));"
        + "st(2,\(cell)*(ld(0)+0.3+0.4*\(Picture.hash("ld(0)", "ld(1)", salt))));"
        + "st(3,\(cell)*(ld(1)+0.3+0.4*\(Picture.hash("ld(1)", "ld(0)", salt + 2))));"
        + "clip(\(radius)-hypot(X-ld(2),Y-ld(3)),0,1)*gt(\(Picture.hash("ld(0)", "ld(1)", salt + 5)),0.35)"
        + "*(0.35+0.65*\(Picture.hash("ld(0)", "ld(1)", salt + 7))))"
    }
    return "min(255,\(base)*(0.7+0.8*Y/H)+1.05*\(warm)*\(lamps(45, 12, 2))*(0.55+0.45*Y/H)"
      + "+0.75*\(cool)*\(lamps(36, 9.5, 15))+0.6*\(far)*\(lamps(60, 17, 28))*(1-0.6*Y/H))"
  }

  /// Standing beads of water as a displacement along one axis: each a small lens that turns the
  /// street upside down.
  private static func droplet(_ axis: String, centre: String, scale: Int) -> String {
    "st(0,floor(X/20));st(1,floor(Y/20));st(2,20*(ld(0)+0.2+0.6*\(Picture.hash("ld(0)", "ld(1)", 1))));"
      + "st(3,20*(ld(1)+0.2+0.6*\(Picture.hash("ld(1)", "ld(0)", 4))));"
      + "st(4,2+5*pow(\(Picture.hash("ld(0)", "ld(1)", 7)),2));"
      + "clip(128-\(scale)*(\(axis)-\(centre))*lt(hypot(X-ld(2),Y-ld(3)),ld(4)),20,236)"
  }

  /// Drops that run down, taller than wide. The texture repeats every 720 rows so that it may
  /// scroll for ever.
  private static func runner(_ offset: String) -> String {
    "st(0,floor(X/60));st(5,mod(Y+360*\(Picture.hash("ld(0)", "7", 3)),720));st(1,floor(ld(5)/360));"
      + "st(2,60*(ld(0)+0.3+0.4*\(Picture.hash("ld(0)", "ld(1)", 9))));"
      + "st(3,Y+180-mod(ld(5),360));"
      + "clip(128-\(offset)*lt(hypot(X-ld(2),(Y-ld(3))*if(lt(Y,ld(3)),0.35,0.8)),7+4*\(Picture.hash("ld(0)", "ld(1)", 2))),10,246)"
  }

  static let snow = DemoClip(
    slug: "snow", by: .lowtide,
    caption: "No sound on this one. That's the point of snow. 🤍 #snow #quiet #winterwalk",
    seconds: 12,
    picture: """
      \(Picture.still(180, 320, red: winterSky(24, 120, 255), green: winterSky(38, 142, 240),
        blue: winterSky(78, 182, 210))),scale=720:1280:flags=bicubic[sky];
      \(Picture.cutout("moon", 120, 120, stops: [(0, 0xFFFFFF), (1, 0xE9F0FF)],
        opacity: "255*clip((56-hypot(X-60,Y-60))/2,0,1)"))[moon];
      \(Picture.cutout("far", 720, 500, stops: [(0, 0x46608C), (1, 0x40547E)], opacity: firs(38, 120, 120, 3)))[far];
      \(Picture.cutout("near", 720, 500, stops: [(0, 0x26375F), (1, 0x1C2848)], opacity: firs(74, 220, 240, 8)))[near];
      \(Picture.cutout("ground", 720, 200, stops: [(0, 0xE4ECFA), (1, 0xA9BADC)],
        opacity: "clip(255*(Y-50+22*sin(X/150+1)+9*sin(X/61)),0,255)"))[ground];
      [sky][moon]overlay=x=460:y=230[w0];[w0][far]overlay=y=680[w1];[w1][near]overlay=y=680[w2];\
      [w2][ground]overlay=y=1080,format=gbrp,\(Picture.hold)[wood];
      \(Picture.still(720, 1440, flakes(36, 1.5, 170, 4))),scroll=v=-0.0013889:h=0[f0];
      \(Picture.still(360, 720, flakes(45, 1.6, 210, 9))),scale=720:1440:flags=bicubic,\(Picture.hold),\
      scroll=v=-0.0027778:h=0.0027778[f1];
      \(Picture.still(360, 720, flakes(120, 4, 150, 13))),scale=720:1440:flags=bicubic,\(Picture.hold),\
      scroll=v=-0.0055556:h=0.0027778[f2];
      [f0][f1]blend=all_mode=screen[f3];[f3][f2]blend=all_mode=screen,crop=720:1280:0:80,format=gbrp[flakes];
      [wood][flakes]blend=all_mode=screen
      """,
    sound: nil)

  private static func winterSky(_ top: Int, _ horizon: Int, _ moon: Int) -> String {
    "min(255,\(top)+(\(horizon)-\(top))*pow(Y/H,0.9)+\(moon)*0.28*exp(-hypot(X-130,Y-72.5)/32))"
  }

  /// A rank of firs, `width` apart, their tops at most `rise` above `foot`.
  private static func firs(_ width: Int, _ foot: Int, _ rise: Int, _ salt: Double) -> String {
    "st(0,floor(X/\(width)));st(1,abs(mod(X,\(width))-\(width)/2)/(\(width)/2));"
      + "st(2,Y-\(foot)+\(rise)*\(Picture.hash("ld(0)", "1", salt)));"
      + "clip(60*(ld(2)-ld(1)*(\(rise)*1.5)*(0.75+0.35*mod(ld(2)/34,1))),0,255)"
  }

  /// One soft flake in each square of side `cell`.
  private static func flakes(_ cell: Int, _ radius: Double, _ brightness: Int, _ salt: Double)
    -> String
  {
    "st(0,floor(X/\(cell)));st(1,floor(Y/\(cell)));"
      + "st(2,\(cell)*(ld(0)+0.15+0.7*\(Picture.hash("ld(0)", "ld(1)", salt))));"
      + "st(3,\(cell)*(ld(1)+0.15+0.7*\(Picture.hash("ld(1)", "ld(0)", salt + 1))));"
      + "\(brightness)*(0.4+0.6*\(Picture.hash("ld(0)", "ld(1)", salt + 2)))"
      + "*exp(-pow(hypot(X-ld(2),Y-ld(3))/\(radius),2))"
  }
}
