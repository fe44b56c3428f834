/// Live co-watch: clips that the same people liked, each pair normalised by the degrees of both clips.
///
/// Sarwar, Karypis, Konstan, Riedl: "Item-based collaborative filtering recommendation algorithms", WWW
/// 2001, in the normal form of Shen et al.: "How powerful is graph convolution for recommendation?", CIKM
/// 2021 (GF-CF, the linear filter): c(i, j) / √(d(i) d(j)). Weights fade by forward decay, so it follows
/// the day without being computed anew.
public struct CoWatch: Sendable {
  public struct Settings: Sendable, Equatable {
    /// Of a pair's weight, in milliseconds.
    public var halfLife: Int64 = 90 * 86_400_000
    /// Added to the degrees: a pair that was seen once says little.
    public var shrinkage: Float = 20
    /// How many neighbours of a clip are kept.
    public var neighbours = 1_024
    /// Of a viewer's likes, how many of the last ones a new one is paired with. Bounds the price of an event.
    public var pairedHistory = 100

    public init() {}
  }

  public let settings: Settings
  public internal(set) var decay: ForwardDecay
  /// Rows by clip.
  var rows: [NeighbourTable] = []
  /// Weight of all likes of a clip.
  var degrees: [Float] = []

  public init(settings: Settings, at now: Int64) {
    self.settings = settings
    decay = ForwardDecay(halfLife: settings.halfLife, at: now)
  }

  public var clipCount: Int { rows.count }

  mutating func grow(to clips: Int) {
    guard clips > rows.count else { return }
    rows.append(contentsOf: repeatElement(NeighbourTable(), count: clips - rows.count))
    degrees.append(contentsOf: repeatElement(0, count: clips - degrees.count))
  }

  /// One more like by somebody who has liked `history` before, the latest last.
  ///
  /// - Parameter weight: 0 to 1: how far the viewer is trusted.
  public mutating func observe(
    _ clip: UInt32, after history: some RandomAccessCollection<UInt32>, weight: Float, at time: Int64
  ) {
    grow(to: Int(clip) + 1)
    if let factor = decay.advance(to: time) { rebase(by: factor) }
    let added = weight.bounded(0...1) * decay.weight
    guard added > 0 else { return }
    degrees[Int(clip)] += added
    for other in history.suffix(settings.pairedHistory) where other != clip && Int(other) < rows.count {
      rows[Int(clip)].add(other, weight: added, limit: settings.neighbours)
      rows[Int(other)].add(clip, weight: added, limit: settings.neighbours)
    }
  }

  /// Adds what each clip has in common with the clips of a history.
  ///
  /// - Parameter weights: of the history's clips, as many.
  func score(_ history: [UInt32], weights: [Float], into scores: inout SparseScores) {
    // Sums stand at the weight of now; so does what shrinks them.
    let shrinkage = max(settings.shrinkage * decay.weight, .leastNormalMagnitude)
    for (clip, weight) in zip(history, weights) where Int(clip) < rows.count && weight > 0 {
      let degree = degrees[Int(clip)]
      rows[Int(clip)].forEach { neighbour in
        let both = (degree * degrees[Int(neighbour.clip)]).squareRoot()
        scores.add(neighbour.clip, weight * neighbour.weight / (both + shrinkage))
      }
    }
  }

  /// The likes that are counted for a clip, faded to now.
  public func degree(of clip: UInt32) -> Float {
    Int(clip) < degrees.count ? degrees[Int(clip)] / decay.weight : 0
  }

  /// How much two clips have in common, 0 to 1.
  public func similarity(_ left: UInt32, _ right: UInt32) -> Float {
    guard Int(left) < rows.count, Int(right) < rows.count else { return 0 }
    let both = (degrees[Int(left)] * degrees[Int(right)]).squareRoot()
    return rows[Int(left)].weight(of: right) / max(both + settings.shrinkage * decay.weight, 1e-30)
  }

  /// Takes clips out: of their rows nothing stays, and in others' they are passed over at once and gone here.
  mutating func remove(where isGone: (UInt32) -> Bool) {
    for clip in rows.indices {
      if isGone(UInt32(clip)) {
        rows[clip] = NeighbourTable()
        degrees[clip] = 0
      } else {
        rows[clip].rebuild(times: 1) { !isGone($0) }
      }
    }
  }

  private mutating func rebase(by factor: Float) {
    for clip in rows.indices {
      rows[clip].rebuild(times: factor) { _ in true }
      degrees[clip] *= factor
    }
  }
}
