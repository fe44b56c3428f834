import Contract
import CoreTypes
import Foundation
import PlaybackTesting
import Session
import SessionWire
import Testing

@testable import Playback

/// The recorded sessions of fixtures/traces, which the web client's host and the core's own tests play too.
@MainActor @Suite struct TraceTests {
  nonisolated static let names = RecordedTrace.names(in: "traces")

  /// Commands as the traces have them: kind and fields.
  private static func rows(_ commands: [FeedSession.Command]) -> [[Int64]] {
    commands.map { command in
      var words: [Int64] = []
      command.append(to: &words)
      return RecordedTrace.row(words)
    }
  }

  /// The clip of the feed whose numbers these are.
  private static func clip(_ item: ItemID, _ descriptor: PlaybackDescriptor) -> FeedClip? {
    let renditions = descriptor.renditions.map { rendition in
      Contract.Rendition(
        name: "\(rendition.shortEdge)", url: "/media/\(item.rawValue)-\(rendition.shortEdge).mp4",
        width: Int(rendition.shortEdge), height: Int(rendition.shortEdge) * 2, frameRate: 30, codecs: "avc1",
        peakBps: Int(rendition.peak.rawValue), averageBps: Int(rendition.average.rawValue),
        initialization: Contract.ByteRange(
          offset: Int(rendition.initialization.offset.rawValue),
          size: Int(rendition.initialization.size.rawValue)),
        segments: rendition.segments.map {
          Contract.Segment(
            offset: Int($0.range.offset.rawValue), size: Int($0.range.size.rawValue),
            durationMs: Int($0.duration))
        })
    }
    var clip = sampleClip("\(item.rawValue)")
    clip.playback = Playback(
      durationMs: Int(descriptor.duration.rawValue), hlsUrl: "/hls", renditions: renditions)
    return FeedClip(clip, item: item, canPlay: { _ in true })
  }

  @Test func thereAreTraces() { #expect(Self.names.count >= 15) }

  @Test(arguments: names) func givesTheCommandsOfTheWebsHost(name: String) async throws {
    let steps = try RecordedTrace(name, in: "traces").steps
    let clock = ManualClock()
    let transport = FakeTransport()
    let addressing = FakeAddressing()
    let host = SessionHost(samplePorts(transport: transport, clock: clock, addressing: addressing))
    var seen: [[[Int64]]] = []
    host.observer = { _, _, commands in seen.append(Self.rows(commands)) }
    var described = 0
    for step in steps where !step.isMalformed {
      guard let event = step.words.withUnsafeBufferPointer({ FeedSession.Event(words: $0) }) else {
        Issue.record("malformed: \(step.words)")
        continue
      }
      clock.now = Instant(step.time)
      switch event {
      case .itemAppended(let item, let descriptor), .itemInserted(let item, _, let descriptor):
        if let clip = Self.clip(item, descriptor) { host.feed.adopt(clip) }
      // The host answers `describe` itself, at once.
      case .itemDescribed where name == "long-feed.trace":
        described += 1
        continue
      default: break
      }
      host.report(event)
    }
    let expected = steps.filter { !$0.isMalformed }.map(\.commands)
    let different = zip(expected, seen).enumerated().first { $1.0 != $1.1 }
    #expect(different == nil, "\(String(describing: different))")
    #expect(seen.count == expected.count)
    #expect(name != "long-feed.trace" || described > 0)
    let fetches = expected.joined().filter { $0[0] == 20 }.map { [$0[7], $0[8]] }
    #expect(transport.requests.map { [Int64($0.range.offset), Int64($0.range.size)] } == fetches)
    await host.stop()
    #expect(addressing.open.isEmpty)
    #expect(await eventually { transport.endedCount == transport.requests.count })
  }
}
