import AppModel
import Contract
import Foundation
import Testing

@MainActor @Suite struct AccountModelTests {
  @Test func whoSignsOutIsBackAtTheFirstScreen() async throws {
    let bench = try await AccountBench.member()
    bench.model.path = [.contact]
    async let out: Void = bench.model.signOut()
    await bench.transport.next().answer(204)
    await out
    #expect(bench.model.me == nil)
    #expect(bench.model.path.isEmpty)
    #expect(bench.news == ["You are signed out."])
  }

  @Test func withoutAnAnswerTheSessionGoesOn() async throws {
    let bench = try await AccountBench.member()
    async let out: Void = bench.model.signOut()
    await bench.transport.next().fail(.timedOut)
    await out
    #expect(bench.model.me?.id == "ada")
    #expect(bench.news == ["You are still signed in. Please try again."])
  }

  @Test func aSessionThatIsOverLeavesScreensOfTheAccount() async throws {
    let bench = try await AccountBench.member()
    bench.model.path = [.devices]
    async let loaded: Void = bench.model.devices.load()
    await bench.transport.next().refuse(.sessionEnded)
    await loaded
    #expect(bench.model.path.isEmpty)
  }

  @Test func whatWasTypedAndAskedForGoesWithItsAccount() async throws {
    let bench = try await AccountBench.member()
    let (password, deletion, devices) = (bench.model.password, bench.model.deletion, bench.model.devices)
    password.form[.current] = "correct horse"
    password.form[.new] = "battery staple"
    deletion.form[.password] = "correct horse"
    async let loaded: Void = devices.load()
    let held = await bench.transport.next()
    bench.sign.host.forget()
    #expect(password.form[.current].isEmpty && password.form[.new].isEmpty)
    #expect(deletion.form[.password].isEmpty)
    let session = OpenSession(id: "s", current: true, client: "", createdAt: epoch, usedAt: epoch)
    held.answer(200, OpenSessions(items: [session]))
    await loaded
    #expect(devices.sessions.isEmpty && !devices.isLoading && devices.failure == nil)
  }

  @Test func aNewReportLeadsTheListOnceThatIsThere() async throws {
    let bench = try await AccountBench.member()
    let list = bench.model.reports
    bench.model.noteReport(sampleReport("r1"))
    #expect(list.items.isEmpty)
    async let begun: Void = list.begin()
    await bench.transport.next().answer(
      200, ReportPage(items: [sampleReport("r2"), sampleReport("r1")], nextCursor: nil))
    await begun
    bench.model.noteReport(sampleReport("r3"))
    // The same thing again is the same report.
    bench.model.noteReport(sampleReport("r1"))
    #expect(list.items.map(\.id) == ["r1", "r3", "r2"])
  }

  @Test func decisionsAreForAccountsAndReportsForAnybody() async throws {
    for (path, isLeft) in [([AccountModel.Place.decisions, .decision("d")], true), ([.reports], false)] {
      let bench = try await AccountBench.member()
      bench.model.path = path
      bench.sign.host.forget()
      #expect(bench.model.path.isEmpty == isLeft)
    }
  }

  @Test func withoutAPasswordARowLeadsToTheWaysIn() async throws {
    let bench = try await AccountBench.member()
    #expect(bench.model.resolved(.password) == .password)
    async let refreshed: Void = bench.model.refresh()
    var account = sampleAccount()
    account.hasPassword = false
    account.name = "Ada L."
    await bench.transport.next().answer(200, account)
    await refreshed
    #expect(bench.model.resolved(.password) == .waysIn)
    #expect(bench.model.resolved(.deletion) == .waysIn)
    #expect(bench.model.resolved(.devices) == .devices)
    #expect(bench.model.me?.name == "Ada L.")
  }

  @Test func whatIsTypedOutlivesAnAnswerAndARefusal() async throws {
    let bench = try await AccountBench.member()
    let profile = bench.model.contact
    async let loaded: Void = profile.load()
    await bench.transport.next().answer(200, sampleAccount())
    await loaded
    #expect(profile.nameForm[.name] == "Ada")
    profile.nameForm[.name] = "Countess"
    profile.emailForm[.email] = "ada@example.org"
    async let again: Void = profile.load()
    await bench.transport.next().answer(200, sampleAccount())
    await again
    #expect(profile.nameForm[.name] == "Countess")
    profile.emailForm[.password] = "wrong"
    async let saved: Void = profile.saveEmail()
    await bench.transport.next().answer(403, Problem(.passwordWrong, field: "password", requestID: ""))
    await saved
    #expect(profile.emailForm.faults[.password]?.key == ErrorCode.passwordWrong.message)
    #expect(profile.emailForm[.email] == "ada@example.org")
  }

  @Test func deletingAsksForTheHandleFirst() async throws {
    let bench = try await AccountBench.member()
    let (deletion, me) = (bench.model.deletion, try #require(bench.model.me))
    deletion.form[.typed] = "eve"
    deletion.form[.password] = "correct horse"
    await deletion.delete(me)
    #expect(deletion.form.faults[.typed] == Sentence("That is not %@.", "ada"))
    deletion.form[.typed] = " @ADA "
    async let deleted: Void = deletion.delete(me)
    await bench.transport.next().answer(204)
    await deleted
    #expect(bench.model.me == nil)
    #expect(bench.removals.count == 1)
    #expect(bench.news == ["The account is deleted."])
  }

  @Test func aFollowIsShownAtOnceAndTakenBackIfItFails() async throws {
    let bench = try await AccountBench.member()
    let people = bench.model.following
    let author = Author(id: "b", handle: "bob", name: "Bob")
    async let begun: Void = people.list.begin()
    await bench.transport.next().answer(200, AuthorPage(items: [author], nextCursor: nil))
    await begun
    async let toggled: Void = people.toggle(author)
    let parked = await bench.transport.next()
    #expect(parked.request.method == "DELETE")
    #expect(!people.isOn(author))
    parked.refuse(.unavailable)
    await toggled
    #expect(people.isOn(author))
    #expect(bench.news == [ErrorCode.unavailable.message])
  }

  @Test func anotherPersonsListsAreGone() async throws {
    let bench = try await AccountBench.member()
    async let begun: Void = bench.model.following.list.begin()
    await bench.transport.next().answer(
      200, AuthorPage(items: [Author(id: "b", handle: "bob", name: "Bob")], nextCursor: "c"))
    await begun
    bench.sign.host.forget()
    #expect(bench.model.following.list.items.isEmpty)
  }

  @Test func clientsAreCalledByWhatTheyAre() {
    #expect(ClientName("Clipfeed/1.0 (iPhone; iOS 18.0)") == .known("Clipfeed · iPhone"))
    #expect(ClientName("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0") == .known("Firefox · Linux"))
    #expect(ClientName("curl/8") == .known("curl/8"))
    #expect(ClientName("  ") == .unknown)
  }
}
