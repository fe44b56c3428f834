import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct ReportModelTests {
  private let bench = ReportBench()

  @Test func sendsWhatWasChosenAndTyped() async throws {
    var taken: [String] = []
    bench.reporting.onReported = { taken.append($0.id) }
    let model = try bench.opened(.clip(.sample("c1", by: "ann")))
    #expect(bench.router.path == [.report(.clip, of: "c1")])
    model.reason = .minors
    model.form[.note] = "  At 0:12.\n"
    let sent = try await bench.send(model)
    #expect(sent == NewReport(kind: .clip, subjectID: "c1", reason: .minors, note: "At 0:12."))
    #expect(model.report == sampleReport() && taken == ["r"])
    // Once is enough.
    await model.send()
    #expect(bench.transport.count == 1)
  }

  @Test func anEmptyNoteIsNone() async throws {
    let model = try bench.opened()
    model.reason = .other
    model.form[.note] = " \n"
    #expect(try await bench.send(model).note == nil)
  }

  @Test func withoutAReasonNothingIsSentUntilThereIsOne() async throws {
    let model = try bench.opened()
    await model.send()
    #expect(model.form.failure?.key == "Choose a reason first." && bench.transport.count == 0)
    model.reason = .spam
    #expect(model.form.failure == nil)
  }

  @Test func aNoteThatIsTooLongIsSaidAtItsFieldAndNotSent() async throws {
    let model = try bench.opened()
    model.reason = .spam
    // A flag is one letter to a person, and two scalars.
    model.form[.note] = String(repeating: "🇩🇪", count: Limits.statementLength)
    #expect(model.charactersLeft == 0)
    model.form[.note] += "!"
    #expect(model.charactersLeft == -1)
    await model.send()
    #expect(model.form.faults[.note]?.key == "The text is too long." && model.form.focus == .note)
    #expect(bench.transport.count == 0)
    model.form[.note] = "e" + String(repeating: "\u{301}", count: Limits.statementScalars)
    #expect(model.charactersLeft == -1)
  }

  @Test func whatFailsLosesNothingAndIsSentAgain() async throws {
    let model = try bench.opened()
    model.reason = .hate
    model.form[.note] = "Twice"
    async let lost: Void = model.send()
    await bench.transport.next().fail(.timedOut)
    await lost
    #expect(model.form.failure != nil && model.report == nil)
    async let refused: Void = model.send()
    await bench.transport.next().answer(422, Problem(.statementTooLong, field: "note", requestID: ""))
    await refused
    #expect(model.form.faults[.note]?.key == "The text is too long.")
    #expect(model.reason == .hate && model.form[.note] == "Twice")
    #expect(try await bench.send(model).note == "Twice")
  }

  @Test func whatIsGoneOrOnesOwnIsSaid() async throws {
    let model = try bench.opened(.comment(sampleComment("k")))
    model.reason = .spam
    for code in [ErrorCode.commentNotFound, .reportOneself] {
      async let sent: Void = model.send()
      await bench.transport.next().refuse(code)
      await sent
      #expect(model.form.failure?.key == code.message)
    }
  }

  // MARK: Screens

  @Test func aSheetThatWasLeftIsAsItWasUntilItsReportIsTaken() async throws {
    let subject = ReportSubject.clip(.sample("c"))
    let model = try bench.opened(subject)
    model.reason = .spam
    model.form[.note] = "Look at"
    bench.router.back()
    let blank = try bench.opened(.clip(.sample("other")))
    bench.router.back()
    #expect(try bench.opened(subject) === model)
    #expect(bench.reporting.model(of: .report(.clip, of: "other")) == nil)
    _ = blank
    _ = try await bench.send(model)
    bench.router.back()
    let next = try bench.opened(subject)
    #expect(next !== model && next.report == nil && next.reason == nil)
    #expect(bench.reporting.model(of: .settings) == nil)
  }

  @Test func whatWasTypedStaysWhereWhoeverItIsAboutIsBlockedMeanwhile() throws {
    let ann = Author(id: "a", handle: "ann", name: "Ann")
    let model = try bench.opened(.person(ann, isBlocked: false))
    model.reason = .harassment
    model.form[.note] = "Every day"
    bench.router.back()
    let again = try bench.opened(.person(ann, isBlocked: true))
    #expect(again.reason == .harassment && again.form[.note] == "Every day" && !again.canBlock)
  }

  @Test func whoeverComesNextFindsNothingOfItButTheSheetInFrontStays() throws {
    let model = try bench.opened()
    model.form[.note] = "Mine"
    bench.reporting.viewerChanged()
    #expect(bench.reporting.model(of: .report(.clip, of: "c")) === model)
    bench.router.back()
    bench.viewer.viewerID = "ann"
    bench.reporting.viewerChanged()
    #expect(try bench.opened().form[.note] == "")
  }

  @Test func afterwardsItLeadsToAllReports() async throws {
    var asked = 0
    bench.reporting.onReports = { asked += 1 }
    let model = try bench.opened()
    model.reason = .spam
    _ = try await bench.send(model)
    model.showReports()
    #expect(asked == 1 && bench.router.path.isEmpty)
  }

  // MARK: Blocking

  @Test func offersToBlockOthersWhoAreNotBlockedYet() throws {
    let ann = Author(id: "a", handle: "ann", name: "Ann")
    #expect(try bench.opened(.clip(.sample("c", by: "a"))).canBlock)
    #expect(try bench.opened(.message(.sample("m", "Hi"), from: ann)).canBlock)
    #expect(try bench.opened(.person(ann, isBlocked: false)).canBlock)
    #expect(try !bench.opened(.person(ann, isBlocked: true)).canBlock)
    #expect(try !bench.opened(.person(Author(id: "me", handle: "me", name: "I"), isBlocked: false)).canBlock)
    var comment = sampleComment("k")
    comment.author = nil
    #expect(try !bench.opened(.comment(comment)).canBlock)
  }

  @Test func whoeverIsBlockedLeavesNothingToSayToThem() async throws {
    var blocked: [String] = []
    bench.reporting.onBlocked = { blocked.append($0.id) }
    bench.router.open(.conversations)
    bench.router.open(.conversation(with: "a"))
    let model = try bench.opened(
      .message(.sample("m", "Hi"), from: Author(id: "a", handle: "ann", name: "Ann")))
    async let failed: Void = model.block()
    await bench.transport.next().fail(.timedOut)
    await failed
    #expect(model.canBlock && bench.news.count == 1 && blocked.isEmpty)
    async let done: Void = model.block()
    let asked = await bench.transport.next()
    #expect(model.isBlocking && model.canBlock)
    asked.answer(200, BlockState(blocked: true))
    await done
    #expect(blocked == ["a"] && !model.canBlock && bench.router.path == [.conversations])
  }
}

private func sampleComment(_ id: String) -> ClipComment {
  ClipComment(
    id: id, author: Author(id: "a", handle: "ann", name: "Ann"), text: "Hi", createdAt: epoch, clipId: "c")
}
