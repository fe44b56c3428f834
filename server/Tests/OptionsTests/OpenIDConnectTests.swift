import ArgumentParser
import Foundation
import Platform
import Testing

@testable import Configured
@testable import OpenIDConnect
@testable import Options

/// Settings of providers, before a server starts.
@Suite struct OpenIDConnectTests {
  private func fault(_ environment: [String: String]) -> String? {
    let told = Dictionary(uniqueKeysWithValues: environment.map { ("CLIPFEED_\($0.key)", $0.value) })
    do {
      try Configured.$current.withValue(Configured(environment: told)) { _ = try ServeOptions.parse([]) }
      return nil
    } catch { return ServeOptions.message(for: error) }
  }

  @Test func whatIsWrongWithAProviderIsSaidByItsSetting() {
    var good = [
      "ORIGIN": "https://clips.example.org", "SIGN_IN": "corp",
      "SIGN_IN_CORP_ISSUER": "https://login.example.org", "SIGN_IN_CORP_CLIENT_ID": "clipfeed",
    ]
    #expect(fault(good) == nil)
    let wrong: [([String: String], String)] = [
      (["ORIGIN": ""], "CLIPFEED_SIGN_IN needs --origin"), (["SIGN_IN": "corp Corp"], "a to z and digits"),
      (["SIGN_IN": "corp, corp"], "twice"), (["SIGN_IN_CORP_ISSUER": ""], "sign-in-corp-issuer"),
      (["SIGN_IN_CORP_ISSUER": "http://login.example.org"], "https://"),
      (["SIGN_IN_CORP_CLIENT_ID": ""], "sign-in-corp-client-id"),
      (["SIGN_IN_CORP_APPLE_KEY_ID": "k"], "needs sign-in-corp-apple-team"),
      (["SIGN_IN_CORP_APPLE_TEAM": "t"], "sign-in-corp-apple-key-file"),
      (
        [
          "SIGN_IN": "corp two", "SIGN_IN_TWO_ISSUER": "https://login.example.org",
          "SIGN_IN_TWO_CLIENT_ID": "x",
        ], "same issuer"
      ),
    ]
    for (change, words) in wrong {
      let said = fault(good.merging(change) { $1 })
      #expect(said?.contains(words) == true, "\(change): \(said ?? "nothing")")
    }
    good["SIGN_IN_CORP_CLIENT_SECRET"] = "hush"
    good["SIGN_IN_CORP_APPLE_TEAM"] = "t"
    let said = fault(good)
    #expect(said?.contains("not for Apple") == true && said?.contains("hush") == false)
  }

  @Test func applesKeyIsAFileWithAKeyInIt() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).p8")
    defer { try? FileManager.default.removeItem(at: file) }
    let told = [
      "CLIPFEED_SIGN_IN": "apple", "CLIPFEED_SIGN_IN_APPLE_APPLE_TEAM": "TEAM",
      "CLIPFEED_SIGN_IN_APPLE_APPLE_KEY_ID": "KEY", "CLIPFEED_SIGN_IN_APPLE_APPLE_KEY_FILE": file.path,
      "CLIPFEED_SIGN_IN_APPLE_CLIENT_ID": "org.example.web",
      "CLIPFEED_SIGN_IN_APPLE_APPS": "org.example.a, org.example.b",
      "CLIPFEED_ORIGIN": "https://clips.example.org",
    ]
    try Configured.$current.withValue(Configured(environment: told)) {
      let options = try ServeOptions.parse([]).signIn
      #expect(options.providers.map(\.settings.issuer) == ["https://appleid.apple.com"])
      #expect(options.providers.map(\.settings.apps) == [["org.example.a", "org.example.b"]])
      #expect(throws: AppError.self) { _ = try options.make() }
      try Data("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8).write(to: file)
      #expect(throws: AppError.self) { _ = try options.make() }
    }
  }
}
