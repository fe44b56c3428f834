import Contract
import Foundation
import Playback
import Testing
import Transfer

@testable import AppModel

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is asked for late, of a server that was left, is cancelled: the system would end the app.
@Suite struct SessionEndTests {
  private let nowhere = URL(string: "http://127.0.0.1:9")!

  @Test func requestsAfterTheEndAreCancelled() async {
    let transport = HTTPTransport(base: nowhere)
    transport.invalidate()
    await #expect(throws: CancellationError.self) { try await transport.send(WireRequest("GET", "/")) }
    await #expect(throws: CancellationError.self) {
      for try await _ in transport.bytes(of: RangeRequest(url: nowhere, offset: 0, size: 1)) {}
    }
  }

  @Test func soIsTheLiveStream() async {
    let stream = HTTPEventStream(url: nowhere, headers: { [:] })
    stream.invalidate()
    await #expect(throws: CancellationError.self) {
      for try await _ in stream.bytes(after: nil) {}
    }
  }

  @Test func soAreBytesOfUploads() async {
    let uploads = SessionUploads(configuration: .ephemeral)
    uploads.invalidate()
    let part = PartUpload(method: "PUT", url: nowhere, headers: [:], body: URL(filePath: "/dev/null"))
    await #expect(throws: CancellationError.self) { try await uploads.send(part) { _ in } }
  }
}
