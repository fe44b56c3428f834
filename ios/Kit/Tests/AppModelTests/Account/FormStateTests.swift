import AppModel
import Contract
import Foundation
import Testing

@MainActor @Suite struct FormStateTests {
  enum Field: String, CaseIterable, Sendable { case handle, name, password }

  private let form = FormState<Field>(optional: [.name])

  @Test func whatIsMissingIsShownAtItsFieldAndNothingIsSent() async {
    form[.handle] = " \t"
    let isTaken = await form.submit { Issue.record("it was sent") }
    #expect(!isTaken)
    #expect(Set(form.faults.keys) == [.handle, .password])
    #expect(form.focus == .handle)
    form[.handle] = "ada"
    #expect(form.faults[.handle] == nil)
  }

  @Test func theServersWordOnAFieldIsShownThere() async {
    form[.handle] = "ada"
    form[.password] = "correct horse"
    await form.submit { throw Problem(.handleTaken, field: "handle", requestID: "") }
    #expect(form.faults[.handle]?.key == ErrorCode.handleTaken.message)
    #expect(form.focus == .handle)
    #expect(form.failure == nil)
    #expect(form[.password] == "correct horse")
  }

  @Test func whatIsAboutNoFieldOfTheFormIsShownBelow() async {
    form[.handle] = "ada"
    form[.password] = "correct horse"
    await form.submit { throw Problem(.unavailable, field: "elsewhere", requestID: "") }
    #expect(form.failure?.key == ErrorCode.unavailable.message)
    #expect(form[.handle] == "ada")
  }

  @Test func aFormIsSentOnce() async {
    form[.handle] = "ada"
    form[.password] = "correct horse"
    var count = 0
    await form.submit {
      count += 1
      await form.submit { count += 1 }
    }
    #expect(count == 1)
    #expect(!form.isBusy)
    #expect(form[.handle] == "")
  }

  @Test func blanksAroundAreNoPartOfIt() {
    form[.name] = "\u{2003} Ada  Lovelace\n"
    #expect(form.trimmed(.name) == "Ada  Lovelace")
    form[.name] = "\u{2003}"
    #expect(form.trimmed(.name) == nil)
  }
}
