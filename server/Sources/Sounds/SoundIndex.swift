internal import Contract
internal import Foundation
public import Platform

/// The clips that share sounds.
public protocol SoundedClips: Sendable {
  /// The clip has this sound from now on; nil: none that others have. Nothing for a clip that is gone.
  func setSound(_ soundID: String?, of clipID: String, in transaction: any Transaction) throws
}

/// Asks for work on a clip's sound, in the transaction that makes it necessary.
public protocol SoundRequesting: Sendable {
  /// Which sound the clip has is to be found out (`SoundHandler`). Any number of times before the work begins
  /// is once.
  func requestSound(of clipID: String, in transaction: any Transaction) throws
}

/// Which public clips have the same sound.
///
/// It decides which clips sound alike, by prints of their sound. It refuses to know what a clip is and how
/// sound is decoded. A sound comes into being when a second public clip has the sound of a first.
///
/// One public clip of each sound is *listed*: it alone stands in `sound_hashes`, by which clips are found, so
/// a sound that a hundred thousand clips have costs there what one has. Where the listed one is gone or not
/// public any more, the oldest other one is asked to take its place.
///
/// NB: locks come in this order: the clip that the transaction is about, `sounds`, another clip, and what
/// other indexes lock. Whoever changes a clip takes no lock here.
public struct SoundIndex: Sendable {
  public static let migrations = [
    Migration("0072_sounds", [hashes + " WITHOUT ROWID"] + rest, postgreSQL: [hashes] + rest)
  ]

  /// The landmarks of listed clips. A clip is its number in the feed.
  private static let hashes = """
    CREATE TABLE sound_hashes (
        hash BIGINT NOT NULL, clip_number BIGINT NOT NULL, place BIGINT NOT NULL,
        PRIMARY KEY (hash, clip_number))
    """

  private static let rest = [
    // A row: the clip was listened to. Its print is Base64 of subfingerprints, null where there is nothing to
    // recognise; a number says that it is listed, and as which. The sound is that of `clips`, to be known
    // still when the clip is gone; so there is no reference either.
    """
    CREATE TABLE clip_sounds (clip_id TEXT PRIMARY KEY, print TEXT, listed_number BIGINT, sound_id TEXT)
    """,
    "CREATE UNIQUE INDEX clip_sounds_listed ON clip_sounds (listed_number) WHERE listed_number IS NOT NULL",
    "CREATE INDEX clip_sounds_of_sound ON clip_sounds (sound_id) WHERE listed_number IS NOT NULL",
  ]

  private let clips: any SoundedClips
  private let requests: any SoundRequesting
  private let time: any TimeSource

  public init(clips: any SoundedClips, requests: any SoundRequesting, time: any TimeSource) {
    self.clips = clips
    self.requests = requests
    self.time = time
  }

  /// What is kept of a clip's sound.
  struct Entry: Sendable, Equatable {
    let clipID: String
    fileprivate let stored: String?
    let listedNumber: Int64?
    let soundID: String?

    /// Nil: there is nothing to recognise.
    var print: SoundPrint? { stored.flatMap(SoundPrint.init(stored:)) }

    fileprivate init(_ row: Row) throws {
      clipID = try row.text("clip_id")
      stored = row.optionalText("print")
      listedNumber = row.optionalInteger("listed_number")
      soundID = row.optionalText("sound_id")
    }
  }

  /// Nil: the clip was not listened to.
  func entry(of clipID: String, in transaction: any Transaction) throws -> Entry? {
    try transaction.query(
      "SELECT clip_id, print, listed_number, sound_id FROM clip_sounds WHERE clip_id = ?", [.text(clipID)]
    ).first.map(Entry.init)
  }

  /// Of the listed clips that have these numbers.
  func entries(listedAs numbers: [Int64], in transaction: any Transaction) throws -> [Entry] {
    guard !numbers.isEmpty else { return [] }
    let list = SQLList(numbers)
    return try transaction.query(
      """
      SELECT clip_id, print, listed_number, sound_id FROM clip_sounds
      WHERE listed_number IN \(list.marks) AND listed_number IS NOT NULL
      """, list.values
    ).map(Entry.init)
  }

