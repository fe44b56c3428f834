internal import Foundation

/// What a view or a like weighs in what everybody sees: `Impression.trust`.
///
/// Two things are weighed. *Standing*: a guest counts for half, an account for half when it is made and for
/// nearly all after some weeks. *Company*: of what a clip gathers, those from one network, or with accounts
/// made on one day, may bring so much as their usual share of the whole instance lets expect, times
/// `excess`, and `free` on top; what is beyond weighs next to nothing. So a thousand accounts that somebody
/// made for a clip bring as much as a handful of people; a school, a carrier or the first day of an
/// instance, where all are alike everywhere, is not held against anybody.
///
/// What is usual is what was so until half a day ago or a day: a crowd does not become usual by coming. It
/// is of weights that were given, so that events that were not believed do not help. New accounts pay for
/// it: on the first day those of one day weigh `free` together on a clip. It is no proof of anything:
/// accounts that were made over months, from many networks, and watch like people, count as people. That
/// copies must not add up is the idea of Cao et al., "Aiding the detection of fake accounts in large scale
/// social online services" (NSDI 2012) and Beutel et al., "CopyCatch" (WWW 2013: lockstep in time); the rule
/// is ours, since it has to be decided with each event and in fixed memory.
///
/// It decides what to believe. It knows no account, address or ranker. Deterministic; one thread at a time;
/// of bounded size whatever comes.
public struct TrustModel: Sendable {
  public struct Settings: Sendable, Equatable {
    /// What a guest weighs, and a new account; 0 to 1.
    public var newcomer: Float = 0.5
    /// Milliseconds in which an account makes up half of what is missing to 1.
    public var maturing: Int64 = 7 * 86_400_000
    /// What those of one network, or of one day, may bring to a clip in any case.
    public var free: Float = 4
    /// How many times their share of the instance they may have of a clip.
    public var excess: Float = 2
    /// Half-life of what a clip gathers, in milliseconds.
    public var halfLife: Int64 = 86_400_000
    /// Half-life of what is usual, in milliseconds.
    public var usualHalfLife: Int64 = 14 * 86_400_000
    /// Clips that are kept; of more, those go on which nothing came longest.
    public var clips = 50_000

    public init() {}
  }

  /// The least that is given: what somebody did teaches their own feed in any case.
  public static let least: Float = 0.001
  /// Networks and days that are kept of a clip, and of the instance.
  static let keysOfClip = 32
  static let keysOfInstance = 8_192
  /// Milliseconds after which what waits goes on by one.
  static let turn: Int64 = 12 * 3_600_000

  public let settings: Settings
  var decay: ForwardDecay
  var usualDecay: ForwardDecay
  /// What is usual, and what will be: of this half day and of the one before.
  var usual = Company()
  var waiting = [Company(), Company()]
  var turnsAt: Int64
  var byClip: [EntityID: Company] = [:]

  /// - Parameter now: milliseconds since 1970.
  public init(settings: Settings = Settings(), at now: Int64) {
    self.settings = settings
    decay = ForwardDecay(halfLife: settings.halfLife, at: now)
    usualDecay = ForwardDecay(halfLife: settings.usualHalfLife, at: now)
    turnsAt = now
  }

  /// What somebody weighs by themselves, `least` to 1.
  public static func standing(of origin: Origin, at now: Int64, _ settings: Settings) -> Float {
    let newcomer = settings.newcomer.bounded(least...1)
    guard !origin.isGuest, let since = origin.since else { return newcomer }
    let (age, overflow) = now.subtractingReportingOverflow(since)
    guard !overflow, age > 0 else { return newcomer }
    let missing = exp2(-Double(age) / Double(max(settings.maturing, 1)))
    return 1 - (1 - newcomer) * Float(missing)
  }

  /// The trust of an event on a clip, which counts from then on. Call it once for each impression or action,
  /// in the order in which they are learned; `least` to 1.
  ///
  /// - Parameter at: milliseconds since 1970; may jump.
  public mutating func trust(of origin: Origin, on clip: EntityID, at time: Int64) -> Float {
    if let factor = decay.advance(to: time) {
      for clip in byClip.keys { byClip[clip]?.scale(by: factor) }
    }
    advanceUsual(to: time)
    let standing = Self.standing(of: origin, at: time, settings)
    let unit = decay.weight
    var company = byClip.removeValue(forKey: clip) ?? Company()
    if byClip.count >= max(settings.clips, 1) { dropIdle() }
    let keys = Self.keys(of: origin)
    var room = standing
    for key in keys {
      let allowed = settings.free + settings.excess * usual.share(of: key) * company.total / unit
      room = min(room, allowed - company.weight(of: key) / unit)
    }
    let given = room.bounded(Self.least...1)
    company.add(keys, given * unit, limit: Self.keysOfClip, at: decay.now)
    waiting[1].add(keys, given * usualDecay.weight, limit: Self.keysOfInstance, at: decay.now)
    byClip[clip] = company
    return given
  }

  private mutating func advanceUsual(to time: Int64) {
    if let factor = usualDecay.advance(to: time) {
      usual.scale(by: factor)
      for place in waiting.indices { waiting[place].scale(by: factor) }
    }
    // The decay's time does not run backwards; before its start there is nothing to turn.
    let (age, overflow) = usualDecay.now.subtractingReportingOverflow(turnsAt)
    guard overflow || age >= Self.turn else { return }
    turnsAt = usualDecay.now
    usual.add(waiting.removeFirst(), limit: Self.keysOfInstance)
    waiting.append(Company())
  }

  /// Clips of which something is kept.
  public var clipCount: Int { byClip.count }

  private static func keys(of origin: Origin) -> [UInt64] {
    // Days of UTC; who tells none is of a company of their own kind.
    let day = origin.since.map { UInt64(bitPattern: $0 / 86_400_000) } ?? .max
    return [
      StableHash.of(1, origin.addressGroup ?? 0), StableHash.of(2, day, origin.isGuest ? 1 : 0),
    ]
  }

  /// A tenth of all: rarely, and then at once.
  private mutating func dropIdle() {
    let order = byClip.sorted { ($0.value.lastAt, $0.key) < ($1.value.lastAt, $1.key) }
    for (clip, _) in order.prefix(max(byClip.count / 10, 1)) { byClip[clip] = nil }
  }
}
