/// All that a ranker had learned when it was asked (`Ranker.state`).
public struct RankerState: Sendable {
  /// What must be the same for whoever takes it in.
  private let sizes: [Int]
  private let generator: SeededGenerator
  private let clips: [ClipRecord]
  private let freeNumbers: [UInt32]
  private let exploring: [UInt32]
  private let grants: CreatorGrants
  private let viewers: [EntityID: ViewerRecord]
  private let factors: ClipFactors
  private let coWatch: CoWatch
  private let popularity: DecayedPopularity
  private let labels: WatchLabels
  private let sequence: SequenceModel?
  private let model: LogisticModel
  private let keptModel: LogisticModel?
  private let totals: Rates
  private let surfaces: [Rates]
  private let medianRate: Double

  init(of ranker: Ranker) {
    sizes = ranker.sizes
    generator = ranker.generator
    clips = ranker.clips
    freeNumbers = ranker.freeNumbers
    exploring = ranker.exploring
    grants = ranker.grants
    viewers = ranker.viewers
    factors = ranker.factors
    coWatch = ranker.coWatch
    popularity = ranker.popularity
    labels = ranker.labels
    sequence = ranker.sequence
    model = ranker.model
    keptModel = ranker.keptModel
    totals = ranker.totals
    surfaces = ranker.surfaces
    medianRate = ranker.medianRate
  }

  /// As bytes that a ranker of the same settings takes in again; seconds with a million clips. The host
  /// writes them whole or not at all (another file, synced, renamed).
  public func snapshot() -> [UInt8] {
    var writer = SnapshotWriter()
    for size in sizes { writer.append(UInt32(size)) }
    writer.append(generator.state)
    writeClips(to: &writer)
    writer.append(freeNumbers)
    writer.append(exploring)
    writeGrants(to: &writer)
    writeViewers(to: &writer)
    writer.append(factors.vectors.values)
    writer.append(factors.gram)
    writer.append(coWatch.decay)
    writer.append(coWatch.degrees)
    for row in coWatch.rows {
      var neighbours: [NeighbourTable.Neighbour] = []
      row.forEach { neighbours.append($0) }
      // Where they stand in the table hangs on the order in which they came.
      neighbours.sort { $0.clip < $1.clip }
      writer.append(neighbours.map(\.clip))
      writer.append(neighbours.map(\.weight))
    }
    writer.append(popularity.decay)
    writer.append(popularity.sums)
    for sketch in labels.sketches { writer.append(sketch.counts) }
    for weights in [model.dense, model.denseSquares, model.crosses, model.crossSquares] {
      writer.append(weights)
    }
    writer.append(totals.numbers)
    writer.append(surfaces.flatMap(\.numbers))
    writer.append(medianRate)
    if let sequence { Ranker.write(sequence, to: &writer) }
    writer.append(UInt8(keptModel == nil ? 0 : 1))
    if let keptModel {
      writer.append(keptModel.dense)
      writer.append(keptModel.crosses)
    }
    return Snapshot.seal(writer.bytes)
  }

  private func writeClips(to writer: inout SnapshotWriter) {
    writer.append(UInt64(clips.count))
    for record in clips {
      writer.append(record.clip.id)
      writer.append(record.clip.author)
      writer.append(Array(record.clip.tags))
      // An optional takes a word and a byte that says whether it is one.
      for word in [record.clip.sound, record.clip.language] {
        writer.append(UInt8(word == nil ? 0 : 1))
        writer.append(word ?? 0)
      }
      writer.append(record.clip.duration)
      writer.append(record.clip.publishedAt)
      writer.append(UInt8(record.isGone ? 1 : 0))
      writer.append(record.rates.numbers)
      writer.append(record.exploration.impressions)
      writer.append(record.exploration.positives)
      writer.append(UInt8(record.exploration.isOver ? 1 : 0))
    }
  }

  private func writeGrants(to writer: inout SnapshotWriter) {
    writer.append(grants.decay)
    let sums = grants.sums.sorted { $0.key < $1.key }
    writer.append(sums.flatMap { [$0.key.high, $0.key.low] })
    writer.append(sums.map(\.value))
  }

  private func writeViewers(to writer: inout SnapshotWriter) {
    writer.append(UInt64(viewers.count))
    for (id, viewer) in viewers.sorted(by: { $0.key < $1.key }) {
      writer.append(id)
      writer.append(zip(viewer.positives, viewer.teaches).map { $1 ? $0 : $0 | Ranker.quiet })
      writer.append(viewer.watches)
      writer.append(viewer.rates.numbers)
      for map in [viewer.tags, viewer.authors, viewer.durations] {
        writer.append(map.entries.map(\.key))
        writer.append(map.entries.map(\.impressions))
        writer.append(map.entries.map(\.positives))
      }
      writer.append(viewer.recent)
      writer.append(viewer.lastAt)
    }
  }
}
