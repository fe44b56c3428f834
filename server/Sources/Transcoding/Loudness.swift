/// How loud the sound of a clip is (EBU R 128), and what is to be done about it.
///
/// One gain for the whole clip, so nothing pumps; only peaks that the gain would lift over the ceiling are
/// caught by a limiter, and by no more than a few decibels, beyond which a limiter is heard.
public struct Loudness: Sendable, Equatable {
  /// LUFS over the whole clip; nil if there is too little sound for a figure (less than 0.4 s above -70
  /// LUFS).
  public var integrated: Double?
  /// dBTP; nil for digital silence.
  public var truePeak: Double?

  public init(integrated: Double?, truePeak: Double?) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// What the clips of other platforms are brought to as well.
  public static let target = -14.0
  /// dBTP before the encoder. AAC at 96 kb/s was seen to overshoot by 1.2 dB on noise, and -1 dBTP is
  /// promised.
  public static let ceiling = -3.0
  /// More than this on top of a quiet recording is its noise and nothing else.
  static let mostGain = 20.0
  /// Below this there is a room and a microphone, and nobody who wants to be heard.
  static let quietest = -50.0
  /// What the limiter may take from the highest peaks.
  static let mostLimiting = 6.0

  /// Decibels to add to every sample.
  public var gain: Double {
    guard let integrated, integrated > Self.quietest else { return min(0, headroom + Self.mostLimiting) }
    return min(Self.target - integrated, Self.mostGain, headroom + Self.mostLimiting)
  }

  public var needsLimiter: Bool { gain > headroom }

  /// How much the highest peak can be lifted.
  private var headroom: Double { truePeak.map { Self.ceiling - $0 } ?? Self.mostGain }
}
