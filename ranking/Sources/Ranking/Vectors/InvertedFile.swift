/// Clips by the neighbourhood of their vectors, so that a search looks at some of them only.
///
/// Jégou, Douze, Schmid: "Product quantization for nearest neighbor search", TPAMI 2011 (the inverted file;
/// here over bytes instead of product codes). Lists are those of a spherical k-means over a sample; a
/// search takes them by the largest product that they may hold (cosine to the centre times the longest
/// vector), until a share of all clips was looked at.
public struct InvertedFile: Sendable {
  public struct Settings: Sendable, Equatable {
    /// Fewer clips than this are all looked at.
    public var exactBelow = 50_000
    /// Clips of a list, about.
    public var clipsPerList = 512
    /// The share of clips that a search looks at: about .98 of the 300 best are among a tenth.
    public var probedShare = 0.1
    /// Rounds of k-means, and clips of its sample for each list.
    public var rounds = 4
    public var samplesPerList = 32

    public init() {}
  }

  private let settings: Settings
  private let columns: Int
  /// By list; unit vectors. Empty where all is looked at.
  let centres: Matrix
  /// Where each list begins among the rows, and its longest vector.
  private let starts: [Int]
  private let longest: [Float]
  private let rows: QuantisedVectors
  /// The clip of each row.
  private let clips: [UInt32]

  init(
    settings: Settings, columns: Int, centres: Matrix, starts: [Int], longest: [Float],
    rows: QuantisedVectors, clips: [UInt32]
  ) {
    self.settings = settings
    self.columns = columns
    self.centres = centres
    self.starts = starts
    self.longest = longest
    self.rows = rows
    self.clips = clips
  }

  public var count: Int { clips.count }

  /// The clips of the largest products, the best first; exact for what was looked at.
  ///
  /// - Parameters:
  ///   - query: of any scale.
  ///   - exact: the floats of all clips, by clip.
  func search(_ query: [Float], _ limit: Int, exact: Matrix, scratch: inout [Int32]) -> [TopK.Entry] {
    guard query.count == columns, !clips.isEmpty, limit > 0, query.contains(where: { $0 != 0 }) else {
      return []
    }
    let (bytes, scale) = QuantisedVectors.of(query)
    guard scale > 0 else { return [] }
    // A third more than is wanted, since bytes are not exact.
    var top = TopK(limit + limit / 3)
    for list in lists(for: query) {
      rows.scan(bytes, rows: list, names: clips, into: &top, scratch: &scratch)
    }
    var best = TopK(limit)
    exact.values.withUnsafeBufferPointer { values in
      query.withUnsafeBufferPointer { query in
        let found = top.sorted()
        for (place, entry) in found.enumerated() where Int(entry.clip) < exact.rows {
          // A row far away in memory takes longer to come than its product to compute.
          let ahead = Int(found[min(place + 8, found.count - 1)].clip)
          if ahead < exact.rows { DotProduct.prefetch(values.baseAddress! + ahead * columns, columns) }
          let vector = values.baseAddress! + Int(entry.clip) * columns
          best.offer(entry.clip, DotProduct.of(query.baseAddress!, vector, columns))
        }
      }
    }
    return best.sorted()
  }

  /// Rows to look at: of the most promising lists, as many as hold the share.
  private func lists(for query: [Float]) -> [Range<Int>] {
    guard centres.rows > 1 else { return [0..<clips.count] }
    let products = centres.products(with: query)
    let share = settings.probedShare.bounded(0.001...1)
    let wanted = Int((Double(clips.count) * share).rounded(.up))
    // Twice as many lists as of even length hold the share nearly always; else all are ordered.
    for limit in [Int(Double(centres.rows) * share * 2) + 16, centres.rows] {
      let order = TopK.of(0..<UInt32(centres.rows), limit) { products[Int($0)] * longest[Int($0)] }
      var looked = 0
      var ranges: [Range<Int>] = []
      for list in order.map(Int.init) where looked < wanted && starts[list] < starts[list + 1] {
        ranges.append(starts[list]..<starts[list + 1])
        looked += ranges[ranges.count - 1].count
      }
      if looked >= wanted || limit >= centres.rows { return ranges }
    }
    return []
  }
}
