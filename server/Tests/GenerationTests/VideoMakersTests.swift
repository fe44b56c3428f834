import Contract
import Foundation
import Platform
import Testing

@testable import Generation
@testable import Platform
@testable import PlatformTesting

@Suite struct VideoMakersTests {
  private struct Named: VideoProvider {
    let name: String
    var capabilities: VideoCapabilities { VideoCapabilities(seconds: [5], aspects: [.portrait]) }
    func create(_ request: VideoRequest, key: String) async throws -> String { key }
    func status(of id: String) async throws -> VideoStatus { .queued }
    func content(of id: String, into file: URL, atMost bytes: Int64) async throws {}
    func cancel(_ id: String) async throws {}
  }

  @Test func thoseThatAreNamedComeFirstAndEachIsThereOnce() {
    let makers = VideoMakers()
    makers.take(
      ["a", "b", "c", "b"].map(Named.init), order: ["c", "nobody", "b", "c"], GenerationRules())
    #expect(makers.providers.map(\.name) == ["c", "b", "a"])
    #expect(makers.provider("b") != nil && makers.provider("nobody") == nil && makers.provider(nil) == nil)
  }

  @Test func whoeverRestsIsLeftOutUntilThen() {
    let makers = VideoMakers()
    makers.take(["a", "b"].map(Named.init))
    makers.rest("a", untilMs: 100)
    makers.rest("a", untilMs: 50)
    #expect(makers.awake(atMs: 99).map(\.name) == ["b"])
    #expect(makers.awake(atMs: 100).map(\.name) == ["a", "b"])
  }

  @Test func theNearestLengthThatIsLongEnoughIsAskedFor() {
    let offered = VideoCapabilities(
      seconds: [4, 8, 12], aspects: [.portrait, .landscape], promptLength: 10)
    func asked(
      _ seconds: Int, _ aspect: VideoAspect = .portrait, prompt: String = "a fox", picture: Bool = false
    ) -> Int? {
      offered.seconds(
        for: WantedVideo(prompt: prompt, seconds: seconds, aspect: aspect, hasPicture: picture))
    }
    #expect([5, 10, 15].map { asked($0) } == [8, 12, 12])
    #expect(asked(5, .square) == nil && asked(5, picture: true) == nil)
    #expect(asked(5, prompt: "eleven more") == nil && asked(5, prompt: "ten scalar") == 8)
  }
}

@Suite struct PromptTextTests {
  private func refused(_ text: String) async -> ErrorCode? {
    await refusal { try PromptText.checked(text) }
  }

  @Test func aPromptIsPlainLines() throws {
    #expect(
      try PromptText.checked("  a fox\u{7}\u{202E} runs \r\n\n\n at dawn ") == "a fox runs\n\nat dawn")
    #expect(try PromptText.checked("🦊🦊") == "🦊🦊")
    #expect(try PromptText.checked("ثعلب يركض") == "ثعلب يركض")
  }

  @Test func whatIsNoneOrTooMuchIsRefused() async {
    #expect(await refused("") == .promptEmpty)
    #expect(await refused(" \n\u{200B}\u{7} ") == .promptEmpty)
    #expect(await refused(String(repeating: "a", count: 33_000)) == .promptTooLong)
    #expect(await refused(String(repeating: "a", count: 4000)) == nil)
  }

  @Test func theStyleIsInWhatProvidersGet() {
    #expect(PromptText.styled("a fox", .none) == "a fox")
    for style in GenerationStyle.allCases where style != .none {
      #expect(PromptText.styled("a fox", style).hasPrefix("a fox\n\nStyle: "), "\(style)")
    }
  }
}
