import AppModel
import Contract
import Foundation
import PlaybackTesting
import Testing

/// Captions of one's own clips, and what keeps an account safe, at a real server.
@MainActor @Suite struct OwnerJourneys {
  private let folder = TemporaryFolder()

  private func account(of person: Person) -> AccountModel {
    AccountModel(
      signIn: person.signIn, announcements: Announcements(), router: Router(), providers: NoVisits(),
      keys: NoKeys(),
      drafts: StatementDrafts(nil, viewer: person.signIn, clock: SystemPauseClock()),
      surface: AccountSurface(
        open: { _ in }, remove: { _ in }, openProfile: { _ in }, openInsights: { _, _ in },
        owns: { _, _ in }))
  }

  private func file(_ name: String, _ text: String) throws -> URL {
    let url = folder.url.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url
  }

  @Test(.timeLimit(.minutes(10))) func captionsAreAddedFromFilesAndTakenAway() async throws {
    let person = try await Person.member()
    let upload = try await person.upload(try Person.drawnClip(), "Spoken")
    let model = account(of: person).clips.captions
    model.begin(upload: upload)
    try await until {
      await model.load()
      return model.tracks != nil
    }
    #expect(model.tracks == [])
    model.form[.language] = "de"
    await model.choose(try file("torn.vtt", "WEBVTT\n\nnever --> ever\nHi\n"))
    await model.add()
    #expect(model.form.faults[.file] != nil && model.form[.file] == "torn.vtt")
    await model.choose(try file("whole.srt", "1\n00:00:00,000 --> 00:00:00,900\nHallo\n"))
    await model.add()
    #expect(model.form.faults.isEmpty && model.form.failure == nil)
    #expect(model.tracks?.map(\.language) == ["de"] && model.tracks?.first?.automatic == false)
    await model.load()
    let track = try #require(model.tracks?.first)
    await model.remove(track)
    await model.load()
    #expect(model.tracks == [])
  }

  @Test(.timeLimit(.minutes(10))) func whatIsWrongWithASecondStepIsShownAtItsField() async throws {
    let model = account(of: try await Person.member()).twoStep
    await model.load()
    #expect(model.hasPassword && model.state?.codeAppSince == nil && model.failure == nil)
    model.setUpForm[.password] = "not this one"
    await model.beginSetup()
    #expect(model.setUpForm.faults[.password]?.key == ErrorCode.passwordWrong.message)
    model.setUpForm[.password] = Person.password
    await model.beginSetup()
    #expect(!model.key.isEmpty && model.address?.host() == "totp")
    model.confirmForm[.code] = "none"
    await model.confirm()
    #expect(model.confirmForm.faults[.code]?.key == ErrorCode.codeWrong.message && model.codes.isEmpty)
  }

  @Test(.timeLimit(.minutes(10))) func anAccountWithoutPasskeysHasNone() async throws {
    let model = account(of: try await Person.member()).passkeys
    await model.load()
    #expect(model.keys == [] && model.failure == nil && !model.canMake)
  }
}
