extension DemoClip {
  static let aurora = DemoClip(
    slug: "aurora", by: .tomas,
    caption:
      "minus nineteen and not one of us wanted to go back inside 💚 #aurora #nightsky #north",
    seconds: 12,
    picture: """
      \(Picture.field(160, 72, """
      \(Picture.row("""
      st(0,Y/H);st(2,\(Picture.turns(1, in: 12)));\
      st(3,W*(0.50+0.07*sin(5*ld(0)+ld(2))+0.05*sin(9*ld(0)-2*ld(2)+1)));\
      st(4,W*(0.36+0.06*sin(7*ld(0)-ld(2)+2)+0.04*sin(4*ld(0)+2*ld(2))));\
      st(5,165+55*sin(31*ld(0)+3*sin(4*ld(0)+ld(2))+ld(2))+30*sin(67*ld(0)-2*ld(2)));\
      st(6,80+31*sin(27*ld(0)-3*sin(3*ld(0)-ld(2))))
      """))\
      min(250,ld(5)*exp(if(lt(X,ld(3)),0.034*(X-ld(3)),0.25*(ld(3)-X)))\
      +ld(6)*exp(if(lt(X,ld(4)),0.044*(X-ld(4)),0.21*(ld(4)-X))))
      """)),transpose=dir=cclock_flip,scale=720:1280:flags=bicubic,format=gbrp[light];
      \(Picture.gradient(720, 1280, stops: [
        (0, 0x6A3FB5), (0.16, 0x5A63C8), (0.31, 0x2FBFA0), (0.44, 0x4DF0A0), (0.52, 0x8CFFC0), (1, 0x8CFFC0),
      ]))[tint];
      [light][tint]blend=all_mode=multiply[curtain];
      \(Picture.gradient(720, 1280, stops: [(0, 0x060C22), (1, 0x123454)]))[night];
      \(Picture.stars(720, 1280, rarity: 0.9988, 3))[stars];
      [night][stars]blend=all_mode=screen,\(Picture.hold)[sky];
      [sky][curtain]blend=all_mode=screen[scene];
      \(Picture.cutout("trees", 720, 350, stops: [(0, 0x040A14), (1, 0x03060C)], opacity: treeLine))[trees];
      [scene][trees]overlay=y=930:format=gbrp
      """,
    sound: Sound.mix(
      Sound.pad([110, 164.81, 220, 277.18, 329.63, 415.3], seconds: 12, level: 0.08),
      Sound.notes([880, 0, 0, 659.26, 0, 0, 1108.73, 0], step: 1.5, decay: 1.6, level: 0.07),
      Sound.noise("pink", filters: "lowpass=f=420", seconds: 12, swells: 1, level: 0.15, seed: 11),
      gain: -1))

  /// Firs along the bottom: triangles of uneven height on a gentle bank, in two ranks.
  private static let treeLine = """
    st(0,floor(X/46));st(1,abs(mod(X,46)-23)/23);st(2,155-40*sin(X/210)-95*\(Picture.hash("ld(0)", "1", 2)));\
    st(3,floor((X+19)/30));st(4,abs(mod(X+19,30)-15)/15);st(5,190-30*sin(X/170+2)-60*\(Picture.hash("ld(3)", "2", 5)));\
    clip(255*max((Y-ld(2)-ld(1)*150-14*mod((Y-ld(2))/26,1)*ld(1))/6,(Y-ld(5)-ld(4)*110)/6),0,255)
    """

