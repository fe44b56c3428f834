import Foundation

/// A line from the outside simulator. Times in ms, sizes in bytes.
struct Message: Decodable {
  enum Kind: String, Decodable {
    case hello, begin, video, step, end, bye
  }

  let kind: Kind
  // hello
  let kbps: [Int64]?
  let chunkMilliseconds: Int64?
  // video
  let id: Int32?
  /// By rate, then by chunk.
  let sizes: [[Int64]]?
  /// Share of people who still watch after each second.
  let retention: [Double]?
  // step
  let delay: Double?
  /// Bytes of the chunk that came; 0 after a pause.
  let size: Int64?
  let playing: Int32?
  /// For each clip of the queue: chunks downloaded, ms buffered, ms played, last rate.
  let queue: [[Double]]?

  enum CodingKeys: String, CodingKey {
    case kind = "t"
    case kbps
    case chunkMilliseconds = "chunkMs"
    case id, sizes
    case retention = "ret"
    case delay, size
    case playing = "play"
    case queue = "q"
  }
}

/// The answer to a step: a download of the clip's next chunk at that rate, or a pause in ms.
struct Answer: Encodable {
  let clip: Int32
  let rate: Int32
  let pause: Int64

  enum CodingKeys: String, CodingKey {
    case clip = "v"
    case rate = "b"
    case pause = "s"
  }
}
