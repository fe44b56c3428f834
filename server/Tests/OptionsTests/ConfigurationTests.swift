import ArgumentParser
import Contract
import Foundation
import Testing
import Uploads

@testable import Composition
@testable import Configured
@testable import Options
@testable import PlatformTesting

@Suite final class ConfigurationTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "config-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ text: String) throws -> String {
    let url = folder.appendingPathComponent("clipfeed.yml")
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func faults(_ text: String) throws -> [String] {
    do {
      _ = try ConfigurationFile(try file(text))
      return []
    } catch let wrong as ConfigurationFile.Wrong {
      return wrong.faults.map { $0.replacing("\(folder.path)/", with: "") }
    }
  }

  // The manual

  @Test func theExampleEqualsTheCode() throws {
    let url = Repository.file("deploy/config.example.yml")
    if ProcessInfo.processInfo.environment["CLIPFEED_RECORD"] != nil {
      try Data(ExampleFile.text.utf8).write(to: url)
    }
    let written = try String(contentsOf: url, encoding: .utf8)
    #expect(
      written == ExampleFile.text, "record it again: CLIPFEED_RECORD=1 swift test --filter ConfigurationTests"
    )
  }

  @Test func theExampleAndTheExampleWithEverythingSaidAreGoodFiles() throws {
    #expect(try ConfigurationFile(try file(ExampleFile.text)).settings.isEmpty)
    let said = ExampleFile.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") && !line.hasPrefix("##") ? line.dropFirst() : line
    }.joined(separator: "\n")
    #expect(try ConfigurationFile(try file(said)).settings == Setting.explained)
  }

  @Test func whatIsAnOptionIsOneOfTheCommandThatServes() throws {
    let help = ServeOptions.helpMessage(columns: 200)
    for setting in Setting.all {
      #expect(help.contains("--\(setting.name) ") == setting.hasOption, "\(setting.name)")
    }
    #expect(Setting.all.filter { $0.isSecret && $0.hasOption }.isEmpty)
  }

  @Test func everyStandardIsAValueThatIsTaken() {
    for setting in Setting.explained {
      #expect(setting.standard.map(setting.accepts) ?? true, "\(setting.name)")
      #expect(!setting.summary.hasSuffix("."), "\(setting.name)")
    }
    #expect(Set(Setting.explained.map(\.name)).count == Setting.explained.count)
  }

  @Test func aNumberHasDigitsAlone() {
    for setting in Setting.all {
      guard case .number(let range) = setting.form else { continue }
      for value in ["+\(range.upperBound)", "-0", "", " 1", "1 ", "١", "0x1"] {
        #expect(!setting.accepts(value), "\(setting.name) \(value)")
      }
      for number in [range.lowerBound, range.upperBound] {
        #expect(setting.accepts(String(number)), "\(setting.name) \(number)")
      }
    }
  }

  // What counts

  @Test func anOptionCountsMoreThanTheEnvironmentAndThatMoreThanTheFile() async throws {
    let path = try file("port: 1\nhost: file\nworkers: 3\n")
    let configured = try await Configured.reading(
      path, environment: ["CLIPFEED_PORT": "2", "CLIPFEED_HOST": "variable"])
    #expect(try configured.find(.port, option: "3") == ("3", .option))
    #expect(try configured.find(.host) == ("variable", .variable))
    #expect(try configured.find(.workers) == ("3", .file(path)))
    #expect(try configured.find(.web) == ("../web", .standard))
    #expect(try configured.find(.s3Bucket) == (nil, .standard))
  }

  @Test func nothingIsTheStandardWhateverStandsBehindIt() async throws {
    let configured = try await Configured.reading(
      try file("port: 1\nhost:\n"), environment: ["CLIPFEED_PORT": ""])
    #expect(try configured.find(.port) == ("8080", .standard))
    #expect(try configured.find(.port, option: "") == ("8080", .standard))
    #expect(try configured.find(.host) == ("127.0.0.1", .standard))
  }

  @Test func theCommandLineNamesTheFileBeforeTheEnvironmentDoes() {
    let environment = ["CLIPFEED_CONFIG": "theirs.yml"]
    func named(_ arguments: [String]) -> String? {
      ConfigurationOptions.file(in: arguments, environment: environment)
    }
    #expect(named(["serve", "--config", "mine.yml"]) == "mine.yml")
    #expect(named(["serve", "--config=mine.yml"]) == "mine.yml")
    #expect(named(["import", "--", "--config", "a.mp4"]) == "theirs.yml")
    #expect(ConfigurationOptions.file(in: ["serve"], environment: ["CLIPFEED_CONFIG": ""]) == nil)
  }

  @Test func aWrongValueNamesItsPlaceAndNotItself() async throws {
    let configured = Configured(environment: ["CLIPFEED_PORT": "http", "CLIPFEED_HOST": "a\nb"])
    for setting in [Setting.port, .host] {
      do {
        _ = try configured.find(setting)
        Issue.record("\(setting.name) was taken")
      } catch let error as Configured.WrongValue {
        #expect(error.description.hasPrefix("--\(setting.name) (or \(setting.variable)) must be "))
        #expect(!error.description.contains("http") && !error.description.contains("a\n"))
      }
    }
  }

  // Bad files

  @Test func allThatIsWrongIsSaidWithItsLine() throws {
    #expect(
      try faults("port: 99999\ncolour: red\nguest-coments: on\n\nworkers: [1]\nguest-uploads: maybe\n") == [
        "clipfeed.yml:1: port must be a number from 0 to 65535.",
        #"clipfeed.yml:2: there is no setting named "colour"."#,
        #"clipfeed.yml:3: there is no setting named "guest-coments". Is guest-comments meant?"#,
        "clipfeed.yml:5: workers must be one value, neither a list nor a table.",
        "clipfeed.yml:6: guest-uploads must be on or off.",
      ])
  }

  @Test(arguments: [
    "- port\n- host\n", "just text", "port: 1\nport: 2\n", "port: [1\n", "\u{0}", "port: &a 1\nhost: *b\n",
  ])
  func whatIsNoListOfSettingsIsRefused(_ text: String) throws {
    #expect(try faults(text).count == 1)
  }

  @Test func whatCannotBeReadIsSaid() throws {
    #expect(throws: ConfigurationFile.Wrong.self) { _ = try ConfigurationFile("\(folder.path)/none.yml") }
    #expect(throws: ConfigurationFile.Wrong.self) { _ = try ConfigurationFile(folder.path) }
    let url = folder.appendingPathComponent("clipfeed.yml")
    try Data([0xFF, 0xFE, 0x00]).write(to: url)
    #expect(throws: ConfigurationFile.Wrong.self) { _ = try ConfigurationFile(url.path) }
    try Data(repeating: 0x23, count: 1 << 21).write(to: url)
    #expect(throws: ConfigurationFile.Wrong.self) { _ = try ConfigurationFile(url.path) }
  }

  @Test func aFileThatOthersMayReadIsKnown() throws {
    let path = try file("s3-secret-key: hush\n")
    for (mode, isOpen) in [(0o644, true), (0o640, true), (0o600, false)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(try ConfigurationFile(path).isOpenToOthers == isOpen)
    }
  }

  // The command

  @Test func settingsOfAFileReachTheCommand() async throws {
    let configured = try await Configured.reading(
      try file(
        "port: 4242\nguest-comments: off\nproxies: 2\nupload-mb-open: 7\norigin: https://clips.example.org/\n"
      ),
      environment: [:])
    let serve = try Configured.$current.withValue(configured) { try ServeOptions.parse(["--proxies", "1"]) }
    #expect(serve.port == "4242" && serve.origin == "https://clips.example.org")
    #expect(serve.guests.comments == .off && serve.guests.proxyCount == 1)
    #expect(serve.uploads.rules.openBytes == 7 << 20)
  }

  @Test func whatSettingsCannotMeanTogetherIsRefused() async throws {
    let configured = try await Configured.reading(
      try file("s3-endpoint: http://storage:9000\n"), environment: [:])
    #expect(throws: (any Error).self) {
      try Configured.$current.withValue(configured) { _ = try ServeOptions.parse([]) }
    }
  }
}
