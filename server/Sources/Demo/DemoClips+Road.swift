extension DemoClip {
  static let hills = DemoClip(
    slug: "hills", by: .noor,
    caption:
      "window seat, 6:40 train, nobody talking. best part of my week honestly #trainwindow #goldenhour #hills",
    seconds: 12,
    // Each rank moves a whole number of pixels a frame and comes round to its start in 360 frames.
    picture: """
      \(Picture.still(180, 320, red: eveningSky(88, 255), green: eveningSky(112, 190),
        blue: eveningSky(170, 150))),scale=720:1280:flags=bicubic,format=gbrp[sky];
      \(Picture.cutout("sun", 190, 190, stops: [(0, 0xFFF3C4), (1, 0xFFDB9C)],
        opacity: "255*clip((92-hypot(X-95,Y-95))/2,0,1)"))[sun];
      \(rank("r0", 0xD9A08F, 0xF3C9A5, height: 360, "46*sin(2*PI*X/720)+26*sin(6*PI*X/720+1)+4*sin(22*PI*X/720)", pixels: 1))[r0];
      \(rank("r1", 0xA9718A, 0xDFA596, height: 360, "54*sin(4*PI*X/720+2)+20*sin(10*PI*X/720)+3*sin(34*PI*X/720)", pixels: 2))[r1];
      \(rank("r2", 0x6B4C7C, 0xB27A8E, height: 360, "60*sin(2*PI*X/720+4)+22*sin(8*PI*X/720+1)+4*sin(38*PI*X/720)", pixels: 4))[r2];
      \(rank("r3", 0x33305C, 0x5A4674, height: 320, "30*sin(4*PI*X/720)+\(pines)", pixels: 8))[r3];
      [sky][sun]overlay=x=375:y=465,format=gbrp,\(Picture.hold)[s0];[s0][r0]overlay=y=590:format=gbrp[s1];
      [s1][r1]overlay=y=680:format=gbrp[s2];[s2][r2]overlay=y=800:format=gbrp[s3];[s3][r3]overlay=y=960:format=gbrp
      """,
    sound: Sound.mix(
      Sound.noise("brown", filters: "lowpass=f=300", seconds: 12, level: 0.35, seed: 71),
      Sound.notes(
        [
          196, 293.66, 392, 493.88, 440, 392, 293.66, 246.94, 164.81, 246.94, 329.63, 493.88, 392,
          329.63, 246.94,
          293.66,
        ],
        step: 0.375, decay: 2.0, bell: 0.6, level: 0.2),
      gain: -1))

  private static func eveningSky(_ top: Int, _ horizon: Int) -> String {
    "min(255,\(top)+(\(horizon)-\(top))*pow(min(1,Y/190),1.2)+40*exp(-hypot(X-117.5,Y-140)/43))"
  }

  private static let pines = "60*\(Picture.hash("floor(X/24)", "1", 2))*(1-abs(mod(X,24)-12)/12)"

  /// A rank of hills whose line is 100 pixels down less `rise`: dark at its crest, misty below,
  /// moving `pixels` a frame.
  private static func rank(
    _ name: String, _ crest: Int, _ mist: Int, height: Int, _ rise: String, pixels: Int
  ) -> String {
    Picture.cutout(
      name, 720, height, stops: [(0, crest), (0.27, crest), (1, mist)],
      opacity: "clip(255*(Y-100+\(rise)),0,255)")
      + ",format=gbrap,scroll=h=\(Double(pixels) / 720)"
  }

  static let nightDrive = DemoClip(
    slug: "night-drive", by: .kenji,
    caption: "120 bpm, empty highway, one more lap before bed 🌴 #synthwave #loop #nightdrive",
    seconds: 8, framesPerSecond: 60,
    // The lines across the road differ only by row, so one narrow column is computed and stretched.
    picture: """
      \(Picture.gradient(720, 640, rate: 60, stops: [
        (0, 0x150A32), (0.55, 0x6A1A78), (0.85, 0xE2557F), (1, 0xFFA07A),
      ]))[dusk];
      \(Picture.stars(720, 640, rate: 60, rarity: 0.999, 4))[stars];
      \(Picture.cutout("sun", 400, 400, rate: 60, stops: [(0, 0xFFF0A0), (0.45, 0xFFB35C), (1, 0xFF3F8E)], opacity: """
        255*clip((196-hypot(X-200,Y-200))/1.5,0,1)*clip(1+(mod(Y,34)-32+22*(Y-190)/210)*-1*gt(Y,190),0,1)
        """))[sun];
      [dusk][stars]blend=all_mode=screen[heaven];[heaven][sun]overlay=x=160:y=210,format=gbrp,\(Picture.hold)[sky];
      \(Picture.field(2, 640, rate: 60, """
      st(0,Y+10);st(1,mod(2400/ld(0)+2*T,1));st(1,min(ld(1),1-ld(1))*ld(0)*ld(0)/2400);\
      (210*exp(-pow(ld(1)/(0.8+Y/260),2))+70*exp(-ld(1)/(2+Y/40)))*clip(ld(0)*ld(0)/2400/10,0,1)
      """)),scale=720:640:flags=neighbor[across];
      \(Picture.still(720, 640, rate: 60, """
      st(0,(Y+10)/650);st(1,(X-360)/170/ld(0));st(1,abs(ld(1)-round(ld(1)))*170*ld(0));\
      (210*exp(-pow(ld(1)/(0.8+Y/260),2))+70*exp(-ld(1)/(2+Y/40)))*clip(ld(0)*6,0.15,1)
      """))[along];
      [across][along]blend=all_mode=screen,\(Picture.palette(stops: [
        (0, 0x170B33), (0.35, 0x6A1B8A), (0.7, 0xE83FB8), (1, 0xFFD0F5),
      ]))[grid];
      \(Picture.gradient(720, 640, rate: 60, stops: [
        (0, 0xFF8A7E), (0.03, 0xC04A90), (0.12, 0x5A2278), (0.3, 0x1C0A40), (0.6, 0x000000), (1, 0x000000),
      ]))[haze];
      [grid][haze]blend=all_mode=screen[road];
      [sky][road]vstack
      """,
    sound: Sound.mix(
      Sound.beat(120),
      Sound.notes(
        [55, 55, 110, 55, 55, 110, 55, 82.41], step: 0.25, decay: 7, bell: 1.6, level: 0.22),
      Sound.notes(
        [
          440, 0, 523.25, 659.26, 0, 523.25, 783.99, 0, 349.23, 0, 440, 523.25, 0, 659.26, 587.33,
          0,
        ], step: 0.25,
        decay: 3, bell: 1.4, level: 0.1),
      Sound.pad([220, 261.63, 329.63], seconds: 8, level: 0.03), gain: -2))

  static let spiral = DemoClip(
    slug: "spiral", by: .kenji,
    caption:
      "made this to stare at while the kettle boils. it never gets anywhere and neither do i #loop #oddlysatisfying",
    seconds: 8,
    // The formula bends a flat checkerboard into a spiral once, as a map; after that only the flat
    // board moves.
    picture: """
      \(Picture.still(512, 512, red: board(244, 38, 250), green: board(226, 70, 176), blue: board(196, 110, 120))),\
      scroll=v=0.00416667:h=0.00416667[board];
      color=black:s=720x1280:r=30,trim=end_frame=1,format=gray16le,geq=lum='\
      st(0,hypot(X-359.5,Y-639.5)+0.01);mod(4096+1024*atan2(Y-639.5,X-359.5)/(2*PI)+512*log(ld(0))/PI,512)',\
      loop=loop=-1:size=1[mapX];
      color=black:s=720x1280:r=30,trim=end_frame=1,format=gray16le,geq=lum='\
      st(0,hypot(X-359.5,Y-639.5)+0.01);mod(8192+1024*log(ld(0))*2/PI-512*atan2(Y-639.5,X-359.5)/PI,512)',\
      loop=loop=-1:size=1[mapY];
      [board][mapX][mapY]remap[turning];
      \(Picture.still(720, 1280, red: centre(255), green: centre(236), blue: centre(200)))[glow];
      [turning][glow]blend=all_mode=screen
      """,
    sound: Sound.mix(
      Sound.beat(90, level: 0.36),
      Sound.notes(
        [293.66, 349.23, 440, 523.25, 440, 349.23], step: 0.333333333, decay: 3, bell: 1,
        level: 0.14),
      Sound.pad([146.83, 174.61, 220], seconds: 8, level: 0.06), gain: -0.5))

  /// Rounded squares of `light` and `dark`, every other dark one of `accent`.
  private static func board(_ light: Int, _ dark: Int, _ accent: Int) -> String {
    "st(1,clip(0.5+30*sin(2*PI*X/256)*sin(2*PI*Y/256),0,1));st(2,mod(floor(X/256)+floor(Y/256),2));"
      + "\(light)*ld(1)+(1-ld(1))*(\(dark)+(\(accent)-\(dark))*ld(2))"
  }

  private static func centre(_ level: Int) -> String {
    "\(level)*exp(-pow(hypot(X-359.5,Y-639.5)/46,2))"
  }
}
