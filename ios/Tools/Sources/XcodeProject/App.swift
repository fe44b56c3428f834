/// What the project is made of.
public struct App: Sendable {
  public var name: String
  /// Sources and resources, relative to the project's folder.
  public var folder: String
  /// Files beside the folder that settings name: inside it they would be built as resources as well.
  public var settingsFiles: [(path: String, type: String)]
  public var package: String
  public var products: [String]
  public var otherLanguages: [String]
  public var targetSettings: [String: String]
  public var projectSettings: [String: String]
  public var debugSettings: [String: String]
  public var releaseSettings: [String: String]

  public static let clipfeed = App(
    name: "Clipfeed", folder: "App/Clipfeed",
    settingsFiles: [
      ("App/Info.plist", "text.plist.xml"), ("App/Clipfeed.entitlements", "text.plist.entitlements"),
    ],
    package: "Kit", products: ["Kit"], otherLanguages: ["de"],
    targetSettings: [
      "ASSETCATALOG_COMPILER_APPICON_NAME": "AppIcon",
      "ASSETCATALOG_COMPILER_GLOBAL_ACCENT_COLOR_NAME": "AccentColor",
      // The server whose links open the app. An instance's owner puts theirs here.
      "CLIPFEED_HOST": "clipfeed.example",
      "CODE_SIGN_ENTITLEMENTS": "App/Clipfeed.entitlements",
      "CODE_SIGN_STYLE": "Automatic",
      "CURRENT_PROJECT_VERSION": "1",
      "GENERATE_INFOPLIST_FILE": "NO",
      "INFOPLIST_FILE": "App/Info.plist",
      "LD_RUNPATH_SEARCH_PATHS": "$(inherited) @executable_path/Frameworks",
      "MARKETING_VERSION": "1.0",
      "PRODUCT_BUNDLE_IDENTIFIER": "app.clipfeed.Clipfeed",
      "PRODUCT_NAME": "$(TARGET_NAME)",
      "SWIFT_EMIT_LOC_STRINGS": "YES",
      "TARGETED_DEVICE_FAMILY": "1,2",
    ],
    projectSettings: [
      "ALWAYS_SEARCH_USER_PATHS": "NO",
      "CLANG_ENABLE_MODULES": "YES",
      "COPY_PHASE_STRIP": "NO",
      "ENABLE_USER_SCRIPT_SANDBOXING": "YES",
      "IPHONEOS_DEPLOYMENT_TARGET": "18.0",
      "LOCALIZATION_PREFERS_STRING_CATALOGS": "YES",
      "SDKROOT": "iphoneos",
      // The isolation that scripts/ios-check.sh checks with; a template of Xcode 26 has another.
      "SWIFT_APPROACHABLE_CONCURRENCY": "NO",
      "SWIFT_DEFAULT_ACTOR_ISOLATION": "nonisolated",
      "SWIFT_STRICT_CONCURRENCY": "complete",
      "SWIFT_TREAT_WARNINGS_AS_ERRORS": "YES",
      "SWIFT_UPCOMING_FEATURE_EXISTENTIAL_ANY": "YES",
      "SWIFT_UPCOMING_FEATURE_INTERNAL_IMPORTS_BY_DEFAULT": "YES",
      "SWIFT_UPCOMING_FEATURE_MEMBER_IMPORT_VISIBILITY": "YES",
      "SWIFT_VERSION": "6.0",
    ],
    debugSettings: [
      "DEBUG_INFORMATION_FORMAT": "dwarf",
      "ENABLE_TESTABILITY": "YES",
      "GCC_OPTIMIZATION_LEVEL": "0",
      "ONLY_ACTIVE_ARCH": "YES",
      "SWIFT_ACTIVE_COMPILATION_CONDITIONS": "DEBUG $(inherited)",
      "SWIFT_OPTIMIZATION_LEVEL": "-Onone",
    ],
    releaseSettings: [
      "DEBUG_INFORMATION_FORMAT": "dwarf-with-dsym",
      "SWIFT_COMPILATION_MODE": "wholemodule",
      "VALIDATE_PRODUCT": "YES",
    ])
}
