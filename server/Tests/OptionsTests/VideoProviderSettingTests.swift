import ArgumentParser
import Foundation
import Generation
import Platform
import Testing

@testable import Configured
@testable import Options
@testable import VideoProviders

/// Whoever makes videos, as the configuration says it.
@Suite struct VideoProviderSettingTests {
  private let folder = FileManager.default.temporaryDirectory

  private func read(_ environment: [String: String]) throws -> [VideoProviderSetting] {
    let said = Dictionary(
      uniqueKeysWithValues: environment.map { ("CLIPFEED_GENERATION_PROVIDER\($0.key)", $0.value) })
    return try Configured.$current.withValue(Configured(environment: said)) {
      _ = try GenerationOptions.parse([])
      return try VideoProviderSetting.all(of: try Setting.generationProviders.value())
    }
  }

  private func fault(_ environment: [String: String]) -> String? {
    do {
      _ = try read(environment)
      return nil
    } catch { return GenerationOptions.message(for: error) }
  }

  @Test func whereNothingIsSaidADemonstrationIsDrawn() throws {
    let all = try read([:])
    guard case .drawn? = all.first, all.count == 1 else {
      Issue.record("\(all.count)")
      return
    }
    #expect(try all[0].make(folder: folder)?.name == "drawn")
    #expect(try read(["S": "none"]).isEmpty)
  }

  @Test func eachIsAskedInTheOrderOfTheListAsItsKindIs() throws {
    let all = try read([
      "S": "mine, veo run own drawn", "_MINE_KIND": "sglang", "_MINE_ADDRESS": "http://10.0.0.5:30000",
      "_MINE_SECONDS": "3 6", "_MINE_AT_ONCE": "2", "_MINE_MODEL": "wan", "_VEO_KIND": "veo",
      "_VEO_KEY": "a-key", "_RUN_KIND": "runway", "_RUN_KEY": "another", "_OWN_KIND": "command",
      "_OWN_COMMAND": "/bin/sh -c 'exit 4'", "_OWN_COMMAND_CONFINED": "off", "_OWN_COMMAND_PICTURES": "on",
    ]).compactMap { try $0.make(folder: folder) }
    #expect(all.map(\.name) == ["mine", "veo", "run", "own", "drawn"])
    #expect(all[0].capabilities.seconds == [3, 6] && all[0].capabilities.concurrent == 2)
    #expect(all[0].capabilities.aspects.contains(.square))
    #expect(all[1].capabilities.seconds == [4, 6, 8])
    #expect(all[3].capabilities.takesPictures)
  }

  @Test func aProviderWithASecretMaySayThatAVideoIsThere() throws {
    func keys(_ secret: String) throws -> [String] {
      let environment = [
        "CLIPFEED_GENERATION_PROVIDERS": "mine other",
        "CLIPFEED_GENERATION_PROVIDER_MINE_WEBHOOK_SECRET": secret,
      ]
      return try Configured.$current.withValue(Configured(environment: environment)) {
        try VideoProviderSetting.webhookKeys(of: try Setting.generationProviders.value()).keys.sorted()
      }
    }
    #expect(try keys("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=") == ["mine"])
    #expect(try keys("as it is") == ["mine"])
    #expect(throws: ValidationError.self) { try keys("whsec_no base64") }
  }

  @Test func whatIsWrongWithAProviderIsSaidByItsSetting() {
    let good = ["S": "mine", "_MINE_KIND": "openai", "_MINE_ADDRESS": "https://videos.example.org/v1"]
    #expect(fault(good) == nil)
    let wrong: [([String: String], String)] = [
      (["S": "Mine"], "a to z and digits"), (["S": "mine mine"], "twice"), (["S": "none mine"], "alone"),
      (["_MINE_KIND": ""], "generation-provider-mine-kind"),
      (["_MINE_KIND": "sora"], "must be openai"),
      (["_MINE_ADDRESS": ""], "needs generation-provider-mine-address"),
      (["_MINE_ADDRESS": "videos.example.org"], "https:// or http://"),
      (["_MINE_ADDRESS": "https://videos.example.org/?a=b"], "without a question mark"),
      (["_MINE_SECONDS": "8 4"], "ascending"), (["_MINE_SECONDS": "five"], "ascending"),
      (["_MINE_SECONDS": "99999999999999999999"], "ascending"),
      (["_MINE_COMMAND": "/bin/true"], "needs generation-provider-mine-kind command"),
      (["_MINE_KIND": "veo"], "needs generation-provider-mine-key"),
      (["_MINE_KIND": "command"], "not for a command"),
      (["_MINE_KIND": "command", "_MINE_ADDRESS": ""], "needs generation-provider-mine-command"),
      (
        ["_MINE_KIND": "command", "_MINE_ADDRESS": "", "_MINE_COMMAND": "/bin/sh -c 'x"],
        "quotation mark"
      ),
    ]
    for (change, words) in wrong {
      let said = fault(good.merging(change) { $1 })
      #expect(said?.contains(words) == true, "\(change): \(said ?? "nothing")")
    }
    let said = fault(good.merging(["_MINE_KEY": "hush hush"]) { $1 })
    #expect(said?.contains("generation-provider-mine-key") == true && said?.contains("hush") == false)
  }

  @Test func aKeyIsASecretOfEachAndNeverShown() throws {
    #expect(Setting.of(variable: "CLIPFEED_GENERATION_PROVIDER_MINE_KEY")?.isSecret == true)
    #expect(Setting.of(variable: "CLIPFEED_SIGN_IN_CORP_CLIENT_SECRET")?.isSecret == true)
    #expect(Setting.of(variable: "CLIPFEED_GENERATION_PROVIDER_MINE_ADDRESS")?.isSecret == false)
    #expect(Setting.of(variable: "CLIPFEED_NOTHING") == nil && Setting.of(variable: "PATH") == nil)
  }

  @Test func aProgramThatIsNotThereIsSaidAtTheStart() throws {
    let all = try read(["S": "own", "_OWN_KIND": "command", "_OWN_COMMAND": "/no/such/program"])
    #expect(throws: AppError.self) { try all[0].make(folder: folder) }
  }
}
