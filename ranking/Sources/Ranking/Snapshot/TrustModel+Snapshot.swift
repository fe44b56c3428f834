extension TrustModel {
  /// All that it goes by, as bytes; beside the ranker's. Without it a crowd is not noticed for half a day to
  /// a day after a start, since nothing is usual yet.
  public func snapshot() -> [UInt8] {
    var writer = SnapshotWriter()
    writer.append(decay)
    writer.append(usualDecay)
    writer.append(turnsAt)
    for company in [usual] + waiting { Self.write(company, to: &writer) }
    writer.append(UInt64(byClip.count))
    for (clip, company) in byClip.sorted(by: { $0.key < $1.key }) {
      writer.append(clip)
      Self.write(company, to: &writer)
    }
    return Snapshot.seal(writer.bytes, as: .trust)
  }

  /// A model as it was.
  public init(restoring bytes: [UInt8], settings: Settings = Settings(), now: Int64) throws(SnapshotError) {
    self.init(settings: settings, at: now)
    var reader = SnapshotReader(try Snapshot.open(bytes, as: .trust))
    decay = try reader.decay(settings.halfLife)
    usualDecay = try reader.decay(settings.usualHalfLife)
    turnsAt = try reader.integer()
    usual = try Self.readCompany(Self.keysOfInstance, from: &reader)
    for place in waiting.indices { waiting[place] = try Self.readCompany(Self.keysOfInstance, from: &reader) }
    let count = try reader.count(ofBytes: 44)
    byClip.reserveCapacity(count)
    for _ in 0..<count {
      let clip = try reader.id()
      byClip[clip] = try Self.readCompany(Self.keysOfClip, from: &reader)
    }
    guard reader.isAtEnd else { throw .damaged }
  }

  private static func write(_ company: Company, to writer: inout SnapshotWriter) {
    let sums = company.sums.sorted { $0.key < $1.key }
    writer.append(company.total)
    writer.append(company.lastAt)
    writer.append(sums.map(\.key))
    writer.append(sums.map(\.value))
  }

  private static func readCompany(
    _ limit: Int, from reader: inout SnapshotReader
  ) throws(SnapshotError) -> Company {
    let total = try reader.float()
    let lastAt: Int64 = try reader.integer()
    let keys = try reader.words()
    let weights = try reader.floats(keys.count)
    guard total >= 0, keys.count <= limit, weights.allSatisfy({ $0 >= 0 }) else { throw .damaged }
    let sums = Dictionary(zip(keys, weights)) { first, _ in first }
    return Company(total: total, sums: sums, lastAt: lastAt)
  }
}
