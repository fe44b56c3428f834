import Foundation

/// What lies beside the project: whether files that it and the code name are there and whole.
public struct AppFolder: Sendable {
  public var faults: [String] = []
  let root: String
  private var sources: [SwiftFile] = []

  private struct SwiftFile {
    /// Relative to `root`.
    var path: String
    var text: String
    var folder: String
  }

  /// `root` is the folder of the project.
  public init(root: String) {
    self.root = root
    checkPlists()
    checkIcon()
    checkAssets()
    sources = readSources()
    checkCatalogs()
    checkSources()
  }

  private func contents(_ path: String) -> Data? { FileManager.default.contents(atPath: root + "/" + path) }

  private mutating func checkPlists() {
    for path in ["App/Info.plist", "App/Clipfeed.entitlements", "App/Clipfeed/PrivacyInfo.xcprivacy"] {
      guard let data = contents(path),
        let table = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
      else {
        faults.append("\(path) is not there, or no property list")
        continue
      }
      guard path.hasSuffix("Info.plist") else { continue }
      let needed = [
        "CFBundleIdentifier", "CFBundleExecutable", "CFBundleVersion", "CFBundleShortVersionString",
        "UIApplicationSceneManifest", "UILaunchScreen", "UIBackgroundModes",
        "BGTaskSchedulerPermittedIdentifiers",
        "NSAppTransportSecurity", "NSCameraUsageDescription", "NSMicrophoneUsageDescription",
        "NSPhotoLibraryAddUsageDescription", "CFBundleURLTypes", "CADisableMinimumFrameDurationOnPhone",
        "ClipfeedHost",
      ]
      faults += needed.filter { table[$0] == nil }.map { "\(path) lacks \($0)" }
      let launch = (table["UILaunchScreen"] as? [String: Any])?["UIColorName"] as? String ?? ""
      if contents("App/Clipfeed/Assets.xcassets/\(launch).colorset/Contents.json") == nil {
        faults.append("\(path): no colour \(launch)")
      }
      if let scenes = (table["UIApplicationSceneManifest"] as? [String: Any])?["UISceneConfigurations"]
        as? [String: [[String: Any]]]
      {
        for scene in scenes.values.joined() {
          let name = (scene["UISceneDelegateClassName"] as? String ?? "").split(separator: ".").last.map {
            String($0)
          }
          if let name, contents("App/Clipfeed/\(name).swift") == nil {
            faults.append("\(path): no class \(name)")
          }
        }
      }
    }
  }

