import Contract
import CoreTypes
import Foundation
import Playback
import PlaybackTesting
import Upload

@testable import Transfer

/// One device: a folder, a server in memory, and queues that come and go as the app does.
@MainActor final class UploadBench {
  let server = MemoryServer()
  let clock = BedsideClock()
  let folder: URL
  var compressor: (any Compressor)?
  var trimmer: (any Trimmer)?
  var duration: Milliseconds? = Milliseconds(5_000)
  /// As those of what they were made of, unless a test says otherwise.
  var durationOfProducts: Milliseconds?
  /// Whoever is signed in.
  var account: String?
  private(set) var queue: UploadQueue!

  init() {
    folder = TemporaryFolder.path()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    startApp()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var uploads: URL { folder.appending(path: "uploads") }

  /// What is in memory is gone.
  func startApp() {
    queue?.free()
    let (duration, ofProducts) = (duration, durationOfProducts ?? duration)
    queue = UploadQueue(
      root: uploads,
      UploadHost.Ports(
        api: server, base: URL(string: "https://example.invalid")!, bytes: server,
        credentials: { ["Authorization": "Bearer t"] }, account: { [weak self] in self?.account },
        clock: clock,
        tools: FileTools(
          hash: { FoldHash() },
          duration: { $0.lastPathComponent.hasPrefix("product") ? ofProducts : duration }),
        compressor: compressor,
        trimmer: trimmer))
  }

  static func video(_ size: Int, seed: UInt64 = 1) -> Data {
    var generator = SeededGenerator(seed: seed)
    var bytes = Data([0, 0, 0, 16] + Array("ftypisom".utf8))
    while bytes.count < size {
      let word = generator.next()
      withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) }
    }
    return bytes.prefix(size)
  }

  /// A video that says in XMP that AI made it.
  static func marked(_ size: Int) -> Data {
    let id: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    let uri = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
    let packet = Array("<a Iptc4xmpExt:DigitalSourceType='\(uri)'/>".utf8)
    let head: [UInt8] = [0, 0, 0, UInt8(packet.count + 24)] + Array("uuid".utf8)
    let start: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0]
    return Data(start + head + id + packet) + video(size, seed: 3)
  }

  func file(_ bytes: Data, _ name: String = "film.mp4") throws -> URL {
    let url = folder.appending(path: name)
    try bytes.write(to: url)
    return url
  }

  var phase: Upload.Phase? { queue.active?.state.phase }

  /// Lets everything go on until `condition` holds. Waits of the machine are over at once if the clock rings.
  func runs(rings: Bool = true, until condition: () -> Bool) async -> Bool {
    for turn in 0..<1_000_000 {
      if condition() { return true }
      await Task.yield()
      if turn % 50 == 49 {
        // Work on other threads.
        try? await Task.sleep(for: .milliseconds(1))
        if rings, [.waiting, .processing, .cancelling, .published].contains(phase) { clock.ring() }
      }
    }
    return condition()
  }

  var hasEnded: Bool { queue.active == nil && queue.waiting.isEmpty }

  /// Of uploads: how fast the last one went is written behind it, and may be on its way to the disk.
  var leftovers: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: uploads.path)) ?? []).filter {
      $0 != "uplink" && !$0.hasPrefix(".uplink.")
    }
  }
}
