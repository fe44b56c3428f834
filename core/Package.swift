// swift-tools-version: 6.2
import PackageDescription

/// Every target of every Clipfeed package is built with these.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// One machine: a target that knows `CoreTypes` and nothing else.
func machine(_ name: String) -> Target {
  .target(name: name, dependencies: ["CoreTypes"], swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + ["CoreTypes", "CoreTesting"],
    swiftSettings: strict)
}

/// All that a session holds. Who has a session by value names each of them: SwiftPM builds a target again
/// when a module that it names has changed, and a session's layout changes with its machines'.
let machines: [Target.Dependency] = [
  "CoreTypes", "FeedPager", "Taps", "PlayerPool", "Lookahead", "Prefetch", "EnergyBudget", "MediaCache",
  "Composer",
]

let package = Package(
  name: "core",
  products: [
    .library(
      name: "ClipfeedCore",
      targets: [
        "CoreTypes", "FeedPager", "Taps", "PlayerPool", "Lookahead", "Prefetch", "EnergyBudget", "MediaCache",
        "Composer", "Recording", "Looks", "Marks", "Upload", "Activity", "SignInSession", "Session",
      ]),
    .library(
      name: "ClipfeedCoreWire",
      targets: ["SessionWire", "StudioWire", "UploadWire", "ActivityWire", "SignInWire"]),
  ],
  targets: [
    .target(name: "CoreTypes", swiftSettings: strict),
    machine("FeedPager"),
    machine("Taps"),
    machine("PlayerPool"),
    machine("Lookahead"),
    .target(name: "Prefetch", dependencies: ["CoreTypes", "Lookahead"], swiftSettings: strict),
    machine("EnergyBudget"),
    machine("MediaCache"),
    machine("Composer"),
    machine("Recording"),
    machine("Upload"),
    machine("Activity"),
    machine("SignInSession"),
    .target(name: "Looks", swiftSettings: strict),
    .target(name: "Marks", swiftSettings: strict),
    .target(name: "Session", dependencies: machines, swiftSettings: strict),
    .target(name: "Wire", dependencies: ["CoreTypes"], swiftSettings: strict),
    .target(name: "MachineHost", dependencies: ["CoreTypes", "Wire"], swiftSettings: strict),
    .target(name: "ComposerWire", dependencies: ["CoreTypes", "Composer", "Wire"], swiftSettings: strict),
    .target(
      name: "StudioWire",
      dependencies: ["CoreTypes", "Composer", "ComposerWire", "Recording", "MachineHost", "Wire"],
      swiftSettings: strict),
    .target(
      name: "UploadWire", dependencies: ["CoreTypes", "MachineHost", "Upload", "Wire"], swiftSettings: strict),
    .target(
      name: "ActivityWire", dependencies: ["Activity", "CoreTypes", "MachineHost", "Wire"],
      swiftSettings: strict),
    .target(
      name: "SignInWire", dependencies: ["CoreTypes", "MachineHost", "SignInSession", "Wire"],
      swiftSettings: strict),
    .target(
      name: "SessionWire",
      dependencies: machines + ["ComposerWire", "Session", "Wire"],
      swiftSettings: strict),
    // CoreWasm, StudioWasm, UploadWasm, ActivityWasm and WasmRuntime have no target here: only `make wasm`
    // builds them, with Embedded Swift.
    .target(
      name: "CoreTesting", dependencies: ["CoreTypes", "MachineHost"], path: "Tests/CoreTesting",
      swiftSettings: strict),
    tests(of: "CoreTypes", []),
    tests(of: "FeedPager", ["FeedPager"]),
    tests(of: "Taps", ["Taps"]),
    tests(of: "PlayerPool", ["PlayerPool"]),
    tests(of: "Lookahead", ["Lookahead"]),
    tests(of: "Prefetch", ["Prefetch", "Lookahead"]),
    tests(of: "EnergyBudget", ["EnergyBudget"]),
    tests(of: "MediaCache", ["MediaCache"]),
    tests(of: "Composer", ["Composer"]),
    tests(of: "Recording", ["Recording"]),
    tests(of: "Looks", ["Looks"]),
    tests(of: "Marks", ["Marks"]),
    tests(of: "StudioWire", ["Composer", "ComposerWire", "Looks", "Recording", "MachineHost", "StudioWire"]),
    tests(of: "Upload", ["Upload"]),
    tests(of: "UploadWire", ["MachineHost", "Upload", "UploadWire"]),
    tests(of: "Activity", ["Activity"]),
    tests(of: "ActivityWire", ["Activity", "ActivityWire", "MachineHost"]),
    tests(of: "SignInSession", ["SignInSession"]),
    tests(of: "SignInWire", ["MachineHost", "SignInSession", "SignInWire"]),
    tests(of: "Session", machines.dropFirst() + ["Session", "SessionWire", "ComposerWire"]),
  ]
)
