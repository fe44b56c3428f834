import Foundation
import Platform

@testable import Generation
@testable import VideoProviders

/// A folder of a test's own, which goes with it.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("videos-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String = "made.mp4") -> URL { url.appendingPathComponent(name) }

  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [] }

  func png() throws -> URL {
    try write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3], "start.png")
  }

  func write(_ bytes: [UInt8], _ name: String) throws -> URL {
    try Data(bytes).write(to: file(name))
    return file(name)
  }
}

/// Nil: it went well. Anything but a `ProviderFailure` is a `ProviderFailure` that nobody expects.
func failure(_ work: () async throws -> some Any) async -> ProviderFailure? {
  do {
    _ = try await work()
    return nil
  } catch { return error as? ProviderFailure ?? ProviderFailure(.invalid, "another error: \(error)") }
}

/// This machine, under both of its numbers.
let here = [NetworkAddress("127.0.0.1"), NetworkAddress("::1")].compactMap(\.self)

extension VideoStatus {
  var failure: ProviderFailure? {
    guard case .failed(let failure) = self else { return nil }
    return failure
  }
}
