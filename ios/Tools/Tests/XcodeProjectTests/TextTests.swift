import Foundation
import Testing

@testable import XcodeProject

@Suite struct TextTests {
  private func needed(_ source: String, names: Bool = false) -> Set<String> {
    SourceTexts(source, names: names).needed
  }

  @Test(arguments: [
    #"Text("Try again")"#, #"Button("Try again", role: .cancel) {}"#, #"x.navigationTitle("Try again")"#,
    #"String(localized: "Try again")"#, #"Label("Try again", systemImage: "star")"#,
    #"x.accessibilityLabel("Try again")"#, #"x.accessibilityAction(named: "Try again") {}"#,
    #"x.alert("Try again", isPresented: $a) {}"#, #"TextField("Try again", text: $text, axis: .vertical)"#,
    "Text(\n  \"Try again\"\n)", #"let title: LocalizedStringKey = "Try again""#,
    #"announcements.post("Try again")"#, #"Text("\(String(localized: "Try again"))")"#,
    #"var title: LocalizedStringKey { switch self { case .a: "Try again" } }"#,
    #"x.searchable(text: $text, prompt: "Try again")"#,
  ])
  func findsATextThatPeopleSee(source: String) {
    #expect(needed(source).contains("Try again"))
    #expect(!needed(source).contains("star"))
  }

  @Test(arguments: [
    #"Text(verbatim: "Try again")"#, #"Image(systemName: "star")"#, #"// Text("Try again")"#,
    #"/* Text("Try again") /* */ */"#, ##"let a = #"Text("Try again")"#"##,
    #"Text(model.title ?? "Try again")"#,
    #"Text("a" + "b")"#, #"Text("")"#, #"Text("·")"#, #"NotAText("Try again")"#,
    #"var title: LocalizedStringKey { switch x { case "Try again": key } }"#,
  ])
  func passesOverWhatIsNoKey(source: String) {
    #expect(needed(source) == [])
  }

  @Test func seesBothTextsOfAChoice() {
    #expect(needed(#"Button(isOn ? "Pause" : "Play") {}"#) == ["Pause", "Play"])
  }

  @Test func readsEscapes() {
    #expect(needed(#"Text("Say \"hi\"\u{2026}")"#) == ["Say \"hi\"…"])
  }

  @Test func aModelsSentencesAreKeys() {
    let source = #"""
      let failure = "This clip is gone."
      let title = "Undo"
      headers["authorization"] = "Bearer \(token)"
      throw Problem(.sessionEnded, detail: "You are signed out.")
      """#
    #expect(needed(source, names: true) == ["This clip is gone."])
    #expect(needed(source) == [])
    #expect(SourceTexts(source, names: true).all.contains("Undo"))
  }

  @Test func anInterpolationIsAGap() throws {
    let text = try #require(needed(#"Text("\(count) clips of \(name)")"#).first)
    #expect(SourceTexts.matches(text, "%lld clips of %@"))
    #expect(SourceTexts.matches(text, "%1$lld clips of %2$@"))
    #expect(!SourceTexts.matches(text, "%lld clips"))
    let percent = try #require(needed(#"Text("\(share)% done")"#).first)
    #expect(SourceTexts.matches(percent, "%lld%% done"))
  }

  @Test(arguments: [
    #"Text(verbatim: "Try again")"#, #"label.text = "Stop""#, #"button.setTitle("Stop", for: .normal)"#,
    #"UIAlertAction(title: "Stop", style: .cancel)"#, #"view.accessibilityLabel = isOn ? "Stop" : "Go""#,
    #"UIAlertController(title: nil, message: "Try again")"#, #"Text(verbatim: "\(count) unread")"#,
  ])
  func seesWordsThatAreTakenAsTheyStand(source: String) {
    #expect(!SourceTexts(source, names: true).asTheyStand.isEmpty)
  }

  @Test(arguments: [
    #"Text(verbatim: name)"#, #"Text(verbatim: "\(speed)×")"#, ##"label.text = "#\(tag)""##,
    #"Text(verbatim: "@" + name)"#, #"prompt: Text(verbatim: "a.example")"#,
    #"label.text = String(localized: "Stop")"#, #"Text("Try again")"#, #"label.text = nil"#,
    #"label.text = isOn ? String(localized: "Stop") : String(localized: "\(count) left")"#,
  ])
  func namesAndWhatIsTranslatedMayStand(source: String) {
    #expect(SourceTexts(source, names: true).asTheyStand == [])
  }

  private func catalog(_ german: String, key: String = "%lld clips of %@") -> TextCatalog? {
    let text = """
      { "strings" : { "\(key)" : { "localizations" : { "de" : \(german),
      "en" : { "stringUnit" : { "state" : "translated", "value" : "\(key)" } } } } } }
      """
    return TextCatalog(Data(text.utf8), languages: ["en", "de"])
  }

  @Test func aWholeCatalogHasNoFaults() {
    let catalog = catalog(
      #"{ "stringUnit" : { "state" : "translated", "value" : "%2$@ hat %1$lld Clips" } }"#)
    #expect(catalog?.faults == [])
  }

  @Test(arguments: [
    "{}", #"{ "stringUnit" : { "state" : "new", "value" : "%lld Clips von %@" } }"#,
    #"{ "stringUnit" : { "state" : "translated", "value" : "" } }"#,
    #"{ "stringUnit" : { "state" : "translated", "value" : "%lld Clips" } }"#,
    #"{ "variations" : { "plural" : { "one" : { "stringUnit" : { "state" : "translated", "value" : "Ein Clip von %@" } } } } }"#,
    #"{ "variations" : { "plural" : { "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld Clips von %@" } } } } }"#,
  ])
  func seesWhatIsNotTranslated(german: String) {
    #expect(catalog(german)?.faults.isEmpty == false)
  }

  @Test func englishIsNoGerman() {
    let text = #"{ "stringUnit" : { "state" : "translated", "value" : "Clips of your friends" } }"#
    #expect(catalog(text, key: "Clips of your friends")?.faults.count == 1)
    let name = #"{ "stringUnit" : { "state" : "translated", "value" : "Samsung Internet" } }"#
    #expect(catalog(name, key: "Samsung Internet")?.faults == [])
  }

  @Test func aPluralNeedsItsGeneralForm() {
    let catalog = catalog(
      """
      { "variations" : { "plural" : {
      "one" : { "stringUnit" : { "state" : "translated", "value" : "Ein Clip von %@" } },
      "other" : { "stringUnit" : { "state" : "translated", "value" : "%lld Clips von %@" } } } } }
      """)
    #expect(catalog?.faults == [])
  }

  /// The folder with one fault after the other.
  @Test func seesSeededMistakesInTheFolder() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    func write(_ text: String, _ path: String) throws {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let unit = #"{ "stringUnit" : { "state" : "translated", "value" : "Stop" } }"#
    try write(
      #"{ "strings" : { "Stop" : { "localizations" : { "en" : \#(unit), "de" : \#(unit) } } } }"#,
      "App/Clipfeed/Localizable.xcstrings")
    func faults(_ source: String) throws -> [String] {
      try write(source, "Kit/Sources/Screens/Account/Screen.swift")
      return AppFolder(root: root.path).faults.filter { $0.contains("Localizable") }
    }
    #expect(try faults(#"Text("Stop")"#) == [])
    #expect(try faults("") == ["Localizable.xcstrings: nobody says \"Stop\""])
    #expect(
      try faults(#"Text("Stop"); Text("Go \(name)")"#) == [
        "Kit/Sources/Screens/Account/Screen.swift: Localizable.xcstrings lacks \"Go \\(…)\""
      ])
  }
}