  /// What a clip is to the index; nil once it is gone. `number`: its place in the feed while everybody sees
  /// it and moderators do not limit its reach; nil otherwise.
  func place(
    of clipID: String, in transaction: any Transaction
  ) throws -> (number: Int64?, playback: String?)? {
    let row = try transaction.query(
      """
      SELECT playback, CASE WHEN state = 'ready' AND visibility = 'public' AND reach_limited = 0
          THEN published_number END AS number
      FROM clips WHERE id = ?
      """, [.text(clipID)]
    ).first
    return row.map { (number: $0.optionalInteger("number"), playback: $0.optionalText("playback")) }
  }

  /// The smallest rendition, if it has sound of enough length to recognise something in it.
  static func audible(in playback: Playback) -> Rendition? {
    playback.durationMs >= SoundPrint.shortestMs
      ? playback.renditions.first { $0.codecs.contains("mp4a") } : nil
  }
}

// MARK: Changes of clips

extension SoundIndex {
  /// The clip is another than before, or is gone. Called with the clip locked.
  ///
  /// Of a clip that is not for everybody nobody learns that it shares its sound with others. It keeps its
  /// print, and is looked up again when it is public again.
  public func renewClip(_ clipID: String, in transaction: any Transaction) throws {
    let place = try place(of: clipID, in: transaction)
    let known = try entry(of: clipID, in: transaction)
    guard place?.number != nil else {
      if let known { try leave(known, isGone: place == nil, in: transaction) }
      return
    }
    guard let entry = known else {
      guard let text = place?.playback,
        Self.audible(in: try WireCoding.decode(Playback.self, from: Data(text.utf8))) != nil
      else { return }
      return try requests.requestSound(of: clipID, in: transaction)
    }
    if entry.stored != nil, entry.listedNumber == nil, entry.soundID == nil {
      try requests.requestSound(of: clipID, in: transaction)
    }
  }

  private func leave(_ entry: Entry, isGone: Bool, in transaction: any Transaction) throws {
    if entry.listedNumber != nil { try unlist(entry, in: transaction) }
    if isGone {
      try transaction.execute("DELETE FROM clip_sounds WHERE clip_id = ?", [.text(entry.clipID)])
    } else if entry.soundID != nil {
      try transaction.execute(
        "UPDATE clip_sounds SET sound_id = NULL WHERE clip_id = ?", [.text(entry.clipID)])
    }
    guard let soundID = entry.soundID else { return }
    try handOver(soundID, from: entry.clipID, in: transaction)
    // NB: last, since it calls here again and finds nothing to do.
    if !isGone { try clips.setSound(nil, of: entry.clipID, in: transaction) }
  }

  /// Where no clip of the sound is listed, its oldest public one is asked to be, unless that is this one.
  private func handOver(
    _ soundID: String, from clipID: String, in transaction: any Transaction
  ) throws {
    // NB: whoever unlists it right now is waited for. Of two that leave at once each would rely on the other.
    let listed = try transaction.query(
      "SELECT clip_id FROM clip_sounds WHERE sound_id = ? AND listed_number IS NOT NULL", [.text(soundID)],
      locking: .wait)
    guard listed.isEmpty else { return }
    let next = try transaction.query(
      """
      SELECT id FROM clips WHERE sound_id = ? AND id <> ? AND state = 'ready' AND visibility = 'public'
          AND reach_limited = 0
      ORDER BY id LIMIT 1
      """, [.text(soundID), .text(clipID)]
    ).first
    if let next { try requests.requestSound(of: try next.text("id"), in: transaction) }
  }
}

// MARK: What was heard

