import ArgumentParser
import Foundation
import Platform
import Testing

@testable import Configured
@testable import Options
@testable import PlatformTesting

/// Apps of Apple's systems and the key for notifications, before a server starts.
@Suite final class AppleOptionsTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "apple-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func options(_ environment: [String: String]) throws -> ServeOptions {
    let told = Dictionary(uniqueKeysWithValues: environment.map { ("CLIPFEED_\($0.key)", $0.value) })
    return try Configured.$current.withValue(Configured(environment: told)) { try ServeOptions.parse([]) }
  }

  private func fault(_ environment: [String: String]) -> String? {
    do {
      _ = try options(environment)
      return nil
    } catch { return ServeOptions.message(for: error) }
  }

  /// A key as Apple gives it out, of this curve.
  private func key(_ curve: String = "P-256") throws -> String {
    let (status, pem) = try Shell.run(
      "/usr/bin/openssl", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)"])
    try #require(status == 0)
    let url = folder.appendingPathComponent("\(UUID().uuidString).p8")
    try Data(pem.utf8).write(to: url)
    return url.path
  }

  @Test func nothingIsSaidAndNothingIsSent() throws {
    let none = try options([:]).apps
    #expect(none.ids == [] && none.topic == nil)
    #expect(try none.makeSender() == nil)
  }

  @Test func appsAreAsAppleNamesThem() throws {
    let ids = ["A1B2C3D4E5.org.example.clipfeed", "F6G7H8I9J0.beta"]
    #expect(try options(["APP_IDS": ids.joined(separator: "  ")]).apps.ids == ids)
    for wrong in ["org.example.clipfeed", "a1b2c3d4e5.org.example", "A1B2C3D4E5.", "A1B2C3D4E5.org/example"] {
      #expect(fault(["APP_IDS": wrong])?.contains("is no app as Apple names it") == true, "\(wrong)")
    }
  }

  @Test func whatIsWrongWithTheKeyIsSaidByItsSetting() throws {
    let good = [
      "APNS_KEY_FILE": try key(), "APNS_KEY_ID": "K1L2M3N4P5", "APNS_TEAM": "A1B2C3D4E5",
      "APNS_TOPIC": "org.example.clipfeed",
    ]
    #expect(fault(good) == nil)
    #expect(try options(good).apps.makeSender() != nil)
    let noKey = folder.appendingPathComponent("none.p8")
    try Data("-----BEGIN PRIVATE KEY-----\nhush\n-----END PRIVATE KEY-----\n".utf8).write(to: noKey)
    let wrong: [([String: String], String)] = [
      (["APNS_KEY_FILE": ""], "--apns-key-id (or CLIPFEED_APNS_KEY_ID) needs --apns-key-file"),
      (["APNS_KEY_ID": ""], "needs --apns-key-id"), (["APNS_TEAM": ""], "needs --apns-team"),
      (["APNS_TOPIC": ""], "needs --apns-topic"), (["APNS_TEAM": "abc"], "not as Apple writes it"),
      (["APNS_TOPIC": "org example"], "not as Apple writes it"),
      (["APNS_KEY_FILE": "/nowhere/at/all.p8"], "cannot be read"),
      (["APNS_KEY_FILE": noKey.path], "no key as Apple gives it out"),
      (["APNS_KEY_FILE": try key("P-384")], "no key as Apple gives it out"),
      (["APNS_SERVER": "http://localhost:1"], "must be https://"),
      (["APNS_SERVER": "https://localhost:1/path"], "must be https://"),
      (["APNS_SERVER": "https://localhost:1", "APNS_CA": noKey.path], "certificates"),
    ]
    for (change, words) in wrong {
      let said = fault(good.merging(change) { $1 })
      #expect(said?.contains(words) == true, "\(change): \(said ?? "nothing")")
      #expect(said?.contains("hush") != true)
    }
  }
}
