extension DemoClip {
  static let silk = DemoClip(
    slug: "silk", by: .mira,
    caption:
      "Four sine waves and a sunset palette. I could watch fabric that isn't there all day. #generative #colour #calm",
    seconds: 10, width: 1080, height: 1920,
    picture: """
      \(Picture.field(72, 128, """
      \(Picture.row("""
      st(1,Y/H);st(2,\(Picture.turns(1, in: 10)));st(3,7.5*ld(1));st(4,ld(2)+1.2*sin(3.4*ld(1)-ld(2)));st(5,-3.2*ld(1)-ld(2))
      """))\
      st(0,X/W);127.5+127*sin(ld(3)+2.0*sin(2.4*ld(0)+ld(4))+1.5*sin(4.3*ld(0)+ld(5)))
      """)),\(Picture.palette(0x231942, 0x5E3A78, 0xA24B83, 0xE86F7C, 0xFFA577, 0xFFE3B8))
      """,
    sound: Sound.mix(
      Sound.pad([130.81, 196, 246.94, 329.63, 392], seconds: 10, level: 0.07),
      Sound.notes(
        [523.25, 659.26, 783.99, 987.77, 880], step: 1, decay: 1.5, bell: 0.5, level: 0.1), gain: 0)
  )

  static let lavaLamp = DemoClip(
    slug: "lava-lamp", by: .mira,
    caption:
      "the lamp from my grandmother's hallway, from memory 🧡 #lavalamp #seventies #generative",
    seconds: 10, width: 1080, height: 1920,
    picture: """
      \(Picture.field(72, 128, """
      \(Picture.row("""
      st(0,Y/H*16/9);st(9,\(Picture.turns(1, in: 10)));\
      \(blob(1, "0.50+0.18*sin(ld(9))", "0.90+0.60*sin(ld(9)+0.4)"))\
      \(blob(2, "0.30+0.12*sin(ld(9)+2)", "0.80+0.66*cos(ld(9)+2)"))\
      \(blob(3, "0.70+0.10*cos(ld(9))", "0.95+0.62*sin(ld(9)+3.4)"))\
      \(blob(4, "0.48+0.24*sin(2*ld(9)+1)", "0.95+0.50*cos(ld(9)+4.6)"))\
      st(9,0.035/(0.03+pow(1.82-ld(0),2))+0.02/(0.02+ld(0)*ld(0)))
      """))\
      st(0,X/W);min(255,80*(ld(9)+\(pull(1, 0.055))+\(pull(2, 0.034))+\(pull(3, 0.042))+\(pull(4, 0.022))))
      """)),scale=540:960:flags=bicubic,\(Picture.palette(stops: [
        (0, 0x2B0B45), (0.3, 0x5B1657), (0.485, 0x9C2A63), (0.515, 0xF2553D), (0.7, 0xFF8A3D), (1, 0xFFD27A),
      ]))
      """,
    sound: Sound.mix(
      Sound.notes(
        [110, 0, 164.81, 0, 196, 0, 164.81, 0], step: 0.3125, decay: 3.5, bell: 0.4, level: 0.3),
      Sound.notes(
        [440, 523.25, 0, 659.26, 0, 783.99, 659.26, 0], step: 0.625, decay: 2.4, bell: 1.6,
        level: 0.12),
      Sound.pad([220, 261.63, 329.63, 392], seconds: 10, level: 0.035), gain: 0))

  /// Keeps a blob's x in register `index` and, for the row, the square of its distance in y four
  /// registers on.
  private static func blob(_ index: Int, _ x: String, _ y: String) -> String {
    "st(\(index),\(x));st(\(index + 4),0.012+pow(ld(0)-(\(y)),2));"
  }

  private static func pull(_ index: Int, _ size: Double) -> String {
    "\(size)/(ld(\(index + 4))+(ld(0)-ld(\(index)))*(ld(0)-ld(\(index))))"
  }

  static let kaleidoscope = DemoClip(
    slug: "kaleidoscope", by: .mira,
    caption:
      "Cleaned out a drawer, found my old kaleidoscope, lost the afternoon. #kaleidoscope #pattern #satisfying",
    seconds: 10,
    // One quarter is computed and mirrored twice; the folded angle supplies the other mirrors.
    picture: """
      \(Picture.field(63, 112, """
      \(Picture.row("st(2,\(Picture.turns(1, in: 10)));st(6,(H-Y)/W)"))\
      st(1,1-X/W);st(0,hypot(ld(1),ld(6)));st(1,abs(mod(atan2(ld(6),ld(1)),PI/4)-PI/8));\
      st(3,ld(0)*cos(ld(1)));st(4,ld(0)*sin(ld(1)));\
      st(5,sin(7*ld(3)-2*ld(2)+1.5*sin(8*ld(4)+ld(2)))+sin(11*ld(4)+2*ld(2)+1.2*sin(5*ld(3)-ld(2)))\
      +0.7*sin(14*ld(0)-3*ld(2)));127.5+127*sin(ld(5))
      """)),split[q0][q1];[q1]hflip[q2];[q0][q2]hstack,split[h0][h1];[h1]vflip[h2];[h0][h2]vstack,\
      scale=720:1280:flags=bicubic,\(Picture.palette(0x0F3057, 0x00727A, 0x3FB8A0, 0xF6E7C1, 0xF4A261, 0xD1495B, 0x5B2A62))
      """,
    sound: Sound.mix(
      Sound.notes(
        [783.99, 1046.5, 1174.66, 1567.98, 1318.51, 1174.66, 1046.5, 880], step: 0.3125, decay: 2.6,
        bell: 1.8, level: 0.1),
      Sound.notes(
        [261.63, 0, 196, 0, 220, 0, 174.61, 196], step: 1.25, decay: 0.9, bell: 0.3, level: 0.2),
      gain: 1.5))
}
