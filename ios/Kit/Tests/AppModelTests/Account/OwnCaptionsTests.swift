import Contract
import Foundation
import PlaybackTesting
import Testing

@testable import AppModel

@MainActor @Suite struct OwnCaptionsTests {
  private let transport = ParkedTransport()
  private let folder = TemporaryFolder()
  private let german = CaptionTrack(language: "de", label: "Deutsch", url: "/media/a.vtt", automatic: false)
  private let made = CaptionTrack(language: "en", label: "English", url: "/media/b.vtt", automatic: true)

  @MainActor private final class Said { var keys: [String] = [] }

  private func opened(_ tracks: CaptionTrack...) async -> (model: OwnCaptionsModel, said: Said) {
    let model = OwnCaptionsModel(client: Client(transport: transport), ofDevice: { ["de-AT", "en-GB"] })
    let said = Said()
    model.say = { said.keys.append($0.key) }
    model.begin(upload: "u")
    async let loaded: Void = model.load()
    let asked = await transport.next()
    #expect(asked.request.method == "GET" && asked.request.target == "/api/v1/uploads/u/captions")
    asked.answer(200, CaptionList(items: tracks))
    await loaded
    return (model, said)
  }

  private func file(_ name: String, _ bytes: Int = 6) throws -> URL {
    let url = folder.url.appending(path: name)
    try Data(repeating: 65, count: bytes).write(to: url)
    return url
  }

  @Test func onesOwnLanguagesComeFirstAndEachOnce() async {
    let (model, _) = await opened()
    #expect(model.languages.prefix(2) == ["de", "en"] && model.form[.language] == "de")
    #expect(Set(model.languages).count == model.languages.count && model.languages.contains("zh-Hant"))
    let others = OwnCaptionsModel.languages(of: [], in: Locale(identifier: "en"))
    #expect(others.first == "ar" && others.count == 23)
  }

  @Test func aFileIsAddedInItsLanguageInThePlaceOfWhatWasThere() async throws {
    let (model, said) = await opened(german, made)
    // Nothing is sent before there is a file.
    await model.add()
    #expect(model.form.faults[.file] != nil && transport.count == 1)
    await model.choose(try file("a.SRT"))
    #expect(model.form[.file] == "a.SRT" && model.form.faults.isEmpty)
    model.form[.language] = "en"
    async let added: Void = model.add()
    let asked = await transport.next()
    #expect(asked.request.method == "PUT" && asked.request.target == "/api/v1/uploads/u/captions/en")
    #expect(asked.request.headers["content-type"] == "application/x-subrip")
    #expect(asked.request.body == Data(repeating: 65, count: 6))
    var now = made
    now.automatic = false
    asked.answer(200, now)
    await added
    #expect(model.tracks == [german, now] && said.keys == ["%@ added."])
    // The next one is another file, most often in the same language until somebody says so.
    #expect(model.form[.file] == "" && model.form[.language] == "en")
  }

  @Test func whatFailsLosesNeitherTheFileNorItsLanguage() async throws {
    let (model, said) = await opened()
    await model.choose(try file("a.vtt"))
    model.form[.language] = "fr"
    async let lost: Void = model.add()
    await transport.next().fail(.timedOut)
    await lost
    #expect(model.form.failure != nil && said.keys.isEmpty)
    for code in [ErrorCode.captionsUnreadable, .captionsEmpty, .captionsTooLarge] {
      async let refused: Void = model.add()
      let asked = await transport.next()
      #expect(asked.request.headers["content-type"] == "text/vtt" && asked.request.body?.count == 6)
      asked.refuse(code)
      await refused
      #expect(model.form.faults[.file]?.key == code.message && model.form.failure == nil)
    }
    async let unknown: Void = model.add()
    await transport.next().answer(400, Problem(.invalidParameter, field: "language", requestID: ""))
    await unknown
    #expect(model.form.faults[.language] != nil && model.form.faults[.file] == nil)
    async let many: Void = model.add()
    await transport.next().refuse(.captionsTooMany)
    await many
    #expect(model.form.failure?.key == ErrorCode.captionsTooMany.message)
    #expect(model.form[.file] == "a.vtt" && model.form[.language] == "fr" && model.tracks == [])
  }

  @Test func aFileThatIsTooLargeOrGoneIsSaidAtOnceAndTheOneBeforeStays() async throws {
    let (model, _) = await opened()
    await model.choose(try file("whole.vtt", Limits.captionsBytes))
    #expect(model.form[.file] == "whole.vtt")
    await model.choose(try file("large.vtt", Limits.captionsBytes + 1))
    #expect(model.form.faults[.file]?.key == ErrorCode.captionsTooLarge.message)
    #expect(model.form[.file] == "whole.vtt")
    await model.choose(folder.url.appending(path: "none.vtt"))
    #expect(model.form.faults[.file]?.key == "The file could not be read. Choose it again.")
    #expect(transport.count == 1)
  }

  @Test func captionsAreRemovedOneAtATimeAndStayWhereThatFails() async {
    let (model, said) = await opened(german, made)
    async let lost: Void = model.remove(german)
    let asked = await transport.next()
    #expect(asked.request.method == "DELETE" && asked.request.target == "/api/v1/uploads/u/captions/de")
    await model.remove(made)
    #expect(transport.count == 2 && model.removing == "de")
    asked.fail(.timedOut)
    await lost
    #expect(model.tracks == [german, made] && model.removing == nil && said.keys.count == 1)
    async let gone: Void = model.remove(german)
    await transport.next().refuse(.captionsNotFound)
    await gone
    async let done: Void = model.remove(made)
    await transport.next().answer(204)
    await done
    #expect(model.tracks == [] && said.keys.suffix(2) == ["%@ removed.", "%@ removed."])
  }

  @Test func whatDoesNotComeIsSaidAndAskedForAgain() async {
    let model = OwnCaptionsModel(client: Client(transport: transport), ofDevice: { [] })
    await model.load()
    #expect(transport.count == 0)
    model.begin(upload: "u")
    async let lost: Void = model.load()
    await transport.next().fail(.timedOut)
    await lost
    #expect(model.failure != nil && model.tracks == nil)
    async let came: Void = model.load()
    await transport.next().answer(200, CaptionList(items: [german]))
    await came
    #expect(model.failure == nil && model.tracks == [german])
  }

  /// An answer for the clip before is none for the next one.
  @Test func anotherClipBeginsAnew() async throws {
    let (model, _) = await opened(german)
    await model.choose(folder.url.appending(path: "none.vtt"))
    async let late: Void = model.load()
    let asked = await transport.next()
    model.end()
    model.begin(upload: "v")
    asked.answer(200, CaptionList(items: [made]))
    await late
    #expect(model.tracks == nil && model.upload == "v" && model.form.faults.isEmpty)
  }

  @Test func onlyWhatIsAClipHasCaptions() {
    let model = OwnClipsModel(client: Client(transport: transport))
    let clip = OwnClip(uploadId: "u", clipId: "c", state: .processing, createdAt: epoch)
    var none = clip
    none.clipId = nil
    var gone = clip
    gone.state = .removed
    for other in [none, gone] { model.openCaptions(of: other) }
    #expect(model.captions.upload == nil)
    model.openCaptions(of: clip)
    #expect(model.captions.upload == "u")
    model.clear()
    #expect(model.captions.upload == nil)
  }
}
