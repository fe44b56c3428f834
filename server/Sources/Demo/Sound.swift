// The words in which the clips' sound is written: sums of sines and filtered noise, each a stereo
// source of ffmpeg's. Pitches are drawn to whole periods per clip, so a looping player hears no
// seam.

/// Fragments of ffmpeg filter graphs for sound.
enum Sound {
  /// Hertz; enough for what sounds here, and half the work of the 48 kHz that `mix` ends with.
  private static let rate = 24_000

  /// A held chord that breathes: each voice swells in its own time, a little differently left and
  /// right.
  static func pad(_ pitches: [Double], seconds: Int, level: Double = 0.1) -> String {
    func side(_ offset: Double) -> String {
      pitches.enumerated().map { index, pitch in
        let hertz = whole(pitch, seconds)
        let detuned = whole(pitch * 1.003, seconds)
        let swell =
          "(0.65+0.35*sin(2*PI*\(index % 3 + 1)*t/\(seconds)+\(Double(index) * 1.7 + offset)))"
        return
          "\(swell)*(sin(2*PI*\(hertz)*t+\(offset))+0.5*sin(2*PI*\(detuned)*t)+0.2*sin(4*PI*\(hertz)*t))"
      }.joined(separator: "+")
    }
    return
      "aevalsrc='\(level)*(\(side(0)))|\(level)*(\(side(1.1)))':c=stereo:s=\(rate):d=\(seconds)"
  }

  /// Struck notes in turn, `step` seconds apart, ringing over one another; zero is a rest. The row
  /// repeats after its last note, so `pitches.count * step` should divide the clip. `decay` is per
  /// second, `bell` the metal in the attack.
  static func notes(
    _ pitches: [Double], step: Double, decay: Double = 2.2, bell: Double = 1.1, level: Double = 0.22
  ) -> String {
    let period = step * Double(pitches.count)
    // Five time constants are -43 dB; past that a note is not worth computing.
    let length = min(period, 5 / decay)
    func side(_ odd: Int) -> String {
      let voices = pitches.enumerated().filter { $0.element > 0 && $0.offset % 2 == odd }.map {
        index, pitch in
        // Time since the note was struck, counting a note of the previous round that still rings.
        "if(lt(st(0,mod(t+\(period - step * Double(index)),\(period))),\(length)),"
          + "(1-exp(-220*ld(0)))*exp(-\(decay)*ld(0))*min(1,30*(\(length)-ld(0)))"
          + "*sin(2*PI*\(pitch)*ld(0)+\(bell)*exp(-5*ld(0))*sin(4*PI*\(pitch)*ld(0))))"
      }
      return voices.isEmpty ? "0" : "\(level)*(\(voices.joined(separator: "+")))"
    }
    return round("\(side(0))|\(side(1))", period) + ",pan=stereo|c0=c0+0.55*c1|c1=c1+0.55*c0"
  }

  /// A soft kick and an off-beat brush, `beats` per minute.
  static func beat(_ beats: Int, level: Double = 0.5) -> String {
    let step = 60 / Double(beats)
    let kick =
      "st(1,mod(t,\(step)));(1-exp(-400*ld(1)))*exp(-9*ld(1))*sin(2*PI*(48*ld(1)+3.2*(1-exp(-26*ld(1)))))"
    let brush = "st(2,mod(t+\(step / 2),\(step)));0.16*exp(-34*ld(2))*(random(0)*2-1)"
    return round("\(level)*((\(kick))+(\(brush)))", step * 4) + ",pan=stereo|c0=c0|c1=c0"
  }

  /// Two independent channels of coloured noise through `filters`; with `swells`, it comes and goes
  /// that many times.
  static func noise(
    _ colour: String, filters: String, seconds: Int, swells: Int = 0, level: Double = 0.4, seed: Int
  ) -> String {
    func side(_ seed: Int) -> String {
      "anoisesrc=c=\(colour):a=\(level):d=\(seconds):r=\(rate):s=\(seed)"
    }
    let tide =
      swells == 0 ? "" : ",volume='0.55-0.45*cos(2*PI*\(swells)*t/\(seconds))':eval=frame"
    return "\(side(seed))[n\(seed)];\(side(seed + 1))[n\(seed + 1)];"
      + "[n\(seed)][n\(seed + 1)]join=inputs=2:channel_layout=stereo,\(filters)\(tide)"
  }

  /// Lays sources over one another, brings them to `gain` decibels and keeps the peaks off the
  /// ceiling.
  static func mix(_ layers: String..., gain: Double) -> String {
    let labels = layers.indices.map { "[layer\($0)]" }
    let graph = zip(layers, labels).map { "\($0)\($1)" }.joined(separator: ";")
    return "\(graph);\(labels.joined())amix=inputs=\(layers.count):normalize=0,"
      + "aresample=48000,volume=\(gain)dB,alimiter=limit=0.8:level=disabled,aformat=sample_fmts=fltp:channel_layouts=stereo,asetnsamples=n=1024:p=0"
  }

  /// One round of something that repeats for ever, computed once.
  private static func round(_ channels: String, _ period: Double) -> String {
    let samples = Int((period * Double(rate)).rounded())
    return
      "aevalsrc='\(channels)':s=\(rate):d=\(period),atrim=end_sample=\(samples),aloop=loop=-1:size=\(samples)"
  }

  /// The pitch nearest to `hertz` that fits whole periods into the clip.
  private static func whole(_ hertz: Double, _ seconds: Int) -> Double {
    (hertz * Double(seconds)).rounded() / Double(seconds)
  }
}
