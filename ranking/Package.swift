// swift-tools-version: 6.2
import PackageDescription

/// Every target of every Clipfeed package is built with these.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "ranking",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Ranking", targets: ["Ranking"]),
    .library(name: "RankingJudgement", targets: ["RankingJudgement"]),
    .executable(name: "rank-eval", targets: ["rank-eval"]),
    .executable(name: "rank-bench", targets: ["rank-bench"]),
    .executable(name: "rank-sim", targets: ["rank-sim"]),
  ],
  targets: [
    .target(name: "CDotProduct"),
    // Arithmetic over hundreds of thousands of numbers, each time a server starts: for debugging too it is optimized.
    .target(
      name: "Ranking", dependencies: ["CDotProduct"],
      swiftSettings: strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .target(name: "RankingJudgement", dependencies: ["Ranking"], swiftSettings: strict),
    .target(
      name: "RankingEvaluation", dependencies: ["Ranking", "RankingJudgement"], swiftSettings: strict),
    .executableTarget(
      name: "rank-eval", dependencies: ["Ranking", "RankingEvaluation", "RankingJudgement"],
      swiftSettings: strict),
    .executableTarget(name: "rank-bench", dependencies: ["Ranking"], swiftSettings: strict),
    .target(name: "RankingSimulation", dependencies: ["Ranking"], swiftSettings: strict),
    .executableTarget(name: "rank-sim", dependencies: ["RankingSimulation"], swiftSettings: strict),
    .testTarget(name: "RankingTests", dependencies: ["CDotProduct", "Ranking"], swiftSettings: strict),
    .testTarget(
      name: "RankingSimulationTests", dependencies: ["Ranking", "RankingSimulation"], swiftSettings: strict),
    .testTarget(
      name: "RankingEvaluationTests", dependencies: ["Ranking", "RankingEvaluation", "RankingJudgement"],
      swiftSettings: strict),
    .testTarget(
      name: "RankingJudgementTests", dependencies: ["Ranking", "RankingJudgement"], swiftSettings: strict),
  ]
)
