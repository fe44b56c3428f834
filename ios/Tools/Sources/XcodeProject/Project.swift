/// The objects of a project's file. Each has an id made of its name, so that the same description writes the
/// same bytes and a change of one thing moves no other.
public struct Project: Sendable {
  public struct Object: Sendable {
    public var id: String
    public var isa: String
    public var fields: [(key: String, value: PropertyList)]
  }
  public private(set) var objects: [Object] = []
  public let root: String

  /// 96 bits, as long as Xcode's: two runs of FNV-1a over the name with different beginnings.
  public static func id(of name: String) -> String {
    func hash(_ start: UInt64) -> UInt64 {
      name.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    let digits = { (value: UInt64, count: Int) -> String in
      let text = String(value, radix: 16, uppercase: true)
      return String((String(repeating: "0", count: 16) + text).suffix(count))
    }
    return digits(hash(0xcbf2_9ce4_8422_2325), 16) + digits(hash(0x9e37_79b9_7f4a_7c15), 8)
  }

  @discardableResult
  mutating func add(_ name: String, _ isa: String, _ fields: PropertyList) -> PropertyList {
    let id = Self.id(of: name)
    precondition(!objects.contains { $0.id == id }, "\(name) is there twice")
    guard case .table(let rows) = fields else { preconditionFailure("fields are a table") }
    objects.append(Object(id: id, isa: isa, fields: rows))
    return .text(id)
  }

  mutating func configurations(
    of name: String, _ common: [String: String], debug: [String: String] = [:],
    release: [String: String] = [:]
  ) -> PropertyList {
    let list = [("Debug", debug), ("Release", release)].map { title, own in
      let settings = common.merging(own) { $1 }.sorted { $0.key < $1.key }
        .map { (key: $0.key, value: PropertyList.text($0.value)) }
      return add(
        "\(name)/\(title)", "XCBuildConfiguration", ["buildSettings": .table(settings), "name": .text(title)])
    }
    return add(
      "\(name)/configurations", "XCConfigurationList",
      [
        "buildConfigurations": .list(list), "defaultConfigurationIsVisible": "0",
        "defaultConfigurationName": "Release",
      ])
  }

  /// One app over products of one local package. Folders are synchronised: a new file in them changes nothing
  /// here.
  public init(_ app: App) {
    root = Self.id(of: "project")
    let folder = add(
      "folder", "PBXFileSystemSynchronizedRootGroup",
      ["name": .text(app.name), "path": .text(app.folder), "sourceTree": "<group>"])
    let settings = app.settingsFiles.map { file in
      add(
        "file/\(file.path)", "PBXFileReference",
        [
          "lastKnownFileType": .text(file.type), "name": .text(String(file.path.split(separator: "/").last!)),
          "path": .text(file.path), "sourceTree": "<group>",
        ])
    }
    let product = add(
      "product", "PBXFileReference",
      [
        "explicitFileType": "wrapper.application", "includeInIndex": "0", "path": .text("\(app.name).app"),
        "sourceTree": "BUILT_PRODUCTS_DIR",
      ])
    let products = add(
      "products", "PBXGroup", ["children": [product], "name": "Products", "sourceTree": "<group>"])
    let main = add(
      "main", "PBXGroup", ["children": .list([folder] + settings + [products]), "sourceTree": "<group>"])
    let package = add("package", "XCLocalSwiftPackageReference", ["relativePath": .text(app.package)])
    let dependencies = app.products.map { name in
      add("dependency/\(name)", "XCSwiftPackageProductDependency", ["productName": .text(name)])
    }
    let links = zip(app.products, dependencies).map { name, dependency in
      add("link/\(name)", "PBXBuildFile", ["productRef": dependency])
    }
    // NB: without the empty phase of resources the asset catalog of a synchronised folder is not copied.
    let phases = ["Sources", "Frameworks", "Resources"].map { kind in
      add(
        "phase/\(kind)", "PBX\(kind)BuildPhase",
        [
          "buildActionMask": "2147483647", "files": .list(kind == "Frameworks" ? links : []),
          "runOnlyForDeploymentPostprocessing": "0",
        ])
    }
    let target = add(
      "target", "PBXNativeTarget",
      [
        "buildConfigurationList": configurations(of: "target", app.targetSettings),
        "buildPhases": .list(phases), "buildRules": [], "dependencies": [],
        "fileSystemSynchronizedGroups": [folder], "name": .text(app.name),
        "packageProductDependencies": .list(dependencies), "productName": .text(app.name),
        "productReference": product, "productType": "com.apple.product-type.application",
      ])
    let lists = configurations(
      of: "project", app.projectSettings, debug: app.debugSettings, release: app.releaseSettings)
    add(
      "project", "PBXProject",
      [
        "attributes": [
          "BuildIndependentTargetsInParallel": "1", "LastUpgradeCheck": "2600",
          "TargetAttributes": .table([
            (
              key: Self.id(of: "target"),
              value: PropertyList.table([(key: "CreatedOnToolsVersion", value: "26.0")])
            )
          ]),
        ],
        "buildConfigurationList": lists, "developmentRegion": "en", "hasScannedForEncodings": "0",
        "knownRegions": .list(["en", "Base"] + app.otherLanguages.map { .text($0) }), "mainGroup": main,
        "minimizedProjectReferenceProxies": "1", "packageReferences": [package],
        "preferredProjectObjectVersion": "77", "productRefGroup": products, "projectDirPath": "",
        "projectRoot": "", "targets": [target],
      ])
  }

  /// The file `project.pbxproj`. Object version 77 (Xcode 16) is the first with synchronised folders.
  public var text: String {
    let rows = objects.sorted { ($0.isa, $0.id) < ($1.isa, $1.id) }.map { object in
      (key: object.id, value: PropertyList.table([(key: "isa", value: .text(object.isa))] + object.fields))
    }
    let file: PropertyList = [
      "archiveVersion": "1", "classes": [:], "objectVersion": "77", "objects": .table(rows),
      "rootObject": .text(root),
    ]
    return "// !$*UTF8*$!\n" + file.written() + "\n"
  }

  /// Ids that are named and not there, and objects that nobody names.
  public var loose: [String] {
    let ids = Set(objects.map(\.id))
    var named: Set<String> = [root]
    func look(_ value: PropertyList) {
      switch value {
      case .text(let text):
        if text.utf8.count == 24, text.allSatisfy(\.isHexDigit) { named.insert(text) }
      case .list(let values): values.forEach(look)
      case .table(let rows):
        for row in rows {
          look(.text(row.key))
          look(row.value)
        }
      }
    }
    for object in objects { object.fields.forEach { look($0.value) } }
    return named.subtracting(ids).map { "\($0) is named and not there" }.sorted()
      + ids.subtracting(named).map { "\($0) is there and not named" }.sorted()
  }

  /// The shared scheme, by which `xcodebuild` finds the app.
  public func scheme(of app: App) -> String {
    let reference = """
      <BuildableReference BuildableIdentifier="primary" BlueprintIdentifier="\(Self.id(of: "target"))" \
      BuildableName="\(app.name).app" BlueprintName="\(app.name)" ReferencedContainer="container:\(app.name).xcodeproj"/>
      """
    let runnable =
      "<BuildableProductRunnable runnableDebuggingMode=\"0\">\(reference)</BuildableProductRunnable>"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <Scheme LastUpgradeVersion="2600" version="1.7">
        <BuildAction parallelizeBuildables="YES" buildImplicitDependencies="YES">
          <BuildActionEntries>
            <BuildActionEntry buildForTesting="YES" buildForRunning="YES" buildForProfiling="YES" \
      buildForArchiving="YES" buildForAnalyzing="YES">
              \(reference)
            </BuildActionEntry>
          </BuildActionEntries>
        </BuildAction>
        <TestAction buildConfiguration="Debug" shouldUseLaunchSchemeArgsEnv="YES"/>
        <LaunchAction buildConfiguration="Debug" launchStyle="0" useCustomWorkingDirectory="NO">
          \(runnable)
        </LaunchAction>
        <ProfileAction buildConfiguration="Release" shouldUseLaunchSchemeArgsEnv="YES">
          \(runnable)
        </ProfileAction>
        <AnalyzeAction buildConfiguration="Debug"/>
        <ArchiveAction buildConfiguration="Release" revealArchiveInOrganizer="YES"/>
      </Scheme>

      """
  }
}
