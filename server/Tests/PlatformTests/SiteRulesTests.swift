import Contract
import Foundation
import Testing

@testable import Platform

/// The operator's list of words, as a file.
@Suite final class SiteRulesTests {
  private let file = FileManager.default.temporaryDirectory.appendingPathComponent(
    "words-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: file) }

  private func write(_ text: String) throws { try Data(text.utf8).write(to: file) }

  private func fault(_ text: String) throws -> String? {
    try write(text)
    do {
      try SiteRules().follow(file.path)
      return nil
    } catch let fault as SiteRules.Fault {
      #expect(fault.description.hasPrefix(file.path))
      return String(fault.description.dropFirst(file.path.count))
    }
  }

  @Test func eachLineSaysWhatBecomesOfItsWords() throws {
    try write(
      "\u{FEFF}# Nobody writes this.\r\nrefuse  buy followers\r\n\r\n  hold giveaway  \n# hold nothing\n")
    let rules = SiteRules()
    try rules.follow(file.path)
    let refusal = try #require(rules.refusal(of: "BUY... FOLLOWERS now", at: "name"))
    #expect(refusal.code == .textRefused && refusal.field == "name")
    #expect(refusal.message.contains("“buy followers”"))
    #expect(rules.refusal(of: "giveaway", at: "name") == nil)
    #expect(rules.isHeld("a g1veaway") && !rules.isHeld("buy followers") && !rules.isHeld("nothing"))
    #expect(throws: refusal) { try rules.requireTaken("buy followers", at: "name") }
  }

  @Test func withoutAnOperatorsWordEverythingIsTaken() throws {
    let rules = SiteRules()
    #expect(rules.refusal(of: "anything", at: "text") == nil && !rules.isHeld("anything"))
    #expect(!rules.followsFile && rules.newcomerHours == 0)
    try rules.renew()
  }

  @Test func aFileThatCannotBeTakenSaysWhere() throws {
    #expect(
      try fault("refuse one\n\nforbid two\n") == ":3: a line begins with refuse or hold, not with forbid")
    #expect(try fault("refuse") == ":1: a line is \"refuse WORDS\" or \"hold WORDS\"")
    #expect(try fault("hold …\n") == ":1: there is no letter in these words")
    #expect(
      try fault("# \n" + "hold " + String(repeating: "a", count: 101))
        == ":2: words have 100 characters at most")
    let many = (0...10_000).map { "hold word\($0)" }.joined(separator: "\n")
    #expect(try fault(many) == ":10001: there are more than 10000 words")
    #expect(try fault("") == nil)
    try FileManager.default.removeItem(at: file)
    #expect(throws: SiteRules.Fault(path: file.path, line: nil, reason: "there is no such file")) {
      try SiteRules().follow(self.file.path)
    }
    try Data([0x68, 0xFF, 0x0A]).write(to: file)
    #expect(throws: SiteRules.Fault(path: file.path, line: nil, reason: "it is no UTF-8")) {
      try SiteRules().follow(self.file.path)
    }
  }

  @Test func itIsReadAgainWhenItChangesAndWhatIsWrongIsSaidOnce() throws {
    try write("refuse one")
    let rules = SiteRules()
    try rules.follow(file.path)
    try rules.renew()
    try write("refuse another")
    try rules.renew()
    #expect(rules.refusal(of: "one", at: "text") == nil && rules.refusal(of: "another", at: "text") != nil)
    try write("nonsense on a line")
    #expect(throws: SiteRules.Fault.self) { try rules.renew() }
    // What counted before counts on.
    try rules.renew()
    #expect(rules.refusal(of: "another", at: "text") != nil)
    try FileManager.default.removeItem(at: file)
    #expect(throws: SiteRules.Fault.self) { try rules.renew() }
    #expect(rules.refusal(of: "another", at: "text") != nil)
    try write("hold another")
    try rules.renew()
    #expect(rules.refusal(of: "another", at: "text") == nil && rules.isHeld("another"))
  }
}