extension SoundIndex {
  /// The clip was listened to: `print` is what was heard, nil where there is nothing new. What was heard
  /// before counts. Finds out which sound the clip has; asked again it changes nothing. Called with the clip
  /// locked.
  func settle(_ clipID: String, _ print: SoundPrint?, in transaction: any Transaction) throws {
    guard let place = try place(of: clipID, in: transaction) else { return }
    try transaction.execute(
      "INSERT INTO clip_sounds (clip_id, print) VALUES (?, ?) ON CONFLICT (clip_id) DO NOTHING",
      [.text(clipID), SQLValue(print.flatMap { $0.isDistinct ? $0.stored : nil })])
    guard let number = place.number, let entry = try entry(of: clipID, in: transaction),
      entry.listedNumber == nil, let print = entry.print
    else { return }
    try transaction.lock("sounds")
    if let soundID = entry.soundID, try isListed(soundID, in: transaction) { return }
    guard let other = try match(print, of: clipID, in: transaction) else {
      return try list(print, of: clipID, as: number, in: transaction)
    }
    let soundID = other.soundID ?? entry.soundID ?? Identifier.make(at: time)
    try note(soundID, of: other, in: transaction)
    try note(soundID, of: entry, in: transaction)
    if let before = entry.soundID, before != soundID {
      // Two sounds were one: all of the old one follow, one after the other.
      try handOver(before, from: clipID, in: transaction)
    }
    // NB: behind all else, since it tells other indexes, whose locks come last.
    if other.soundID == nil { try clips.setSound(soundID, of: other.clipID, in: transaction) }
    if entry.soundID != soundID { try clips.setSound(soundID, of: clipID, in: transaction) }
  }

  /// The listed clip that sounds most like this. It is locked, and public.
  private func match(
    _ print: SoundPrint, of clipID: String, in transaction: any Transaction
  ) throws -> Entry? {
    for found in try matches(of: print, in: transaction) where found.clipID != clipID {
      try transaction.lock(found.clipID)
      // It may have changed until it was locked.
      if let now = try entry(of: found.clipID, in: transaction), now.listedNumber != nil,
        now.listedNumber == found.listedNumber
      {
        return now
      }
    }
    return nil
  }

  private func isListed(_ soundID: String, in transaction: any Transaction) throws -> Bool {
    try !transaction.query(
      "SELECT clip_id FROM clip_sounds WHERE sound_id = ? AND listed_number IS NOT NULL", [.text(soundID)]
    ).isEmpty
  }

  private func note(_ soundID: String, of entry: Entry, in transaction: any Transaction) throws {
    guard entry.soundID != soundID else { return }
    try transaction.execute(
      "UPDATE clip_sounds SET sound_id = ? WHERE clip_id = ?", [.text(soundID), .text(entry.clipID)])
  }

  // MARK: The list

  private func list(
    _ print: SoundPrint, of clipID: String, as number: Int64, in transaction: any Transaction
  ) throws {
    for some in Portions(print.landmarks) {
      let rows = some.map { _ in "(?, ?, ?)" }.joined(separator: ", ")
      try transaction.execute(
        "INSERT INTO sound_hashes (hash, clip_number, place) VALUES \(rows) ON CONFLICT DO NOTHING",
        some.flatMap { [.integer(Int64($0.value)), .integer(number), SQLValue($0.place)] })
    }
    try transaction.execute(
      "UPDATE clip_sounds SET listed_number = ? WHERE clip_id = ?", [.integer(number), .text(clipID)])
  }

  private func unlist(_ entry: Entry, in transaction: any Transaction) throws {
    guard let number = entry.listedNumber else { return }
    // NB: all of its subfingerprints, so that whichever of them were landmarks once are found.
    let values = Set(entry.print?.subfingerprints ?? []).map { Int64($0) }.sorted()
    for some in Portions(values) {
      let list = SQLList(some)
      try transaction.execute(
        "DELETE FROM sound_hashes WHERE clip_number = ? AND hash IN \(list.marks)",
        [.integer(number)] + list.values)
    }
    try transaction.execute(
      "UPDATE clip_sounds SET listed_number = NULL WHERE clip_id = ?", [.text(entry.clipID)])
  }
}
