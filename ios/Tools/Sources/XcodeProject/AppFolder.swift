import Foundation

/// What lies beside the project: whether files that it and the code name are there and whole.
public struct AppFolder: Sendable {
  public var faults: [String] = []
  let root: String

  /// `root` is the folder of the project.
  public init(root: String) {
    self.root = root
    checkPlists()
    checkIcon()
    checkCatalogs()
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

  /// Each text in each language, and each text of the sources in the catalog.
  private mutating func checkCatalogs() {
    for name in ["Localizable", "InfoPlist"] {
      let path = "App/Clipfeed/\(name).xcstrings"
      guard let data = contents(path),
        let catalog = TextCatalog(data, languages: ["en"] + App.clipfeed.otherLanguages)
      else {
        faults.append("\(path) is not there, or no JSON")
        continue
      }
      faults += catalog.faults.map { "\(path): \($0)" }
      if name == "Localizable" { checkTexts(catalog.keys) } else { checkInfo(catalog.keys) }
    }
  }

  /// Folders of sources that people see texts of, and whether their texts are named by key alone.
  private static let sources = [
    ("App/Clipfeed", false), ("Kit/Sources/PlayerKit", false), ("Kit/Sources/CaptureKit", false),
    ("Kit/Sources/DeviceKit", false), ("Kit/Sources/Screens", false), ("Kit/Sources/AppModel", true),
    // The server's sentences are keys as they come.
    ("../contract/Sources/Contract", false),
  ]

  private mutating func checkTexts(_ keys: Set<String>) {
    var all: Set<String> = []
    for (folder, names) in Self.sources {
      guard let files = FileManager.default.enumerator(atPath: root + "/" + folder) else { continue }
      for case let file as String in files where file.hasSuffix(".swift") {
        let texts = SourceTexts(
          String(decoding: contents(folder + "/" + file) ?? Data(), as: UTF8.self), names: names)
        all.formUnion(texts.all)
        let missing = texts.needed.filter { text in
          !keys.contains(text) && !keys.contains { SourceTexts.matches(text, $0) }
        }
        faults += missing.sorted().map {
          "\(folder)/\(file): Localizable.xcstrings lacks \"\($0.replacing("\u{2}", with: "\\(…)"))\""
        }
      }
    }
    let patterns = all.filter { $0.contains("\u{2}") }
    let unused = keys.subtracting(all).filter { key in !patterns.contains { SourceTexts.matches($0, key) } }
    faults += unused.sorted().map { "Localizable.xcstrings: nobody says \"\($0)\"" }
  }

  private mutating func checkInfo(_ keys: Set<String>) {
    guard let data = contents("App/Info.plist"),
      let table = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    else { return }
    let texts = table.keys.filter { $0.hasSuffix("UsageDescription") }
    faults += Set(texts).subtracting(keys).sorted().map { "InfoPlist.xcstrings lacks \($0)" }
  }
}
