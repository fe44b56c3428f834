import CoreTypes
import Foundation
import Playback

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A player whose frames are decoded by a program that plays HLS (GStreamer, or ffmpeg from the middle of a
/// clip), and shown as fast as the clock by nobody.
///
/// The program writes small frames into a pipe and stands when the pipe is full; each tick takes the frames
/// that are due. So the program asks the proxy for segments as a real player does, and a frame that is not
/// there when it is due is a stall.
@MainActor final class DecodingPlayer: PlayerPort {
  /// A picture is missed after so long without the next one.
  private static let patience = Milliseconds(120)
  /// The next loop's first frame is made ready so long before the end.
  private static let lead = Milliseconds(1_500)
  private static let positionEvery = Milliseconds(250)

  var report: ((PlayerReport) -> Void)?
  private let clock: any HostClock
  private var media: PlayerMedia?
  private var decoder: Decoder?
  private var nextLoop: Decoder?
  private var isWanted = false
  private var hasFirstFrame = false
  private var isMoving = false
  /// The position of the last frame that was taken.
  private var position = Milliseconds.zero
  /// When which position was due, since it began to move.
  private var origin: (at: Instant, position: Milliseconds)?
  private var lastFrame = Instant(0)
  private var lastReport = Instant(0)
  /// When the decoder ended too early.
  private var endedAt: Instant?
  private(set) var stalls = 0
  private(set) var loops = 0

  init(clock: any HostClock) { self.clock = clock }

  func load(_ media: PlayerMedia) {
    detach()
    self.media = media
    decoder = Decoder(media.address, from: .zero)
  }

  func seek(to position: Milliseconds) {
    guard let media else { return }
    let isWanted = isWanted
    detach()
    self.media = media
    self.isWanted = isWanted
    self.position = min(position, media.duration)
    decoder = Decoder(media.address, from: self.position)
  }

  func play() {
    guard media != nil, !isWanted else { return }
    isWanted = true
    isMoving = false
    lastFrame = clock.now
  }

  func pause() {
    guard isWanted else { return }
    isWanted = false
    isMoving = false
    origin = nil
    say(.positionChanged(position))
  }

  func release() { detach() }

  func setMuted(_ isMuted: Bool) {}

  /// Called at least as often as frames are due.
  func tick() {
    guard let media, let decoder else { return }
    decoder.fill()
    if !hasFirstFrame {
      guard decoder.take() else { return checkEnd(of: decoder) }
      hasFirstFrame = true
      say(.firstFrameReady)
    }
    guard isWanted else { return }
    let now = clock.now
    var took = false
    while isDue(now), decoder.take() {
      took = true
      position = decoder.position
    }
    if took {
      lastFrame = now
      if !isMoving {
        isMoving = true
        origin = (now, position)
        say(.playbackAdvanced)
      }
    } else if isMoving, now - lastFrame > Self.patience, !decoder.isEnded {
      isMoving = false
      origin = nil
      stalls += 1
      say(.playbackStalled)
    }
    if nextLoop == nil, position + Self.lead >= media.duration {
      nextLoop = Decoder(media.address, from: .zero)
    }
    nextLoop?.fill()
    if decoder.isEnded, position + Milliseconds(100) >= media.duration {
      beginAgain()
    } else {
      checkEnd(of: decoder)
    }
    if now - lastReport >= Self.positionEvery {
      lastReport = now
      say(.positionChanged(position))
    }
  }

  private func isDue(_ now: Instant) -> Bool {
    guard let origin else { return true }
    return position < origin.position + (now - origin.at)
  }

  private func beginAgain() {
    decoder?.end()
    decoder = nextLoop
    nextLoop = nil
    position = .zero
    loops += 1
    origin = isMoving ? (clock.now, .zero) : nil
    lastFrame = clock.now
    say(.looped)
  }

  /// A program that ends in the middle has got no more: the host may load anew meanwhile.
  private func checkEnd(of decoder: Decoder) {
    guard decoder.isEnded else { return }
    guard let endedAt else {
      endedAt = clock.now
      return
    }
    if clock.now - endedAt > Milliseconds(1_000) { say(.failed) }
  }

  private func say(_ event: PlayerReport.Event) {
    guard let item = media?.item else { return }
    report?(PlayerReport(item: item, event: event))
  }

  private func detach() {
    decoder?.end()
    nextLoop?.end()
    decoder = nil
    nextLoop = nil
    media = nil
    isWanted = false
    hasFirstFrame = false
    isMoving = false
    position = .zero
    origin = nil
    endedAt = nil
  }
}

/// One run of a program that decodes a stream into frames of one size at 30 a second.
@MainActor final class Decoder {
  static let rate: Int64 = 30
  private static let width = 64
  private static let height = 36
  private static let frameSize = width * height

  private let process = Process()
  private let pipe = Pipe()
  private let start: Milliseconds
  private var frames: Int64 = 0
  private var rest = Data()
  private(set) var isEnded = false

  init?(_ address: URL, from start: Milliseconds) {
    self.start = start
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      start > .zero ? Self.ffmpeg(address, from: start) : Self.gstreamer(address)
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch { return nil }
    try? pipe.fileHandleForWriting.close()
    _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK)
  }

  /// Where the frame that was taken last stands in the clip.
  var position: Milliseconds { start + Milliseconds(frames * 1_000 / Self.rate) }

  /// Reads what is there, a few frames at most.
  func fill() {
    while !isEnded, rest.count < Self.frameSize * 8 {
      var buffer = [UInt8](repeating: 0, count: Self.frameSize)
      let count = read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
      if count > 0 {
        rest.append(contentsOf: buffer.prefix(count))
      } else if count == 0 {
        isEnded = true
      } else {
        return
      }
    }
  }

  func take() -> Bool {
    guard rest.count >= Self.frameSize else { return false }
    rest = Data(rest.dropFirst(Self.frameSize))
    frames += 1
    fill()
    return true
  }

  func end() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    isEnded = true
  }

  private static func ffmpeg(_ address: URL, from start: Milliseconds) -> [String] {
    let seconds = "\(Double(start.rawValue) / 1_000)"
    return [
      "ffmpeg", "-v", "quiet", "-threads", "1", "-ss", seconds, "-i", address.absoluteString, "-an", "-vf",
      "fps=\(rate),scale=\(width):\(height)", "-pix_fmt", "gray", "-f", "rawvideo", "-flush_packets", "1",
      "-",
    ]
  }

  private static func gstreamer(_ address: URL) -> [String] {
    [
      "gst-launch-1.0", "-q", "uridecodebin3", "uri=\(address.absoluteString)", "caps=video/x-raw", "!",
      "videoconvert", "!", "videoscale", "!", "videorate", "!",
      "video/x-raw,format=GRAY8,width=\(width),height=\(height),framerate=\(rate)/1", "!", "fdsink", "fd=1",
      "sync=false",
    ]
  }
}