  static let sunrise = DemoClip(
    slug: "sunrise", by: .tomas,
    caption:
      "Set the alarm for 4:50 and for once did not snooze it. Sound on for the waves. #sunrise #sea #slowmorning",
    seconds: 12,
    picture: """
      \(Picture.still(360, 360,
        red: "min(255,\(dawn(62, 250))+\(sun(255, 120)))", green: "min(255,\(dawn(70, 168))+\(sun(190, 76)))",
        blue: "min(255,\(dawn(128, 128))+\(sun(90, 20)))")),scale=720:720:flags=bicubic[sky];
      \(Picture.field(48, 140, """
      \(Picture.row("""
      st(1,(Y+3)/H);st(2,\(Picture.turns(1, in: 12)));st(3,7/ld(1));\
      st(6,2.2*ld(3)+3*ld(2));st(7,5.1*ld(3)+5*ld(2)+2);st(8,3.3*ld(3)-4*ld(2));st(9,1/(ld(1)+0.13));\
      st(5,0.09+0.26*ld(1));st(3,2.25/ld(1))
      """))\
      st(0,X/W-0.5);st(4,sin(ld(6)+3*sin(ld(0)*ld(3)+ld(2)))+sin(ld(7)+7*ld(0)*ld(9))+0.8*sin(ld(8)+9*ld(0)*ld(9)));\
      st(0,ld(0)/ld(5));clip(92-58*ld(1)+13*ld(4)+exp(-ld(0)*ld(0))*(48+70*max(ld(4),-0.7)),0,255)
      """)),scale=720:560:flags=bicubic,\(Picture.palette(stops: [
        (0, 0x14233F), (0.2, 0x2C3F66), (0.36, 0x6E5A86), (0.5, 0xC97F83), (0.72, 0xFFB878), (1, 0xFFF1C9),
      ]))[sea];
      [sky][sea]vstack
      """,
    sound: Sound.mix(
      Sound.noise(
        "pink", filters: "lowpass=f=900,highpass=f=90", seconds: 12, swells: 2, level: 0.6, seed: 21
      ),
      Sound.noise(
        "white", filters: "highpass=f=2500,lowpass=f=7000", seconds: 12, swells: 2, level: 0.03,
        seed: 31),
      Sound.pad([146.83, 220, 277.18, 369.99], seconds: 12, level: 0.03),
      gain: 6.5))

  private static func dawn(_ top: Int, _ horizon: Int) -> String {
    "(\(top)+(\(horizon)-\(top))*pow(Y/H,1.5))"
  }

  /// The sun's disc, with a glow of its own colour around it.
  private static func sun(_ disc: Int, _ glow: Int) -> String {
    "(st(0,hypot(X-W/2,Y-H*0.8));\(disc)*clip((34-ld(0))/1.5,0,1)+\(glow)*exp(-ld(0)/70))"
  }

  static let starTrails = DemoClip(
    slug: "star-trails", by: .tomas,
    caption:
      "four hours of one hillside in twelve seconds. everything turns around the one star that won't #startrails "
      + "#longexposure #nightsky",
    seconds: 12,
    picture: """
      \(Picture.still(768, 1472, """
      \(Picture.row("""
      st(0,Y/2);st(1,floor(ld(0)/4));st(2,\(Picture.hash("ld(1)", "3", 1)));st(4,0.25+0.45*\(Picture.hash("ld(1)", "5", 4)));\
      st(5,255*lt(ld(2),0.72)*pow(\(Picture.hash("ld(1)", "9", 6)),1.3)*exp(-pow((mod(ld(0),4)-2)/0.9,2)));\
      st(6,12*max(ld(0),20)/60)
      """))\
      st(3,mod(X/W+7*ld(2),1));ld(5)*clip((ld(4)-ld(3))*ld(6),0,1)*pow(ld(3)/ld(4),0.7)
      """)),scroll=h=0.00277778[arcs];
      color=black:s=720x1280:r=30,format=gray16le,trim=end_frame=1,\
      geq=lum='mod((atan2(Y-620,X-359.5)+PI)*768*6/(2*PI),768)',loop=loop=-1:size=1[angle];
      color=black:s=720x1280:r=30,format=gray16le,trim=end_frame=1,\
      geq=lum='min(1471,2*hypot(Y-620,X-359.5))',loop=loop=-1:size=1[radius];
      [arcs][angle][radius]remap,\(Picture.palette(stops: [
        (0, 0x000000), (0.4, 0x5A78C8), (0.75, 0xCFE0FF), (1, 0xFFF6E0),
      ]))[stars];
      \(Picture.gradient(720, 1280, stops: [
        (0, 0x0B1436), (0.45, 0x1B2B63), (0.7, 0x4A4A8C), (0.84, 0xB9708F), (0.92, 0xF2A27E), (1, 0xF2A27E),
      ]))[sky];
      [sky][stars]blend=all_mode=screen[scene];
      \(Picture.cutout("hill", 720, 280, stops: [(0, 0x141830), (1, 0x0A0C1A)], opacity: """
        clip(255*(Y-110+60*sin(X/130+1)+24*sin(X/47)+9*sin(X/19+2)+70*exp(-pow((X-520)/120,2))),0,255)
        """))[hill];
      [scene][hill]overlay=y=1000:format=gbrp
      """,
    sound: Sound.mix(
      Sound.pad([98, 146.83, 196, 246.94, 293.66], seconds: 12, level: 0.07),
      Sound.notes(
        [587.33, 739.99, 880, 987.77, 880, 739.99, 659.26, 587.33], step: 0.75, decay: 1.3,
        level: 0.09),
      gain: 0))
}
