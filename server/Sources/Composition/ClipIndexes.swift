internal import Platform
internal import Search
public import Sounds
internal import Transcoding
internal import Videos

/// All that find clips and people by what they are; each hears of every change.
struct ClipIndexes: ClipIndexing {
  let database: any Database
  let time: any TimeSource
  let queue: JobQueue
  let changes: FeedChanges
  private let search = SearchIndex()

  init(database: any Database, time: any TimeSource, queue: JobQueue, changes: FeedChanges) {
    self.database = database
    self.time = time
    self.queue = queue
    self.changes = changes
  }

  func clipChanged(_ clipID: String, in transaction: any Transaction) throws {
    // NB: words come last, whose lock is the last one of a transaction.
    try sounds.renewClip(clipID, in: transaction)
    try search.clipChanged(clipID, in: transaction)
  }

  func authorChanged(_ authorID: String, in transaction: any Transaction) throws {
    try search.authorChanged(authorID, in: transaction)
  }

  /// NB: its clips tell these indexes in turn.
  var sounds: SoundIndex {
    SoundIndex(
      clips: ClipStore(
        database: database, time: time, transcoding: TranscodeRequests(queue: queue), changes: changes,
        indexing: self),
      requests: SoundRequests(queue: queue), time: time)
  }
}

struct SoundRequests: SoundRequesting {
  let queue: JobQueue

  func requestSound(of clipID: String, in transaction: any Transaction) throws {
    try queue.enqueue(
      kind: SoundHandler.kind, key: clipID, payload: "", account: "sound of \(clipID)", again: true,
      isLast: true, in: transaction)
  }
}

extension ClipStore: SoundedClips {}

extension Instance {
  var indexes: ClipIndexes {
    ClipIndexes(database: database, time: time, queue: queue, changes: changes)
  }

  /// Which sounds clips have. None where the tools cannot make prints of sound: what was asked for waits for
  /// a worker that can.
  func listening(by tools: any MediaTools) -> [any JobHandler] {
    guard let printing = tools as? any SoundPrinting, printing.isAbleToPrint else { return [] }
    return [
      SoundHandler(
        printing: printing, index: indexes.sounds, database: database, media: media, workFolder: workFolder
      ) { [clips] in try await clips.playback(of: $0) }
    ]
  }
}
