import CoreTypes
import Upload

/// A server that keeps to docs/design/upload.md, and nothing more: it may forget what is not committed.
struct ModelServer {
  /// What the bytes of a file are: a range of one version of it.
  struct Piece: Equatable {
    let version: Int
    var offset: Int64
    var size: Int64
  }

  struct Stored {
    let size: Int64
    let version: Int
    let partSize: Int64?
    var pieces: [Piece] = []
    var parts: [Int32: Piece] = [:]
    var isCommitted = false
    var permille: Int32 = 0

    var offset: Int64 { pieces.reduce(0) { $0 + $1.size } }

    /// The bytes are exactly those of the file that was announced.
    var isWhole: Bool {
      let pieces = partSize == nil ? self.pieces : parts.sorted { $0.key < $1.key }.map(\.value)
      var end: Int64 = 0
      for piece in pieces {
        guard piece.version == version, piece.offset == end else { return false }
        end += piece.size
      }
      return end == size
    }

    var isFull: Bool {
      partSize == nil ? offset == size : parts.values.reduce(0) { $0 + $1.size } == size
    }
  }

  struct Key: Hashable {
    let high: Int64
    let low: Int64
  }

  private(set) var uploads: [Key: Stored] = [:]
  /// What was gone once stays so, whatever arrives late.
  private(set) var gone: Set<Key> = []
  /// Bytes of everything that was ever committed, and whether they were right.
  private(set) var commits: [Key: Bool] = [:]
  var partSize: Int64?
  /// A clip that the pipeline does not take.
  var refusesClips = false

  mutating func create(_ key: Key, size: Int64, version: Int) -> (CallID) -> Upload.Event {
    if gone.contains(key) { return { .failed($0, Upload.Failure(.gone)) } }
    if uploads[key] == nil { uploads[key] = Stored(size: size, version: version, partSize: partSize) }
    return state(key)
  }

  func state(_ key: Key) -> (CallID) -> Upload.Event {
    guard let upload = uploads[key] else { return { .failed($0, Upload.Failure(.gone)) } }
    if upload.isCommitted { return progress(of: upload) }
    if let partSize = upload.partSize {
      let offer = Upload.PartOffer(
        size: Bytes(partSize), validFor: Milliseconds(40_000), stored: upload.parts.keys.sorted())
      return { .receivingParts($0, offer) }
    }
    let offer = Upload.Offer(offset: Bytes(upload.offset), smallest: .zero, largest: Bytes(4 << 20))
    return { .receiving($0, offer) }
  }

  private func progress(of upload: Stored) -> (CallID) -> Upload.Event {
    if upload.permille < 1_000 { return { .processing($0, permille: upload.permille, renditions: 1) } }
    return refusesClips ? { .refused($0, code: 5) } : { .published($0) }
  }

  /// Keeps every byte that arrived, also of a cut request.
  mutating func append(_ key: Key, _ piece: Piece) -> (CallID) -> Upload.Event {
    guard let upload = uploads[key], !upload.isCommitted else {
      return { .failed($0, Upload.Failure(.gone)) }
    }
    let offset = upload.offset
    guard piece.offset == offset else {
      return { .failed($0, Upload.Failure(.offsetMismatch, detail: offset)) }
    }
    if piece.size > 0 { uploads[key]?.pieces.append(piece) }
    return { .bytesTaken($0, offset: Bytes(offset + piece.size)) }
  }

  /// A part that is cut is not kept.
  mutating func put(_ key: Key, part: Int32, _ piece: Piece) -> (CallID) -> Upload.Event {
    guard let upload = uploads[key], !upload.isCommitted else {
      return { .failed($0, Upload.Failure(.gone)) }
    }
    uploads[key]?.parts[part] = piece
    return { .partTaken($0) }
  }

  mutating func commit(_ key: Key) -> (CallID) -> Upload.Event {
    guard let upload = uploads[key] else { return { .failed($0, Upload.Failure(.gone)) } }
    if upload.isCommitted { return progress(of: upload) }
    guard upload.isFull else { return { .failed($0, Upload.Failure(.offsetMismatch, detail: -1)) } }
    guard upload.isWhole else {
      forget(key)
      return { .failed($0, Upload.Failure(.hashMismatch)) }
    }
    uploads[key]?.isCommitted = true
    commits[key] = upload.isWhole
    return progress(of: upload)
  }

  mutating func poll(_ key: Key) -> (CallID) -> Upload.Event {
    uploads[key]?.permille += 250
    return state(key)
  }

  mutating func terminate(_ key: Key) -> (CallID) -> Upload.Event {
    if let upload = uploads[key], upload.isCommitted { return progress(of: upload) }
    forget(key)
    return { .terminated($0) }
  }

  /// What nobody committed may be forgotten at any time.
  mutating func expire(_ key: Key) {
    if uploads[key]?.isCommitted == false { forget(key) }
  }

  private mutating func forget(_ key: Key) {
    uploads[key] = nil
    gone.insert(key)
  }
}
