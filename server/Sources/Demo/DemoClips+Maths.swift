extension DemoClip {
  static let mandelbrot = DemoClip(
    slug: "mandelbrot", by: .ines,
    caption:
      "Same three symbols, all the way down: z² + c. Found a seahorse at about second eight. #maths #fractal #zoom",
    seconds: 12,
    picture: """
      mandelbrot=s=360x640:r=30:start_x=-0.743643887:start_y=-0.131825904:start_scale=1.2:end_scale=0.002:end_pts=360:\
      maxiter=400:inner=black:outer=normalized_iteration_count,format=gbrp,extractplanes=g,gblur=sigma=1,\
      \(Picture.palette(stops: [
        (0, 0x10183A), (0.25, 0x5B2A6B), (0.45, 0xC8553D), (0.5, 0x1F6F8B), (0.62, 0x3FA7A3), (0.78, 0xBFE3C0), (0.92, 0xFFF0C2),
        (1, 0xFFC46B),
      ]))
      """,
    sound: Sound.mix(
      Sound.pad([65.41, 130.81, 196, 293.66, 392], seconds: 12, level: 0.07),
      Sound.notes(
        [523.25, 587.33, 783.99, 880, 1046.5, 880, 783.99, 587.33], step: 0.375, decay: 2,
        bell: 0.9,
        level: 0.09), gain: 0))

  static let life = DemoClip(
    slug: "life", by: .ines,
    caption:
      "three rules, no plan. the little ones at the edge always make me root for them #gameoflife #emergence #maths",
    seconds: 12,
    picture: """
      life=s=36x64:r=6:ratio=0.3:seed=2024:mold=12:life_color=white:death_color=0x808080:mold_color=black,\
      format=gray,trim=start_frame=8,setpts=PTS-STARTPTS,framerate=fps=30:interp_start=0:interp_end=255:scene=100,\
      scale=360:640:flags=bicubic,gblur=sigma=3.4,scale=720:1280:flags=bicubic,\(Picture.palette(stops: [
        (0, 0x14213D), (0.25, 0x1F4068), (0.5, 0x2F7F91), (0.62, 0xF28482), (0.75, 0xF7B267), (1, 0xFFF1D0),
      ]))
      """,
    sound: Sound.mix(
      Sound.notes(
        [523.25, 0, 659.26, 0, 0, 783.99, 0, 1046.5, 880, 0, 0, 659.26, 783.99, 0, 587.33, 0],
        step: 0.1875,
        decay: 6, bell: 2.2, level: 0.2),
      Sound.notes([130.81, 174.61, 110, 196], step: 3, decay: 0.8, bell: 0.3, level: 0.2), gain: 2))
}
