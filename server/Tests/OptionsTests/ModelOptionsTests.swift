import ArgumentParser
import Composition
import ModelServer
import Testing

@testable import Configured
@testable import Options

/// A model of the operator's own, before a server starts.
@Suite struct ModelOptionsTests {
  private func options(_ environment: [String: String]) throws -> ModelOptions {
    let values = Dictionary(uniqueKeysWithValues: environment.map { ("CLIPFEED_\($0.key)", $0.value) })
    return try Configured.$current.withValue(Configured(environment: values)) {
      try ServeOptions.parse([]).model
    }
  }

  private func fault(_ environment: [String: String]) -> String? {
    do {
      _ = try options(environment)
      return nil
    } catch { return ServeOptions.message(for: error) }
  }

  @Test func withoutASettingThereIsNone() throws {
    #expect(try options([:]).make() == nil)
  }

  @Test func whatIsSetIsWhatIsAsked() throws {
    let environment = [
      "MODEL_SERVER": "https://models.example.org/feed/", "MODEL_NAME": "clips", "MODEL_VERSION": "7",
      "MODEL_PROTOCOL": "tensorflow", "MODEL_MS": "80", "MODEL_IDS": "on", "MODEL_TOKEN": "s3cret",
    ]
    let values = Dictionary(uniqueKeysWithValues: environment.map { ("CLIPFEED_\($0.key)", $0.value) })
    try Configured.$current.withValue(Configured(environment: values)) {
      let options = try ServeOptions.parse([]).model
      let settings = try #require(options.settings)
      #expect(settings.address == "https://models.example.org/feed" && settings.host == "models.example.org")
      #expect(settings.dialect == .tensorFlow && settings.model == "clips" && settings.version == "7")
      #expect(settings.sendsIDs && settings.token == "s3cret" && options.limit == .milliseconds(80))
    }
    let least = try options(["MODEL_SERVER": "http://127.0.0.1:8080", "MODEL_NAME": "clips"])
    #expect(least.limit == .milliseconds(50) && least.settings?.sendsIDs == false)
    #expect(least.settings?.dialect == .openInference && least.settings?.token == nil)
  }

  @Test(arguments: [
    (["MODEL_NAME": "clips"], "--model-name (or CLIPFEED_MODEL_NAME) needs --model-server"),
    (["MODEL_TOKEN": "s3cret"], "CLIPFEED_MODEL_TOKEN needs --model-server"),
    (["MODEL_SERVER": "http://a"], "--model-server (or CLIPFEED_MODEL_SERVER) needs --model-name"),
    (["MODEL_SERVER": "a:80", "MODEL_NAME": "clips"], "must be an address such as http://127.0.0.1:8080"),
    (["MODEL_SERVER": "http://a?b", "MODEL_NAME": "clips"], "must be an address such as"),
    (["MODEL_SERVER": "http://a", "MODEL_NAME": ".."], "must be printable ASCII without spaces"),
    (
      ["MODEL_SERVER": "http://a", "MODEL_NAME": "clips", "MODEL_TOKEN": "s3 cret"],
      "CLIPFEED_MODEL_TOKEN must be printable ASCII without spaces"
    ),
    (
      ["MODEL_SERVER": "http://a", "MODEL_NAME": "clips", "MODEL_MS": "150"], "must be a number from 5 to 120"
    ),
    (
      ["MODEL_SERVER": "http://a", "MODEL_NAME": "clips", "MODEL_PROTOCOL": "grpc"],
      "must be open-inference or"
    ),
  ])
  func whatIsWrongIsSaidByItsSetting(_ environment: [String: String], _ words: String) throws {
    let sentence = try #require(fault(environment))
    #expect(sentence.contains(words), "\(sentence)")
    #expect(!sentence.contains("s3"))
  }

  @Test func theStartWarnsOfAModelElsewhereWithoutTLS() {
    for address in ["http://127.0.0.1:8080", "http://localhost", "https://models.example.org"] {
      let settings = ModelServerSettings(address: address, model: "m")
      #expect(UnprotectedTransport.modelServer(settings?.address, host: settings?.host) == nil, "\(address)")
    }
    #expect(UnprotectedTransport.modelServer(nil, host: nil) == nil)
    let warning = UnprotectedTransport.modelServer("http://10.0.0.7", host: "10.0.0.7")
    #expect(warning?.description.contains("http://10.0.0.7") == true)
  }
}
