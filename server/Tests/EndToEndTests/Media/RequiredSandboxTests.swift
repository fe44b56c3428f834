import Contract
import FFmpeg
import Foundation
import Platform
import Testing

@testable import Composition
@testable import PlatformTesting
@testable import ServerTesting

/// A system that cannot shut ffmpeg in: `unshare` fails, as in most containers.
@Suite(.serialized) final class RequiredSandboxTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "poor-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let unshare = folder.appendingPathComponent("unshare")
    try Data("#!/bin/sh\nexit 1\n".utf8).write(to: unshare)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: unshare.path)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var environment: [String: String] {
    ["PATH": "\(folder.path):" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")]
  }

  private func program(_ arguments: [String], _ bench: TestInstance) throws -> Program {
    try Program(arguments + ["--data", bench.instance.folder.path], environment: environment)
  }

  @Test func aServerWithoutASandboxSaysSoAndServesAllTheSame() async throws {
    let bench = try await TestInstance()
    let server = try program(["serve", "--port", "0"], bench)
    let start = "Clipfeed is running: http://127.0.0.1:"
    var output = try server.wait(for: start)
    while !output.hasSuffix("\n") { output += try server.wait(for: "\n") }
    let port = try #require(
      output.components(separatedBy: start).last.flatMap { Int($0.prefix(while: \.isNumber)) })
    let transport = SocketTransport(port: port)
    try await eventually("it never says that there is no sandbox") {
      let answer = try await transport.send(WireRequest("GET", "/readyz"))
      let text = String(decoding: answer.body, as: UTF8.self)
      return answer.status == 200 && text.contains(#""sandbox":"failed""#) && text.contains("degraded")
    }
    // As long as it takes: the warning may come before or after the port.
    while !output.contains("without a sandbox") { output += try server.wait(for: "\n") }
    kill(server.process.processIdentifier, SIGTERM)
    #expect(server.end().status == 0)
  }

  @Test(arguments: [["serve", "--port", "0"], ["work"], ["import", "/nowhere.mp4"]])
  func whatConvertsDoesNotStartIfThereMustBeASandbox(_ command: [String]) async throws {
    let bench = try await TestInstance()
    let (status, output) = try program(command + ["--require-sandbox", "on"], bench).end()
    #expect(status == 1 && output.contains("require-sandbox is on"), "\(output)")
  }

  @Test func aServerThatConvertsNothingNeedsNone() async throws {
    let bench = try await TestInstance()
    let server = try program(["serve", "--port", "0", "--workers", "0", "--require-sandbox", "on"], bench)
    let transport = SocketTransport(port: try server.port())
    let answer = try await transport.send(WireRequest("GET", "/readyz"))
    #expect(!String(decoding: answer.body, as: UTF8.self).contains("sandbox"))
    kill(server.process.processIdentifier, SIGTERM)
    #expect(server.end().status == 0)
  }

  @Test func theDoctorWarnsAndFailsIfThereMustBeOne() async throws {
    let bench = try await TestInstance()
    let said = try program(["doctor", "--web", bench.folder.path], bench).end().output
    #expect(said.contains("warn  confinement of ffmpeg: time, memory and file size only"), "\(said)")
    let strict = try program(["doctor", "--web", bench.folder.path, "--require-sandbox", "on"], bench).end()
    #expect(strict.status == 1 && strict.output.contains("FAIL  confinement of ffmpeg"), "\(strict.output)")
  }
}
