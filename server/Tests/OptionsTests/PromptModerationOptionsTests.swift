import ArgumentParser
import Testing

@testable import Configured
@testable import Options
@testable import VideoProviders

/// Who looks at prompts, as the configuration says it.
@Suite struct PromptModerationOptionsTests {
  private func read(_ environment: [String: String]) throws -> OpenAIModerationSettings? {
    let values = Dictionary(
      uniqueKeysWithValues: environment.map { ("CLIPFEED_GENERATION_MODERATION\($0.key)", $0.value) })
    return try Configured.$current.withValue(Configured(environment: values)) {
      try GenerationOptions.parse([]).moderation()
    }
  }

  private func fault(_ environment: [String: String]) -> String? {
    do {
      _ = try read(environment)
      return nil
    } catch { return GenerationOptions.message(for: error) }
  }

  @Test func withoutAnAddressNobodyDoes() throws { #expect(try read([:]) == nil) }

  @Test func whatIsSetIsWhatIsAsked() throws {
    let settings = try #require(
      try read([
        "": "https://models.example.org", "_KEY": "hush-hush", "_MODEL": "strict", "_SECONDS": "3",
        "_DOWN": "allow",
      ]))
    #expect(settings.address.description == "https://models.example.org/v1" && settings.model == "strict")
    #expect(settings.key?.text == "hush-hush" && settings.patience == .seconds(3))
    let least = try #require(try read(["": "http://10.0.0.5:8000/moderate/"]))
    #expect(least.address.description == "http://10.0.0.5:8000/moderate")
    #expect(least.key == nil && least.model == nil && least.patience == .seconds(10))
  }

  @Test(arguments: [
    (["_KEY": "hush"], "CLIPFEED_GENERATION_MODERATION_KEY needs --generation-moderation"),
    (["_MODEL": "strict"], "generation-moderation-model"),
    (["": "models.example.org"], "https:// or http://"),
    (["": "https://models.example.org/?a=b"], "without a question mark"),
    (["": "https://models.example.org", "_KEY": "hush hush"], "signs that no key has"),
    (["": "https://models.example.org", "_SECONDS": "0"], "must be a number from 1 to 60"),
    (["": "https://models.example.org", "_DOWN": "maybe"], "must be refuse or allow"),
  ])
  func whatIsWrongIsSaidByItsSetting(_ environment: [String: String], _ words: String) throws {
    let sentence = try #require(fault(environment))
    #expect(sentence.contains(words), "\(sentence)")
    #expect(!sentence.contains("hush"))
  }

  @Test func theKeyIsASecret() {
    let key = Setting.of(variable: "CLIPFEED_GENERATION_MODERATION_KEY")
    #expect(key?.isSecret == true && key?.hasOption == false)
  }
}