  /// One image of 1,024 px for each appearance: Xcode makes the other sizes of it.
  private mutating func checkIcon() {
    let folder = "App/Clipfeed/Assets.xcassets/AppIcon.appiconset"
    guard let data = contents(folder + "/Contents.json"),
      let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let images = json["images"] as? [[String: Any]]
    else { return faults.append("\(folder) has no Contents.json") }
    for image in images {
      let name = image["filename"] as? String ?? ""
      guard let picture = contents(folder + "/" + name), picture.count > 26 else {
        faults.append("\(folder): no picture \(name)")
        continue
      }
      let number = { (at: Int) in picture[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
      if number(16) != 1024 || number(20) != 1024 { faults.append("\(name) is not 1,024 px wide and high") }
      // The store refuses icons that can be seen through.
      if picture[25] != 2 { faults.append("\(name) is not plain red, green and blue") }
      if picture.count > 100_000 { faults.append("\(name) has more than 100 KB") }
    }
    if images.count != 3 { faults.append("an icon has three appearances: any, dark and tinted") }
  }

  private mutating func checkAssets() {
    let folder = "App/Clipfeed/Assets.xcassets"
    for case let path as String in FileManager.default.enumerator(atPath: root + "/" + folder) ?? .init()
    where path.hasSuffix("Contents.json") {
      if !isJSON(folder + "/" + path) { faults.append("\(folder)/\(path) is no JSON") }
    }
  }

  /// Foundation's parser on Linux takes a comma before a bracket; others do not.
  private func isJSON(_ path: String) -> Bool {
    guard let data = contents(path), (try? JSONSerialization.jsonObject(with: data)) != nil else {
      return false
    }
    return SourceRules.count(#",\s*[}\]]\s*[,}\]\n]"#, in: String(decoding: data, as: UTF8.self)) == 0
  }

  /// Each text in each language, and each text of the sources in the catalog.
  private mutating func checkCatalogs() {
    for name in ["Localizable", "InfoPlist"] {
      let path = "App/Clipfeed/\(name).xcstrings"
      guard isJSON(path), let data = contents(path),
        let catalog = TextCatalog(data, languages: ["en"] + App.clipfeed.otherLanguages)
      else {
        faults.append("\(path) is not there, or no JSON")
        continue
      }
      faults += catalog.faults.map { "\(path): \($0)" }
      if name == "Localizable" { checkTexts(catalog.keys) } else { checkInfo(catalog.keys) }
    }
  }

  /// The app, all of its Kit but programs for Linux, and the contract, whose sentences are keys as they come.
  private func readSources() -> [SwiftFile] {
    let kit = (try? FileManager.default.contentsOfDirectory(atPath: root + "/Kit/Sources")) ?? []
    let folders =
      ["App/Clipfeed"] + kit.sorted().map { "Kit/Sources/" + $0 } + ["../contract/Sources/Contract"]
    return folders.flatMap { folder -> [SwiftFile] in
      guard let files = FileManager.default.enumerator(atPath: root + "/" + folder) else { return [] }
      let all = files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map {
        SwiftFile(
          path: folder + "/" + $0,
          text: String(decoding: contents(folder + "/" + $0) ?? Data(), as: UTF8.self), folder: folder)
      }
      let isProgram = folder.hasPrefix("Kit/") && all.contains { $0.text.contains("@main") }
      return isProgram ? [] : all
    }
  }

  private mutating func checkTexts(_ keys: Set<String>) {
    var all: Set<String> = []
    for file in sources {
      let texts = SourceTexts(
        file.text, names: ["Kit/Sources/AppModel", "Kit/Sources/Screens"].contains(file.folder))
      all.formUnion(texts.all)
      let missing = texts.needed.filter { text in
        !keys.contains(text) && !keys.contains { SourceTexts.matches(text, $0) }
      }
      faults += missing.sorted().map {
        "\(file.path): Localizable.xcstrings lacks \"\($0.replacing("\u{2}", with: "\\(…)"))\""
      }
      faults += texts.asTheyStand.sorted().map {
        "\(file.path): \"\($0.replacing("\u{2}", with: "\\(…)"))\" is shown in English alone"
      }
    }
    let patterns = all.filter { $0.contains("\u{2}") }
    let unused = keys.subtracting(all).filter { key in !patterns.contains { SourceTexts.matches($0, key) } }
    faults += unused.sorted().map { "Localizable.xcstrings: nobody says \"\($0)\"" }
  }

  private mutating func checkSources() {
    let declarations = root + "/Declarations"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: declarations)) ?? []).filter {
      $0.hasSuffix(".swiftinterface")
    }
    let interfaces = names.sorted().map {
      String(decoding: contents("Declarations/" + $0) ?? Data(), as: UTF8.self)
    }
    let apple = names.map { String($0.dropLast(".swiftinterface".count)) }.filter {
      $0 != "FoundationOfApple"
    }
    let imports = #"import (?:"# + apple.joined(separator: "|") + #")\b"#
    let literals = sources.map { SwiftLiterals($0.text) }
    let code = literals.map { String(String.UnicodeScalarView($0.code)) }
    // Those that Linux runs have tests.
    let phones = Set(zip(sources, code).filter { SourceRules.count(imports, in: $1) > 0 }.map(\.0.folder))
    faults +=
      SourceRules(
        zip(sources, code).map { file, code in
          SourceRules.Source(path: file.path, code: code, isChecked: phones.contains(file.folder))
        }, callbacks: DeclaredCallbacks(interfaces)
      ).faults
    func list(_ path: String) -> [String: Any] {
      let data = contents(path) ?? Data()
      return (try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]) ?? [:]
    }
    let info = list("App/Info.plist")
    faults += schemeFaults(info, Set(literals.flatMap(\.texts)))
    faults +=
      AppClaims(
        info: info, entitlements: list("App/Clipfeed.entitlements"),
        privacy: list("App/Clipfeed/PrivacyInfo.xcprivacy"), code: code.joined(separator: "\n"),
        identifiers: sources.flatMap { AppClaims.backgroundIdentifiers(in: $0.text) }
      ).faults
  }

  /// Links of these schemes open the app: something has to read them.
  private func schemeFaults(_ info: [String: Any], _ texts: Set<String>) -> [String] {
    let schemes = (info["CFBundleURLTypes"] as? [[String: Any]] ?? []).flatMap {
      $0["CFBundleURLSchemes"] as? [String] ?? []
    }
    return schemes.filter { !texts.contains($0) }.map { "App/Info.plist: no source knows the scheme \($0)" }
  }

  private mutating func checkInfo(_ keys: Set<String>) {
    guard let data = contents("App/Info.plist"),
      let table = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { return }
    let texts = table.keys.filter { $0.hasSuffix("UsageDescription") }
    faults += Set(texts).subtracting(keys).sorted().map { "InfoPlist.xcstrings lacks \($0)" }
  }
}
